"""A warehouse in the test's own process that asks a model before it retains."""

import asyncio

from cortex_memory.ask_model import AskParts, ModelAsker
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.extractor.port import ModelExtractor
from cortex_memory.load_question import QuestionLoader
from cortex_memory.store.db import Pool, connection
from cortex_memory.store.inbox import Inbox
from cortex_memory.store.model_usage import ModelMeter, Terms
from memory.observing import PROJECT
from memory.warehouse import FixedClock, Warehouse
from roxabi_contracts.operations import ModelUsage


class AskingWarehouse(Warehouse):
    """A warehouse whose inbox lets observations wait for a model."""

    def __init__(self, pool: Pool, model: ModelExtractor, clock: FixedClock) -> None:
        super().__init__(pool, clock=clock)
        self.model = model
        self.terms = Terms("recorded")
        self.inbox = Inbox(pool, self.parts.keys, asks_model=True)

    def meter(self) -> ModelMeter:
        """What counts the tokens, under the terms of the moment."""
        return ModelMeter(self.terms, self.clock)

    def asker(self, at_once: int = 4) -> ModelAsker:
        """One more asker."""
        service = EmbeddingService(lambda: None)
        loader = QuestionLoader(self.pool, self.parts.keys, service)
        parts = AskParts(self.pool, loader, self.model, self.meter(), at_once, timeout=10)
        return ModelAsker(parts, asyncio.Event())

    async def ask_and_drain(self, rounds: int = 10) -> None:
        """Ask and retain, one after the other, until nothing changes any more."""
        asker = self.asker()
        for _ in range(rounds):
            await asker.run_once()
            await self.drain()

    async def usage(self) -> ModelUsage:
        """What was spent on the tests' project."""
        async with connection(self.pool) as transaction:
            return await self.meter().usage(transaction, PROJECT)

    async def failures(self) -> list[tuple[object, ...]]:
        """State, attempts and reason of the jobs that failed."""
        failed = b"SELECT state, attempts, error FROM job WHERE state = 'failed'"
        return list(await self.rows(failed))

    async def make_due(self) -> None:
        """Let the delay of failed jobs pass."""
        await self.rows_without_answer(b"UPDATE job SET due_at = now() WHERE due_at < 'infinity'")
