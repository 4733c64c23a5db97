"""Looks for what may answer a query: exact search inside a scope, through indexes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from psycopg.rows import DictRow, dict_row
from roxabi_contracts.observation import Origin
from roxabi_contracts.operations import FactStatus
from roxabi_contracts.payloads import Category, Volatility

from cortex_memory.model import Authority
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
    """Where and what to look for; without a meaning, by any word of the query.

    `until` (epoch ms) bounds when an episode was said; null: there is no bound.
    """

    project: str
    subjects: tuple[str, ...]
    about: str | None
    query: str
    meaning: Meaning | None
    until: int | None = None


async def find_facts(transaction: Connection, search: Search) -> list[FactCandidate]:
    """The facts that may answer the query: at most `PER_ARM` by meaning and as many by words."""
    return [_fact(row) for row in await _rows(transaction, "facts", parameters_of(search))]


async def find_episodes(transaction: Connection, search: Search) -> list[EpisodeCandidate]:
    """The episodes that may answer the query, as many as facts."""
    return [_episode(row) for row in await _rows(transaction, "episodes", parameters_of(search))]


async def find_by_names(
    transaction: Connection, search: Search, names: Sequence[str]
) -> list[FactCandidate]:
    """The facts that mention one of the names, a few for each."""
    parameters = parameters_of(search) | {"names": list(names), "per_arm": 0}
    return [_fact(row) for row in await _rows(transaction, "facts", parameters)]


async def _rows(
    transaction: Connection, kind: Literal["facts", "episodes"], parameters: Mapping[str, object]
) -> list[DictRow]:
    cursor = transaction.cursor(row_factory=dict_row, binary=True)
    # A cached generic plan would not know which arms are asked for.
    await cursor.execute(query(f"candidates.{kind}"), parameters, prepare=False)
    return await cursor.fetchall()


def parameters_of(search: Search) -> dict[str, object]:
    """What the queries of this module are given."""
    meaning = search.meaning
    return {
        "project": search.project,
        "subjects": list(search.subjects),
        "about": search.about,
        "query": search.query,
        "model": None if meaning is None else meaning.model,
        "vector": None if meaning is None else HalfVector(meaning.vector),
        "until": search.until,
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
        conflict_id=row["conflict_id"],
        authority=Authority(row["authority"]),
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
        origin=None if row["origin"] is None else Origin(row["origin"]),
        text=row["text"],
        closeness=_closeness(row),
    )


def _closeness(row: Mapping[str, Any]) -> Closeness:
    return Closeness(cosine=row["cosine"], text_rank=row["text_rank"])
