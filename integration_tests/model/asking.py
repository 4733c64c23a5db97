"""A warehouse in the test's own process that asks a model before it retains."""

import asyncio

from cortex_memory.ask_model import AskParts, ModelAsker
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.extractor.port import ModelExtractor
from cortex_memory.load_question import QuestionLoader
from cortex_memory.store.db import Pool
from cortex_memory.store.inbox import Inbox
from cortex_memory.store.model_usage import ModelMeter, Terms
from memory.warehouse import FixedClock, Warehouse


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
