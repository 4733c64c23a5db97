"""Times that a question names find what was said then, whatever else is nearer."""

from datetime import UTC, datetime

import pytest
from cortex_memory.answer_context import ContextAnswerer
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.store.db import Pool
from cortex_memory.trace_log import TraceLog
from memory.warehouse import FixedClock
from recall.rows import DAY, PROJECT, EmbedAll, Rows
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.context import ContextRequest

WEDNESDAY = datetime(2026, 3, 11, 15, tzinfo=UTC)
NEARER = 150
"""More than any other arm of the search takes."""


@pytest.fixture
def asked_on_wednesday(
    pool: Pool, embedding: EmbeddingService, traces: TraceLog
) -> ContextAnswerer:
    clock = FixedClock(WEDNESDAY)
    return ContextAnswerer(pool, clock, Catalogues(), embedding, traces)


async def test_what_was_said_then_is_found_among_much_that_is_nearer(
    rows: Rows, asked_on_wednesday: ContextAnswerer, traces: TraceLog, embed_all: EmbedAll
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    now = epoch_ms(WEDNESDAY)
    for number in range(NEARER):
        text = f"Alice did the garden work number {number}: what a lot of garden work!"
        await rows.episode(alice, text, said_at=now - (60 + number) * DAY)
    said = {
        days: await rows.episode(alice, text, said_at=now - days * DAY)
        for days, text in {
            1: "The invoice of the plumber was paid.",
            5: "Two tickets for the opera arrived.",
            8: "The lease runs for three years.",
        }.items()
    }
    await embed_all()
    for question, days in (
        ("What garden work did Alice do?", None),
        ("What garden work did Alice do yesterday?", 1),
        ("What garden work did Alice do on Friday?", 5),
        ("What garden work did Alice do last week?", 8),
        ("What garden work did Alice do on 3 March?", 8),
        ("Quel travail de jardin Alice a-t-elle fait hier ?", 1),
        ("Quel travail de jardin Alice a-t-elle fait vendredi ?", 5),
        ("Quel travail de jardin Alice a-t-elle fait la semaine dernière ?", 8),
    ):
        request = ContextRequest(project=PROJECT, subjects=("alice@acme.com",), query=question)
        packet = await asked_on_wednesday.answer(request)
        assert packet.trace_id is not None
        trace = await traces.find(PROJECT, packet.trace_id)
        assert trace is not None
        then = {one.id for one in trace.candidates if one.terms["time"] > 0}
        assert (said.get(days or 0) in then) == (days is not None), question
        assert bool(then & set(said.values())) == (days is not None), question
        served = [one.event_id for one in packet.episodes]
        assert days is None or said[days] in served, question
