"""A memory as it was at a moment: load all that was said in it, fold it up to then.

Stored intervals are not enough: what stood then may have been taken back since.
"""

import asyncio
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.operations import FactRecord, FactStatus
from roxabi_contracts.payloads import Volatility

from cortex_memory.lexical.bm25 import Bm25
from cortex_memory.lexical.terms import terms_of
from cortex_memory.model import Assertion, Authority, Fact, FactSource
from cortex_memory.place_said import weigh
from cortex_memory.recall.candidate import Closeness, FactCandidate
from cortex_memory.recall.search import Search
from cortex_memory.retain.placing import GroupKey, fold_groups
from cortex_memory.store import past, subjects
from cortex_memory.store.db import Connection
from cortex_memory.store.decisions import decisions_on_groups
from cortex_memory.store.erasures import erasures_on_groups
from cortex_memory.store.evidence import stored_assertions
from cortex_memory.store.past import PastCloseness
from cortex_memory.store.rows import FactRow, fact_row


@dataclass(frozen=True, slots=True)
class PastFact:
    """A fact as it was; `name` is what the entity that it is about is called now."""

    row: FactRow
    behind: tuple[FactSource, ...]
    name: str | None

    @property
    def sources(self) -> tuple[str, ...]:
        """The observations behind it."""
        return tuple(sorted({source.observation_id for source in self.behind}))

    def record(self) -> FactRecord:
        """The fact as a listing shows it."""
        row = self.row
        return FactRecord.model_validate(
            {
                "id": row.id,
                "about": row.about,
                "about_name": self.name,
                "predicate": row.predicate,
                "value": None if row.value is None else json.loads(row.value),
                "qualifiers": json.loads(row.qualifiers),
                "status": row.status,
                "confidence": row.confidence,
                "confirmations": row.confirmations,
                "authority": row.authority,
                "kind": row.kind,
                "volatility": row.volatility,
                "valid_from": None if row.valid_from is None else from_epoch_ms(row.valid_from),
                "valid_until": None if row.valid_until is None else from_epoch_ms(row.valid_until),
                "last_confirmed": from_epoch_ms(row.last_confirmed_at),
                "supersedes_id": row.supersedes_id,
                "conflict_id": row.conflict_id,
                "sources": self.sources,
            }
        )

    def candidate(self, near: PastCloseness, words: float, rarest: float) -> FactCandidate:
        """The fact as recall judges it."""
        row = self.row
        return FactCandidate(
            id=row.id,
            subject=row.subject,
            about=row.about,
            about_name=self.name,
            predicate=row.predicate,
            value=json.loads(row.value or "{}"),
            qualifiers=json.loads(row.qualifiers),
            status=FactStatus(row.status),
            conflict_id=row.conflict_id,
            authority=Authority(row.authority),
            volatility=Volatility(row.volatility),
            confidence=row.confidence,
            valid_from=row.valid_from,
            valid_until=row.valid_until,
            last_confirmed=row.last_confirmed_at,
            recorded_from=row.first_said_at,
            sources=self.sources,
            closeness=Closeness(
                cosine=near.cosine,
                text_rank=near.text_rank,
                meaning=near.meaning,
                words=words,
                rarest=rarest,
            ),
        )


async def past_facts(
    transaction: Connection,
    project: str,
    memories: Sequence[str],
    about: str | None,
    catalogues: Catalogues,
    moment: int,
) -> list[PastFact]:
    """All facts of some memories at `moment` (epoch ms), by predicate, then by time."""
    groups = await past.groups_of(transaction, project, memories, about)
    said = await weighed_assertions(transaction, project, groups)
    decisions = await decisions_on_groups(transaction, said)
    erasures = await erasures_on_groups(transaction, said)
    states = await asyncio.to_thread(fold_groups, said, decisions, erasures, catalogues, moment)
    facts = [
        fact
        for state in states.values()
        for fact in state.facts
        if fact.status is not FactStatus.SCHEDULED
    ]
    names = await subjects.names_of(transaction, project, {fact.slot.about for fact in facts})
    return await asyncio.to_thread(_listed, facts, names)


def _listed(facts: Iterable[Fact], names: Mapping[str, str]) -> list[PastFact]:
    known = [PastFact(fact_row(fact), fact.sources, names.get(fact.slot.about)) for fact in facts]
    return sorted(known, key=_place)


async def past_candidates(
    transaction: Connection, search: Search, facts: Sequence[PastFact]
) -> list[FactCandidate]:
    """Those facts that may answer the query: the nearest by meaning, and by words.

    What was retired since has no vector any more: it comes after all that has one, the latest
    first.
    """
    servable = {fact.row.id: fact for fact in facts if _may_be_served(fact)}
    near = await past.closeness_of(transaction, search, [fact.row for fact in servable.values()])
    words, rarest = await asyncio.to_thread(_words_of, search, servable)
    by_meaning = sorted(near, key=lambda one: _place_by_meaning(one, servable[one.id]))
    by_words = sorted(
        (one for one in near if one.word_rank > 0), key=lambda one: (-one.word_rank, one.id)
    )
    by_rare_words = sorted(
        (one for one in near if words[one.id] > 0), key=lambda one: (-words[one.id], one.id)
    )
    arms = (
        by_meaning if search.meaning is not None else [],
        by_words if search.terms is None else by_rare_words,
    )
    found = {one.id: one for arm in arms for one in arm[: search.per_arm]}
    if search.contested:
        rivals = _rivals(found, servable)
        found |= {one.id: one for one in near if one.id in rivals}
    return [servable[one.id].candidate(one, words[one.id], rarest) for one in found.values()]


def _rivals(found: Iterable[str], servable: Mapping[str, PastFact]) -> set[str]:
    """All that contradicts one of what was found."""
    conflicts = {servable[id].row.conflict_id for id in found} - {None}
    return {id for id, fact in servable.items() if fact.row.conflict_id in conflicts}


def _place_by_meaning(near: PastCloseness, fact: PastFact) -> tuple[bool, float, int, str]:
    row = fact.row
    begun = row.first_said_at if row.valid_from is None else row.valid_from
    return near.cosine is None, -(near.cosine or 0.0), -begun, near.id


async def past_by_names(
    transaction: Connection,
    search: Search,
    facts: Sequence[PastFact],
    names: Sequence[str],
    known: Collection[str],
) -> list[FactCandidate]:
    """Those facts that mention one of the names and are not known, a few for each."""
    servable = {fact.row.id: fact for fact in facts if _may_be_served(fact)}
    rows = [fact.row for id, fact in servable.items() if id not in known]
    wanted = await past.mentioning(transaction, rows, names)
    if search.contested:
        wanted |= _rivals(wanted, servable)
    found = await past.closeness_of(transaction, search, [one for one in rows if one.id in wanted])
    words, rarest = await asyncio.to_thread(_words_of, search, servable)
    return [servable[one.id].candidate(one, words[one.id], rarest) for one in found]


def _words_of(search: Search, facts: Mapping[str, PastFact]) -> tuple[Mapping[str, float], float]:
    """How many rare words of the query each fact shares, among all of that moment.

    And what a word would bring that occurs nowhere else.
    """
    bm25 = Bm25([terms_of(fact.row.text) for fact in facts.values()])
    return dict(zip(facts, bm25.scores(search.terms_for("fact")), strict=True)), bm25.rarest


def _may_be_served(fact: PastFact) -> bool:
    is_contested = fact.row.conflict_id is not None
    return fact.row.status == FactStatus.ACTIVE or is_contested


async def weighed_assertions(
    transaction: Connection, project: str, groups: Collection[GroupKey]
) -> dict[GroupKey, list[Assertion]]:
    """Everything said in these groups of a project, weighed by identity as now known."""
    return await weigh(transaction, await stored_assertions(transaction, groups))


def _place(fact: PastFact) -> tuple[str, bool, int, int, str]:
    row = fact.row
    begun = row.valid_from
    return row.predicate, begun is not None, begun or 0, row.first_said_at, row.id
