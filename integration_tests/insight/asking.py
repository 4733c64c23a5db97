"""A lake in the test's own process whose source a model reads, too."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from cortex_insight.ask_model import AskParts, ModelAsker
from cortex_insight.enrich.rules import RuleEnricher
from cortex_insight.interpret import SourceConfig
from cortex_insight.model.openai import OpenaiModel
from cortex_insight.parser import Draft, Neighbours, ParseContext, Parsed, Reject
from cortex_insight.store.db import Database
from cortex_insight.store.model_usage import ModelMeter, Terms
from cortex_insight.store.sources import Sources
from lake_shells import ingest_on, recorder
from linked_source import SOURCE, LinkedParser, config, receipt
from roxabi_contracts import RawEvent
from roxabi_contracts.operations import QueueStats, SourcesReply, SourcesRequest

NOON: Final = datetime(2026, 5, 4, 12, tzinfo=UTC)


class SpokenParser(LinkedParser):
    """Every record is what the owner says."""

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        parsed = super().parse(event, neighbours, context)
        if isinstance(parsed, Reject):
            return parsed
        return Parsed(tuple(map(_spoken, parsed.drafts)))


def _spoken(draft: Draft) -> Draft:
    return replace(draft, speaker=0)


def asked(prompt: int | None = 1, parser: LinkedParser | None = None) -> SourceConfig:
    spoken = parser or SpokenParser()
    return replace(config(), parser=spoken, enricher=RuleEnricher(), prompt=prompt)


class AskingLake:
    """A lake with a model that reads its source."""

    def __init__(self, database: Database, model: OpenaiModel) -> None:
        self.database = database
        self.model = model
        self.now = NOON
        self.daily_tokens: int | None = None
        self.source = asked()

    def meter(self) -> ModelMeter:
        return ModelMeter(Terms("recorded", self.daily_tokens, 1.0, 10.0), lambda: self.now)

    def asker(self) -> ModelAsker:
        parts = AskParts(
            self.database,
            recorder(self.source),
            self.model,
            self.meter(),
            self.source.catalogues,
            {SOURCE},
            4,
            5.0,
        )
        return ModelAsker(parts)

    async def take(self, *events: RawEvent) -> None:
        await ingest_on(self.database, self.source).take([receipt(event) for event in events])

    async def ask_all(self) -> None:
        asker = self.asker()
        while await asker.ask_once():
            pass

    async def make_due(self) -> None:
        async with self.database.transaction() as transaction:
            await transaction.execute(b"UPDATE question SET due_at = now()", {})

    async def rows(self, table: bytes) -> int:
        async with self.database.transaction() as transaction:
            (row,) = await transaction.fetch(b"SELECT count(*) AS rows FROM " + table, {})
        rows: int = row["rows"]
        return rows

    async def figures(self) -> SourcesReply:
        return await Sources(self.database, self.meter()).answer(SourcesRequest(project="p"))

    async def waiting(self) -> QueueStats:
        (queue,) = [q for q in (await self.figures()).queues if q.name == "questions"]
        return queue
