"""Looks for what may answer a query: exact search inside a scope, through indexes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from psycopg import AsyncCursor
from psycopg.rows import DictRow, dict_row
from roxabi_contracts.operations import FactStatus
from roxabi_contracts.payloads import Category, Volatility

from cortex_memory.recall.candidate import (
    EXCERPT_CHARACTERS,
    Closeness,
    EpisodeCandidate,
    FactCandidate,
)
from cortex_memory.recall.expand import FACTS_PER_NAME
from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query

PER_ARM: Final = 64
WAITING: Final = 256
"""How many of the newest texts without a vector are searched by any word of the query."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """The vector of the query, and the model that made it."""

    model: int
    vector: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Search:
    """Where and what to look for; without a meaning, by any word of the query."""

    project: str
    subjects: tuple[str, ...]
    about: str | None
    query: str
    meaning: Meaning | None


async def find(
    transaction: Connection, search: Search
) -> tuple[list[FactCandidate], list[EpisodeCandidate]]:
    """What may answer the query, at most 256 rows, in one round trip."""
    parameters = _parameters(search)
    facts, episodes = _cursor(transaction), _cursor(transaction)
    async with transaction.pipeline():
        # A cached generic plan would not know which arms are asked for.
        await facts.execute(query("candidates.facts"), parameters, prepare=False)
        await episodes.execute(query("candidates.episodes"), parameters, prepare=False)
    return (
        [_fact(row) for row in await facts.fetchall()],
        [_episode(row) for row in await episodes.fetchall()],
    )


async def find_by_names(
    transaction: Connection, search: Search, names: Sequence[str]
) -> list[FactCandidate]:
    """The facts that mention one of the names, a few for each."""
    cursor = _cursor(transaction)
    parameters = _parameters(search) | {"names": list(names), "per_arm": 0}
    await cursor.execute(query("candidates.facts"), parameters, prepare=False)
    return [_fact(row) for row in await cursor.fetchall()]


def _cursor(transaction: Connection) -> AsyncCursor[DictRow]:
    return transaction.cursor(row_factory=dict_row, binary=True)


def _parameters(search: Search) -> dict[str, object]:
    meaning = search.meaning
    return {
        "project": search.project,
        "subjects": list(search.subjects),
        "about": search.about,
        "query": search.query,
        "model": None if meaning is None else meaning.model,
        "vector": None if meaning is None else HalfVector(meaning.vector),
        "per_arm": PER_ARM,
        "waiting": WAITING,
        "names": [],
        "per_name": FACTS_PER_NAME,
        "characters": EXCERPT_CHARACTERS + 1,
    }


def _fact(row: Mapping[str, Any]) -> FactCandidate:
    return FactCandidate(
        id=row["id"],
        subject=row["subject"],
        about=row["about"],
        about_name=row["about_name"],
        predicate=row["predicate"],
        value=row["value"],
        qualifiers=row["qualifiers"],
        status=FactStatus(row["status"]),
        contested=row["contested"],
        volatility=Volatility(row["volatility"]),
        confidence=row["confidence"],
        valid_from=row["valid_from"],
        valid_until=row["valid_until"],
        last_confirmed=row["last_confirmed"],
        recorded_from=row["recorded_from"],
        sources=tuple(row["sources"]),
        closeness=_closeness(row),
    )


def _episode(row: Mapping[str, Any]) -> EpisodeCandidate:
    return EpisodeCandidate(
        id=row["id"],
        subject=row["subject"],
        kind=Category(row["kind"]),
        moment=row["moment"],
        who=row["who"],
        text=row["text"],
        closeness=_closeness(row),
    )


def _closeness(row: Mapping[str, Any]) -> Closeness:
    return Closeness(cosine=row["cosine"], text_rank=row["text_rank"])
