"""Computes everything that is derived once more, from the journal alone, while all goes on."""

import sys
from collections.abc import Callable
from functools import partial

from cortex_memory.faults import Step
from cortex_memory.refold_job import RefoldJob, Rules
from cortex_memory.retain.turnover import Turnover, census_of
from cortex_memory.retain_batch import RetainParts, rules_of
from cortex_memory.retain_job import RetainJob
from cortex_memory.store import rebuild as store
from cortex_memory.store.apply import enter
from cortex_memory.store.db import Connection, connection
from cortex_memory.store.erase_content import erase_content
from cortex_memory.store.evidence import ObservationReader
from cortex_memory.store.identities import IdentityChanges
from cortex_memory.store.jobs import Job
from cortex_memory.store.locks import lock_projects, lock_subjects
from cortex_memory.store.projects import all_projects, note_rebuilt
from cortex_memory.store.rebuild import Memory

Progress = Callable[[int, int], None]
"""Told how many observations are done, of how many."""


async def rebuild(parts: RetainParts, project: str | None, tell: Progress) -> None:
    """Compute a project, or all of them, anew; what is right already is left as it is.

    Who is who comes first, while nothing else is retained in the project; then each memory under
    its own lock. Every step is one transaction that leaves a memory whole, so nobody ever reads
    half of one, and an interrupted rebuild has only to be repeated.

    Raises:
        StoreUnavailable: the database went away.
        EmbeddingFailed: names wait for the verdict of a model that does not answer.
    """
    async with connection(parts.pool) as transaction:
        projects = [project] if project is not None else await all_projects(transaction)
    for each in projects:
        await _ProjectRebuild(each, parts).run(tell)


class _ProjectRebuild:
    def __init__(self, project: str, parts: RetainParts) -> None:
        self._project = project
        self._parts = parts

    async def run(self, tell: Progress) -> None:
        memories = await self._parts.judge.judged(self._rebuild_identities)
        total = sum(len(memory.observations) for memory in memories)
        done = 0
        tell(done, total)
        for memory in memories:
            await self._rebuild_memory(memory)
            done += len(memory.observations)
            tell(done, total)
        await self._note_catalogue()

    async def _note_catalogue(self) -> None:
        """Only now is all of it computed by the catalogue that holds."""
        catalogue = self._parts.catalogues.for_project(self._project)
        async with connection(self._parts.pool) as transaction:
            await note_rebuilt(transaction, self._project, catalogue.digest)

    async def _rebuild_identities(self) -> list[Memory]:
        """Find out anew who is who, and rebuild at once whose memory that concerns."""
        async with connection(self._parts.pool) as transaction:
            await lock_projects(transaction, [self._project], owned=True)
            rules = await rules_of(self._parts, transaction, [self._project])
            counted = [
                Turnover(seen, None)
                async for seen in store.counted_observations(transaction, self._project)
            ]
            census = census_of(counted, rules.keys[self._project])
            moved = await store.recount_identities(transaction, self._project, census)
            memories = await store.memories_of(transaction, self._project)
            names = {memory.memory for memory in memories}
            strays = await store.stray_memories(transaction, self._project, names)
            concerned = {entity for one in moved for entity in (one.before, one.entity)} | strays
            await store.clear_memories(transaction, self._project, concerned)
            for memory in memories:
                if memory.memory in concerned:
                    await self._compute(transaction, rules, memory, owned=True)
            self._parts.fault(Step.BEFORE_REBUILT_IDENTITIES_COMMIT)
        self._parts.fault(Step.AFTER_REBUILT_IDENTITIES_COMMIT)
        return memories

    async def _rebuild_memory(self, memory: Memory) -> None:
        judged = self._parts.judge.judged
        try:
            await judged(partial(self._rebuild_under_lock, memory, owned=False))
        except IdentityChanges:
            await judged(partial(self._rebuild_under_lock, memory, owned=True))

    async def _rebuild_under_lock(self, memory: Memory, *, owned: bool) -> None:
        async with connection(self._parts.pool) as transaction:
            await lock_projects(transaction, [self._project], owned=owned)
            await lock_subjects(transaction, {(self._project, memory.memory)})
            rules = await rules_of(self._parts, transaction, [self._project])
            await self._compute(transaction, rules, memory, owned=owned)
            self._parts.fault(Step.BEFORE_REBUILT_MEMORY_COMMIT)
        self._parts.fault(Step.AFTER_REBUILT_MEMORY_COMMIT)

    async def _compute(
        self, transaction: Connection, rules: Rules, memory: Memory, *, owned: bool
    ) -> None:
        """Let count what should, and write what follows from it where it is stored otherwise."""
        locked = None if owned else {(self._project, memory.memory)}
        jobs = self._jobs(await store.up_to_date(transaction, self._project, memory))
        job = RetainJob(transaction, rules, ObservationReader(), locked)
        await job.retain(jobs)
        derived = await job.derive(jobs)
        await store.repair_episodes(transaction, self._project, memory.memory, derived.episodes)
        await store.distrust_damaged(transaction, self._project, memory.memory)
        groups = await store.clear_said(transaction, self._project, memory.memory)
        await enter(transaction, [], derived.relations)
        refold = RefoldJob(transaction, rules)
        await refold.refold(groups, derived.said)
        await erase_content(transaction, refold.covered, rules.keys)

    def _jobs(self, memory: Memory) -> list[Job]:
        return [
            Job(self._project, each, memory.subject_identifier, 0) for each in memory.observations
        ]


def progress_on_stderr() -> Progress:
    """A line for each percent."""
    shown = -1

    def tell(done: int, total: int) -> None:
        nonlocal shown
        percent = 100 * done // max(total, 1)
        if percent != shown:
            sys.stderr.write(f"rebuilt {done} of {total} observations\n")
            sys.stderr.flush()
            shown = percent

    return tell
