"""Loads what may answer a question: facts and episodes, and facts one hop further."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from roxabi_contracts.catalogues import Catalogues

from cortex_memory.recall.candidate import EpisodeCandidate, FactCandidate, Kind
from cortex_memory.recall.search import Proposals, Search
from cortex_memory.recall_past import PastFact, past_by_names, past_candidates, past_facts
from cortex_memory.store import candidates
from cortex_memory.store.db import Connection, Pool, reading
from cortex_memory.vector_shelves import VectorShelves


@dataclass(frozen=True, slots=True)
class Found:
    """What may answer; `past` are all facts of the moment asked for, if one was."""

    facts: Sequence[FactCandidate]
    episodes: Sequence[EpisodeCandidate]
    past: Sequence[PastFact] = ()


class CandidateLoader:
    """Loads candidates over a pool of connections, facts and episodes at the same time.

    Args:
        pool: Of those who search; a question takes two connections.
        catalogues: The predicates of each project, for memory as it was.
        shelves: Proposes what is near; null: the store measures all.
    """

    def __init__(
        self, pool: Pool, catalogues: Catalogues, shelves: VectorShelves | None = None
    ) -> None:
        self._pool = pool
        self._catalogues = catalogues
        self._shelves = shelves

    async def load(self, search: Search) -> Found:
        """The facts and episodes that may answer.

        Raises:
            StoreUnavailable: the database is down.
        """
        episodes, (facts, past) = await asyncio.gather(self._episodes(search), self._facts(search))
        return Found(facts, episodes, past)

    async def load_named(
        self, search: Search, found: Found, names: Sequence[str]
    ) -> list[FactCandidate]:
        """A few more facts for each name, which mention it.

        Raises:
            StoreUnavailable: the database is down.
        """
        known = [fact.id for fact in found.facts]
        async with reading(self._pool) as transaction:
            if search.until is not None:
                return await past_by_names(transaction, search, found.past, names, known)
            named = await candidates.find_by_names(transaction, search, names, known)
            return await _with_rivals(transaction, search, named)

    async def _facts(self, search: Search) -> tuple[list[FactCandidate], list[PastFact]]:
        proposals = await self._proposals(search, "fact")
        async with reading(self._pool) as transaction:
            if search.until is None:
                facts = await candidates.find_facts(transaction, search, proposals)
                return await _with_rivals(transaction, search, facts), []
            past = await past_facts(
                transaction,
                search.project,
                search.subjects,
                search.about,
                self._catalogues,
                search.until,
            )
            return await past_candidates(transaction, search, past), past

    async def _episodes(self, search: Search) -> list[EpisodeCandidate]:
        proposals = await self._proposals(search, "episode")
        async with reading(self._pool) as transaction:
            return await candidates.find_episodes(transaction, search, proposals)

    async def _proposals(self, search: Search, kind: Kind) -> Proposals | None:
        return None if self._shelves is None else await self._shelves.propose(search, kind)


async def _with_rivals(
    transaction: Connection, search: Search, facts: list[FactCandidate]
) -> list[FactCandidate]:
    """The facts, and all that contradicts one of them where that is shown."""
    conflicts = {fact.conflict_id for fact in facts if fact.conflict_id is not None}
    if not (search.contested and conflicts):
        return facts
    known = {fact.id for fact in facts}
    rivals = await candidates.find_rivals(transaction, search, sorted(conflicts))
    return [*facts, *(rival for rival in rivals if rival.id not in known)]
