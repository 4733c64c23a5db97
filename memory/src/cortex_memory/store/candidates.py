"""Looks for what may answer a query: exact search inside a scope, through indexes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
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
from cortex_memory.recall.times import Span
from cortex_memory.store.db import Connection
from cortex_memory.store.queries import numbered

PER_ARM: Final = 64
LEAST_PER_ARM: Final = 40
MOST_PER_ARM: Final = 128
LEAST_SURROUNDED: Final = 16
MOST_SURROUNDED: Final = 96
SMALL_BUDGET: Final = 900
TOKENS_A_TEXT: Final = 40
"""What a text costs, about: so many tokens beyond a small budget call for one more candidate."""
REACH: Final = 2
"""How many before a hit, and as many after it."""
SAMPLED: Final = 128
"""Of how many vectors the middle of a memory is taken: its oldest, and one of nothing.

So a single text does not lie in the middle itself.
"""
SPARE: Final = 16
"""So many of the nearest facts may be retired, and so many proposals gone from the store, before
all is measured there."""
MOST_SOURCES: Final = 32
"""How many observations behind a fact are named: some are said every day."""
WAITING: Final = 256
"""How many of the newest texts without a vector are searched by any word of the query."""


_NO_ARM: Final = {"per_arm": 0, "wanted": 0}


@dataclass(frozen=True, slots=True)
class Meaning:
    """The vector of the query, and the model that made it."""

    model: int
    vector: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Proposals:
    """The nearest by vectors that are held elsewhere: ids, and of which memory each is.

    `horizons` are transactions, one for each memory asked: what they or later ones wrote is not
    among what was held.
    """

    ids: tuple[str, ...]
    subjects: tuple[str, ...]
    horizons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """Where and what to look for; without a meaning, by words alone.

    `until` (epoch ms) bounds when an episode was said; null: there is no bound. `terms` are looked
    for by their rarity, and `times` besides; null: the query is looked for by full text. Facts are
    also looked for by the terms of the `predicates` that the query names otherwise. `contested`:
    what contradicts a fact is looked for with it. By `now` (epoch ms) it is told which facts time
    has changed that are not folded again yet.
    """

    project: str
    subjects: tuple[str, ...]
    about: str | None
    query: str
    meaning: Meaning | None
    until: int | None = None
    times: tuple[Span, ...] = ()
    terms: tuple[str, ...] | None = None
    predicates: tuple[str, ...] = ()
    budget_tokens: int = 0
    contested: bool = False
    now: int = 0

    @property
    def queries(self) -> str:
        """The file of the queries that look for it."""
        return "candidates" if self.terms is None else "fusion"

    def terms_for(self, kind: Kind) -> tuple[str, ...]:
        """The terms that texts of a kind are looked for by."""
        return (*(self.terms or ()), *(self.predicates if kind == "fact" else ()))

    @property
    def per_arm(self) -> int:
        """How many candidates each arm finds."""
        return PER_ARM if self.terms is None else fused_per_arm(self.budget_tokens)

    @property
    def is_for_some(self) -> bool:
        """Whether it leaves out some of the memory, whatever is near."""
        return self.about is not None or self.until is not None

    def wanted(self, kind: Kind) -> int:
        """How many of the nearest are looked at: of facts, some are retired."""
        return self.per_arm + (SPARE if kind == "fact" else 0)

    def proposals(self, kind: Kind) -> int:
        """How many of the nearest of each memory have to be proposed."""
        return self.wanted(kind) + SPARE


def fused_per_arm(budget_tokens: int) -> int:
    """How many candidates each arm finds: more, where a large budget can hold them."""
    return min(MOST_PER_ARM, LEAST_PER_ARM + _more_for(budget_tokens))


def surrounded(budget_tokens: int) -> int:
    """Of how many hits of each arm the texts said around them are candidates, too."""
    return min(MOST_SURROUNDED, LEAST_SURROUNDED + _more_for(budget_tokens))


def _more_for(budget_tokens: int) -> int:
    return max(0, budget_tokens - SMALL_BUDGET) // TOKENS_A_TEXT


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
    text, names = numbered(f"{search.queries}.{kind}s")
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
