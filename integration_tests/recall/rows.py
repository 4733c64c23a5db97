"""Rows of a memory, written as the fold would leave them."""

import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256

from cortex_memory.lexical.documents import terms_of_episode, terms_of_fact
from cortex_memory.retain.resolve_actors import strong_identifier
from cortex_memory.store.db import Connection, Pool, connection
from roxabi_contracts.operations import FactStatus

DAY = 86_400_000
KEY = b"k" * 32
PROJECT = "personal"

EmbedAll = Callable[[], Awaitable[int]]
"""Works off the whole backlog and answers the number of the model."""


def now_ms() -> int:
    return time.time_ns() // 1_000_000


@dataclass
class Rows:
    """Writes rows; every text waits for its vector, as after retaining."""

    pool: Pool
    project: str = PROJECT

    async def person(self, email: str, name: str) -> str:
        identifier = strong_identifier(self.project, "email", email, KEY)
        async with connection(self.pool) as transaction:
            await transaction.execute(
                "INSERT INTO project (project, digest_key) VALUES (%s, %s) ON CONFLICT DO NOTHING",
                (self.project, KEY),
            )
            await transaction.execute(
                "INSERT INTO identifier (project, id, scheme, value, entity, observations,"
                " memories) VALUES (%s, %s, 'email', %s, %s, 1, 1)",
                (self.project, identifier.id, email, identifier.id),
            )
            await transaction.execute(
                "INSERT INTO mention (project, identifier, kind, name, observations)"
                " VALUES (%s, %s, 'person', %s, 1)",
                (self.project, identifier.id, name),
            )
        return identifier.id

    async def fact(
        self,
        subject: str,
        predicate: str,
        value: str,
        *,
        about: str | None = None,
        status: str = "active",
        conflict_id: str | None = None,
        volatility: str = "stable",
        valid_from: int | None = None,
        valid_until: int | None = None,
        last_confirmed_at: int | None = None,
        waits: bool = True,
    ) -> str:
        begun = now_ms() - DAY if valid_from is None else valid_from
        confirmed = begun if last_confirmed_at is None else last_confirmed_at
        about = about or subject
        id = digest("fact", subject, about, predicate, value, status)
        text = f"{predicate.replace('_', ' ')} {value}"
        terms = terms_of_fact(text, FactStatus(status), in_conflict=conflict_id is not None)
        async with connection(self.pool) as transaction:
            await transaction.execute(
                "INSERT INTO fact (project, subject, about, predicate, slot, id, value,"
                " value_digest, qualifiers, text, status, authority, confidence, confirmations,"
                " kind, volatility, valid_from, valid_until, first_said_at, last_confirmed_at,"
                " conflict_id, terms, row_digest) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, '{}', %s,"
                " %s, 3, 0.9, 0, 'attribute', %s, %s, %s, %s, %s, %s, %s, '')",
                (
                    *(
                        self.project,
                        subject,
                        about,
                        predicate,
                        digest(subject, about, predicate, value),
                    ),
                    *(id, json.dumps({"value": value}), digest(value)),
                    *(text, status, volatility),
                    *(begun, valid_until, begun, confirmed, conflict_id, terms),
                ),
            )
            await transaction.execute(
                "INSERT INTO fact_source (project, fact_id, assertion_id, observation_id, source,"
                " source_ref, said_at, counted) VALUES (%s, %s, %s, %s, 'note', 'n', %s, true)",
                (self.project, id, id, f"o-{id[:8]}", begun),
            )
            if waits:
                await self._wait(transaction, subject, "fact", id, begun)
        return id

    async def episode(
        self,
        subject: str,
        text: str,
        *,
        said_at: int | None = None,
        embeddable: bool = True,
        waits: bool = True,
    ) -> str:
        said = now_ms() - DAY if said_at is None else said_at
        id = digest("episode", subject, text)
        async with connection(self.pool) as transaction:
            await transaction.execute(
                "INSERT INTO episode (project, subject, observation_id, subject_identifier, source,"
                " source_ref, record, category, said_at, author_name, text, terms, embeddable)"
                " VALUES (%s, %s, %s, %s, 'note', %s, %s, 'Statement', %s, 'Alice', %s, %s, %s)",
                (
                    *(self.project, subject, id, subject, id, id, said, text),
                    *(terms_of_episode("Alice", text), embeddable),
                ),
            )
            if waits:
                await self._wait(transaction, subject, "episode", id, said)
        return id

    async def _wait(
        self, transaction: Connection, subject: str, kind: str, id: str, said: int
    ) -> None:
        await transaction.execute(
            "INSERT INTO embedding_backlog (project, subject, kind, id, said_at)"
            " VALUES (%s, %s, %s, %s, %s)",
            (self.project, subject, kind, id, said),
        )

    async def count(self, statement: bytes) -> int:
        async with connection(self.pool) as transaction:
            row = await (await transaction.execute(statement)).fetchone()
        assert row is not None
        return int(str(row[0]))


def digest(*parts: str) -> str:
    return sha256("\0".join(parts).encode()).hexdigest()[:32]
