"""The service as a process asks the model that its settings name."""

from collections.abc import Generator
from pathlib import Path

import pytest
from cortex_local.state import Endpoints
from model.recorded_endpoint import INPUT_TOKENS, OUTPUT_TOKENS, RecordedEndpoint
from polling import NotYet, eventually
from roxabi_contracts.operations import FactStatus
from samples import notes
from stack import Stack

MILLER = "My name is Ann Miller."
BERGER = "Since the wedding I am called Ann Berger, no longer Miller."


@pytest.fixture
def asking_stack(
    endpoints: Endpoints,
    environment: dict[str, str],
    endpoint: RecordedEndpoint,
    tmp_path: Path,
) -> Generator[Stack]:
    """Both services, with a model behind memory."""
    model = {
        "OPENAI_API_KEY": "a-key",
        "CORTEX_MEMORY_EXTRACTOR": "openai",
        "CORTEX_MEMORY_EXTRACTOR_MODEL": "recorded",
        "CORTEX_MEMORY_EXTRACTOR_URL": endpoint.url,
        "CORTEX_MEMORY_EXTRACTOR_DAILY_TOKENS": "1000",
        "CORTEX_MEMORY_EXTRACTOR_INPUT_PRICE": "1",
        "CORTEX_MEMORY_EXTRACTOR_OUTPUT_PRICE": "10",
    }
    stack = Stack(endpoints, environment | model, tmp_path)
    try:
        yield stack
    finally:
        stack.end()


async def test_a_name_that_changed_is_served_alone(
    asking_stack: Stack, endpoint: RecordedEndpoint
) -> None:
    await asking_stack.start()
    await asking_stack.publish(notes(MILLER, BERGER))
    _, stats = await asking_stack.drained()

    names = {
        str(fact.value and fact.value["value"]): fact.status
        for fact in await asking_stack.facts()
        if fact.predicate == "family_name"
    }
    assert names == {"Berger": FactStatus.ACTIVE, "Miller": FactStatus.SUPERSEDED}
    assert endpoint.texts() == [MILLER, BERGER]
    assert stats.model is not None
    assert stats.model.requests == 2
    assert stats.model.budget_left == 1000 - 2 * (INPUT_TOKENS + OUTPUT_TOKENS)
    assert stats.model.cost == pytest.approx(2 * (INPUT_TOKENS + 10 * OUTPUT_TOKENS) / 1e6)

    before = asking_stack.dump()
    asking_stack.memory.run("rebuild")
    await asking_stack.drained()
    assert asking_stack.dump() == before
    assert len(endpoint.documents) == 2
    asking_stack.stop()
    assert "a-key" not in asking_stack.memory.log()


async def test_what_a_model_of_the_lake_reads_memory_asks_nobody_about(
    asking_stack: Stack, endpoint: RecordedEndpoint
) -> None:
    asking_stack.memory.start()
    asking_stack.insight.start(
        CORTEX_INSIGHT_ENRICHERS='{"message": "openai"}',
        CORTEX_INSIGHT_ENRICHER_MODEL="recorded",
        CORTEX_INSIGHT_ENRICHER_URL=endpoint.url,
    )
    await asking_stack.answering()
    await asking_stack.publish(notes(MILLER, BERGER))

    async def answered() -> None:
        sources, _ = await asking_stack.figures()
        waiting = {queue.name: queue.waiting for queue in sources.queues}
        if sources.model is None or sources.model.requests < 2 or waiting["questions"]:
            raise NotYet(f"{sources.model}, {waiting}")

    await eventually("the answers", answered)
    _, stats = await asking_stack.drained()

    assert [document.get("observation") for document in endpoint.documents] == [None, None]
    assert stats.model is not None
    assert stats.model.requests == 0
    names = {str(fact.value and fact.value["value"]) for fact in await asking_stack.facts()}
    assert {"Berger", "Miller"} <= names
    asking_stack.stop()
    assert "a-key" not in asking_stack.insight.log()


async def test_a_source_that_nobody_reads_has_no_enricher(asking_stack: Stack) -> None:
    asking_stack.insight.start(CORTEX_INSIGHT_ENRICHERS='{"carrier-pigeon": "openai"}')
    assert await asking_stack.insight.ended() == 1
    assert "carrier-pigeon" in asking_stack.insight.log()


async def test_a_setting_that_cannot_be_is_said_at_the_start(
    asking_stack: Stack, tmp_path: Path
) -> None:
    asking_stack.memory.start(CORTEX_MEMORY_EXTRACTOR_PROMPT=str(tmp_path / "nowhere.md"))
    assert await asking_stack.memory.ended() == 1
    assert "nowhere.md" in asking_stack.memory.log()
