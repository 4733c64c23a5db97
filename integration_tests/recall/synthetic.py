"""A large memory of synthetic facts and episodes, loaded by COPY and vacuumed."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import psycopg
from cortex_memory.retain.resolve_actors import strong_identifier
from pgvector import HalfVector
from pgvector.psycopg import register_vector
from psycopg import sql

PROJECT = "personal"
DIMENSIONS = 384
NOW = 1_760_000_000_000
_KEY = b"k" * 32
_WORDS = [
    f"{first}{second}"
    for first in ("ba", "ke", "li", "mo", "nu", "pa", "re", "si", "to", "vu")
    for second in ("dar", "fen", "gil", "hom", "jun", "kap", "lem", "mir", "nob", "pur")
]
_FACT = (
    "COPY fact (project, subject, about, predicate, slot, id, value, value_digest, qualifiers,"
    " text, terms, status, authority, confidence, confirmations, kind, volatility, valid_from,"
    " first_said_at, last_confirmed_at, row_digest) FROM STDIN"
)
_EPISODE = (
    "COPY episode (project, subject, observation_id, subject_identifier, source, source_ref,"
    " record, category, said_at, trace, author_name, text, terms, embeddable) FROM STDIN"
)
_SOURCE = (
    "COPY fact_source (project, fact_id, assertion_id, observation_id, source, source_ref,"
    " said_at, counted) FROM STDIN"
)


@dataclass(frozen=True)
class Person:
    """Whose memory it is."""

    email: str

    @property
    def id(self) -> str:
        return strong_identifier(PROJECT, "email", self.email, _KEY).id


def fill(url: str, people: Sequence[Person], facts: int, episodes: int, model: int = 1) -> None:
    """Give each of some people so many facts and episodes, with vectors.

    Args:
        url: A migrated database that knows none of them.
        people: Whose memories are filled.
        facts: Of each of them.
        episodes: Of each of them.
        model: The number of the model of all vectors.
    """
    generator = np.random.default_rng(7)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO project (project, digest_key) VALUES (%s, %s) ON CONFLICT DO NOTHING",
            (PROJECT, _KEY),
        )
        for person in people:
            _introduce(connection, person)
            _fill_facts(connection, person, facts, generator)
            _fill_episodes(connection, person, episodes, generator)
            for table, kind, count in (
                ("fact_embedding", "f", facts),
                ("episode_embedding", "e", episodes),
            ):
                _fill_vectors(connection, person, table, kind, count, model, generator)
        connection.execute("VACUUM ANALYZE")


def sentence(generator: np.random.Generator, words: int) -> str:
    """Words of a small vocabulary, so that a query of two or three of them has matches."""
    numbers: list[int] = generator.integers(0, len(_WORDS), words).tolist()
    return " ".join(_WORDS[number] for number in numbers)


def _introduce(connection: psycopg.Connection, person: Person) -> None:
    connection.execute(
        "INSERT INTO identifier (project, id, scheme, value, entity, observations, memories)"
        " VALUES (%s, %s, 'email', %s, %s, 1, 1)",
        (PROJECT, person.id, person.email, person.id),
    )
    connection.execute(
        "INSERT INTO mention (project, identifier, kind, name, observations)"
        " VALUES (%s, %s, 'person', %s, 1)",
        (PROJECT, person.id, person.email.partition("@")[0]),
    )


def _fill_facts(
    connection: psycopg.Connection, person: Person, count: int, generator: np.random.Generator
) -> None:
    texts = [sentence(generator, 8) for _ in range(count)]
    with connection.cursor() as cursor, cursor.copy(_FACT) as copy:
        for number, text in enumerate(texts):
            id, said = _id(person, "f", number), NOW - number * 60_000
            value = json.dumps({"value": text})
            copy.write_row(
                (
                    *(PROJECT, person.id, person.id, "notes", id, id, value, id, "{}"),
                    *(f"notes {text}", f"note {text}", "active", 3, 0.9, 0, "attribute", "stable"),
                    *(said, said, said, b""),
                )
            )
    with connection.cursor() as cursor, cursor.copy(_SOURCE) as copy:
        for number in range(count):
            id = _id(person, "f", number)
            copy.write_row((PROJECT, id, id, f"o{id}", "note", id, NOW - number * 60_000, True))


def _fill_episodes(
    connection: psycopg.Connection, person: Person, count: int, generator: np.random.Generator
) -> None:
    with connection.cursor() as cursor, cursor.copy(_EPISODE) as copy:
        for number in range(count):
            id, text = _id(person, "e", number), sentence(generator, 25)
            copy.write_row(
                (
                    *(PROJECT, person.id, id, person.id, "note", id, id, "Statement"),
                    *(NOW - number * 60_000, f"talk {number // 20}", "Alice", text),
                    *(f"alic {text}", True),
                )
            )


def _fill_vectors(
    connection: psycopg.Connection,
    person: Person,
    table: str,
    kind: str,
    count: int,
    model: int,
    generator: np.random.Generator,
) -> None:
    register_vector(connection)
    statement = sql.SQL("COPY {} (project, subject, model, id, vector) FROM STDIN (FORMAT BINARY)")
    with (
        connection.cursor() as cursor,
        cursor.copy(statement.format(sql.Identifier(table))) as copy,
    ):
        copy.set_types(["text", "text", "int2", "text", "halfvec"])
        for number in range(count):
            vector = HalfVector(generator.standard_normal(DIMENSIONS))
            copy.write_row((PROJECT, person.id, model, _id(person, kind, number), vector))


def _id(person: Person, kind: str, number: int) -> str:
    return f"{kind}{number:07d}{person.id}"[:32]
