"""Looks for what may answer a query: exact search inside a scope, through indexes."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from pgvector import HalfVector
from psycopg import AsyncRawCursor
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import set_json_loads
from pydantic_core import from_json
from roxabi_contracts.observation import Origin
from roxabi_contracts.operations import FactStatus
from roxabi_contracts.payloads import Category, Volatility

from cortex_memory.lexical.bm25 import LENGTH_SHARE, SATURATION
from cortex_memory.model import Authority
from cortex_memory.recall.candidate import (
    EXCERPT_CHARACTERS,
    Closeness,
    EpisodeCandidate,
    FactCandidate,
    Kind,
)
from cortex_memory.recall.expand import FACTS_PER_NAME
from cortex_memory.recall.search import Proposals, Search, surrounded
from cortex_memory.store.db import Connection
from cortex_memory.store.queries import numbered

REACH: Final = 2
"""How many before a hit, and as many after it."""
SAMPLED: Final = 128
"""Of how many vectors the middle of a memory is taken: its oldest, and one of nothing.

So a single text does not lie in the middle itself.
"""
MOST_SOURCES: Final = 32
"""How many observations behind a fact are named: some are said every day."""
WAITING: Final = 256
"""How many of the newest texts without a vector are searched by any word of the query."""

_NO_ARM: Final = {"per_arm": 0, "wanted": 0}


async def find_facts(
    transaction: Connection, search: Search, proposals: Proposals | None = None
) -> list[FactCandidate]:
    """The facts that may answer the query: so many by meaning and as many by words.

    With proposals or without, they are the same: only how many vectors are measured differs.
    """
    return [_fact(row) for row in await _rows(transaction, search, "fact", proposals)]


async def find_episodes(
    transaction: Connection, search: Search, proposals: Proposals | None = None
) -> list[EpisodeCandidate]:
    """The episodes that may answer the query, as many as facts."""
    return [_episode(row) for row in await _rows(transaction, search, "episode", proposals)]


async def find_by_names(
    transaction: Connection, search: Search, names: Sequence[str], known: Sequence[str] = ()
) -> list[FactCandidate]:
    """The facts that mention one of the names and are not known, a few for each."""
    by_names = {**_NO_ARM, "names": list(names), "known": list(known)}
    return [_fact(row) for row in await _rows(transaction, search, "fact", None, by_names)]


async def find_rivals(
    transaction: Connection, search: Search, conflicts: Sequence[str]
) -> list[FactCandidate]:
    """The facts that contradict each other in these open ConflictSets."""
    of_conflicts = {**_NO_ARM, "conflicts": list(conflicts)}
    return [_fact(row) for row in await _rows(transaction, search, "fact", None, of_conflicts)]


async def _rows(
    transaction: Connection,
    search: Search,
    kind: Kind,
    proposals: Proposals | None,
    others: Mapping[str, object] | None = None,
) -> list[DictRow]:
    cursor = AsyncRawCursor(transaction, row_factory=dict_row)
    set_json_loads(from_json, cursor)  # hundreds of values
    parameters = {**parameters_of(search, kind, proposals), **(others or {})}
    file = "candidates" if search.terms is None else "fusion"
    text, names = numbered(f"{file}.{kind}s")
    given = [parameters[name] for name in names]
    await cursor.execute(text, given, prepare=True, binary=True)
    return await cursor.fetchall()


def parameters_of(
    search: Search, kind: Kind, proposals: Proposals | None = None
) -> dict[str, object]:
    """What the queries of this module are given."""
    meaning = search.meaning
    return {
        "kind": kind,
        "project": search.project,
        "subjects": list(search.subjects),
        "about": search.about,
        "query": search.query,
        "model": None if meaning is None else meaning.model,
        "vector": None if meaning is None else HalfVector(meaning.vector),
        "until": search.until,
        "per_arm": search.per_arm,
        "wanted": search.wanted(kind),
        "proposals": search.proposals(kind),
        "proposed": None if proposals is None else list(proposals.ids),
        "proposed_of": None if proposals is None else list(proposals.subjects),
        "horizons": None if proposals is None else list(proposals.horizons),
        "terms": list(search.terms_for(kind)),
        "since": [time.since for time in search.times],
        "before": [time.before for time in search.times],
        "saturation": SATURATION,
        "length_share": LENGTH_SHARE,
        "sampled": SAMPLED,
        "nothing": None if meaning is None else HalfVector(np.zeros_like(meaning.vector)),
        "surrounded": surrounded(search.budget_tokens),
        "reach": REACH,
        "waiting": WAITING,
        "names": [],
        "known": [],
        "conflicts": [],
        "now": search.now,
        "most_sources": MOST_SOURCES,
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
        sources=tuple(sorted(set(row["sources"]))),
        is_due=row["is_due"],
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
        trace=row.get("trace"),
        follows=row.get("follows"),
        closeness=_closeness(row),
    )


def _closeness(row: Mapping[str, Any]) -> Closeness:
    return Closeness(
        cosine=row["cosine"],
        text_rank=row.get("text_rank", 0.0),
        meaning=row.get("meaning"),
        words=row.get("words", 0.0),
        rarest=row.get("rarest", 0.0),
    )
