"""Queries get their vectors in time, or it is said that they have none."""

import time
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from cortex_memory.embed import service as services
from cortex_memory.embed.port import EmbeddingFailed, Vector
from cortex_memory.embed.service import REMEMBERED_QUERIES, EmbeddingService


class Model:
    """Does what it is told for every query, and counts them."""

    name, digest, dimensions = "model", "1", 2

    def __init__(self, do: Callable[[], object]) -> None:
        self._do = do
        self.asked: list[str] = []

    def embed_query(self, text: str) -> Vector:
        self.asked.append(text)
        self._do()
        return np.array([1, 0], dtype=np.float32)

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        return [self.embed_query(text) for text in texts]


def serving(model: Model) -> EmbeddingService:
    service = EmbeddingService(lambda: model)
    service.embedder = model
    return service


async def test_a_query_that_takes_too_long_has_no_vector(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "QUERY_SECONDS", 0.01)
    slow = Model(lambda: time.sleep(0.2))
    with serving(slow) as service, pytest.raises(EmbeddingFailed, match=r"within 0\.01 s"):
        await service.embed_query("hello")


async def test_a_fault_of_the_model_that_nobody_foresaw_costs_the_vector_alone() -> None:
    broken = Model(lambda: 1 // 0)
    with serving(broken) as service, pytest.raises(EmbeddingFailed, match="ZeroDivisionError"):
        await service.embed_query("hello")


async def test_the_latest_queries_are_remembered_and_no_more() -> None:
    model = Model(lambda: None)
    with serving(model) as service:
        for number in range(REMEMBERED_QUERIES):
            await service.embed_query(f"query {number}")
        await service.embed_query("query 0")
        assert len(model.asked) == REMEMBERED_QUERIES
        await service.embed_query("one more")
        await service.embed_query("query 0")
        await service.embed_query("query 1")
    assert model.asked[REMEMBERED_QUERIES:] == ["one more", "query 1"]
