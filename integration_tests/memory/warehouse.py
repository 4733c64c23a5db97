"""A warehouse in the test's own process: inbox, workers, dump."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from cortex_memory.calibrate.limits import StoredLimit
from cortex_memory.clock import now_ms
from cortex_memory.dump import dump_journal, dump_store
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.faults import FaultPoint, no_fault
from cortex_memory.judge_names import JudgeParts, NameJudge
from cortex_memory.kept_folds import KeptFolds
from cortex_memory.retain_batch import RetainParts
from cortex_memory.retain_worker import RetainWorker
from cortex_memory.store.db import Pool, connection, snapshot
from cortex_memory.store.inbox import Inbox
from cortex_memory.store.projects import ProjectKeys
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.observation import Observation


@dataclass(slots=True)
class FixedClock:
    """A clock that stands still until it is set."""

    moment: datetime = field(default_factory=lambda: from_epoch_ms(1_000_000))

    def now(self) -> datetime:
        """The moment that it was set to."""
        return self.moment


EMPTIED = [
    *(
        b"model_usage",
        b"predicate_verdict",
        b"observation",
        b"candidate",
        b"job",
        b"group_due",
        b"change_outbox",
        b"dead_letter",
    ),
    *(b"embedding_backlog", b"identifier", b"automatic_link", b"mention", b"relation"),
    *(b"subject_state", b"episode", b"assertion", b"fact", b"conflict_set", b"outcome_count"),
    b"decision",
    b"identity_link",
]
"""Every table but that of the projects' keys; what hangs on these goes with them."""


class Warehouse:
    """Everything between the stream and the answers, on one database."""

    def __init__(
        self,
        pool: Pool,
        *,
        fault: FaultPoint = no_fault,
        clock: FixedClock | None = None,
        folds: KeptFolds | None = None,
        embedding: EmbeddingService | None = None,
        limits: Sequence[StoredLimit] = (),
        catalogues: Catalogues | None = None,
    ) -> None:
        self.pool = pool
        self.clock = clock or FixedClock()
        catalogues = catalogues or Catalogues()
        keys = ProjectKeys(b"the key of the tests", catalogues)
        judging = JudgeParts(pool, self.clock, keys, catalogues, limits, embedding)
        self.parts = RetainParts(
            pool=pool,
            clock=self.clock,
            keys=keys,
            catalogues=catalogues,
            judge=NameJudge(judging),
            fault=fault,
            folds=folds or KeptFolds(),
        )
        self.inbox = Inbox(pool, self.parts.keys, fault)

    def worker(self) -> RetainWorker:
        """One more worker, with its own memory of keys."""
        keys = ProjectKeys(b"the key of the tests", self.parts.catalogues)
        return RetainWorker(replace(self.parts, keys=keys))

    async def drain(self, workers: int = 1) -> None:
        """Let workers work until there is nothing left to do now."""

        async def work(worker: RetainWorker) -> None:
            while await worker.run_once():
                pass

        await asyncio.gather(*(work(self.worker()) for _ in range(workers)))

    async def retain(self, *batches: Iterable[Observation], workers: int = 1) -> None:
        """Take in batches and retain each before the next."""
        for batch in batches:
            await self.inbox.store(list(batch))
            await self.drain(workers)

    async def dump(self) -> list[bytes]:
        """What the store says."""
        async with snapshot(self.pool) as transaction:
            return await dump_store(transaction, None)

    async def reference(self) -> list[bytes]:
        """What follows from the journal."""
        now = now_ms(self.clock)
        async with snapshot(self.pool) as transaction:
            return await dump_journal(transaction, None, self.parts.catalogues, now)

    async def rows(self, statement: bytes) -> Sequence[tuple[object, ...]]:
        """What a statement of the test's own answers."""
        async with connection(self.pool) as transaction:
            return await (await transaction.execute(statement)).fetchall()

    async def facts(self) -> list[tuple[str, str, str]]:
        """Predicate, text and status of every fact, sorted."""
        rows = await self.rows(b"SELECT predicate, text, status FROM fact ORDER BY 1, 2, 3")
        return [
            (str(name), str(text).removeprefix(f"{str(name).replace('_', ' ')} "), str(status))
            for name, text, status in rows
        ]

    async def clear(self) -> None:
        """Forget everything, the journal too."""
        async with connection(self.pool) as transaction:
            for table in EMPTIED:
                await transaction.execute(b"DELETE FROM " + table)

    async def rows_without_answer(self, statement: bytes) -> None:
        """Run a statement of the test's own."""
        async with connection(self.pool) as transaction:
            await transaction.execute(statement)
