"""A chat endpoint, and a model behind it."""

from collections.abc import AsyncGenerator, Callable, Iterator
from datetime import UTC, datetime
from typing import TypeAlias

import pytest
from cortex_memory.extractor.openai import ModelEndpoint, OpenaiExtractor, read_prompt
from extractor.chat_endpoint import ChatEndpoint, serving
from roxabi_contracts.catalogues import Catalogues

MakeModel: TypeAlias = Callable[..., OpenaiExtractor]


class FixedClock:
    """A clock that stands still."""

    def now(self) -> datetime:
        """The moment of the tests."""
        return datetime(2026, 5, 4, 12, 0, 0, tzinfo=UTC)


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatEndpoint]:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    with serving() as server:
        yield server


@pytest.fixture
async def make_model(endpoint: ChatEndpoint) -> AsyncGenerator[MakeModel]:
    """Opens models on the endpoint."""
    opened: list[OpenaiExtractor] = []

    def make(
        prompt: str | None = None,
        *,
        structured: bool = True,
        catalogues: Catalogues | None = None,
    ) -> OpenaiExtractor:
        where = ModelEndpoint("some-model", endpoint.url, structured=structured, timeout=0.5)
        text = read_prompt(None) if prompt is None else prompt
        opened.append(OpenaiExtractor(where, text, 1, catalogues or Catalogues(), FixedClock()))
        return opened[-1]

    yield make
    for model in opened:
        await model.close()


@pytest.fixture
def model(make_model: MakeModel) -> OpenaiExtractor:
    """A model with the prompt that is shipped."""
    return make_model()
