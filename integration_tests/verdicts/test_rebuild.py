"""A rebuild has names judged on which nobody has decided, as if they met for the first time."""

import pytest
from cortex_memory.embed.port import Embedder, EmbedderUnavailable, EmbeddingFailed
from cortex_memory.embed.service import EmbeddingOnDemand
from cortex_memory.rebuild import rebuild
from memory.warehouse import Warehouse
from verdicts.test_judging import LIMITS, SmallModel, is_the_reference, opened, says, verdicts


async def test_a_rebuild_judges_what_nobody_has(warehouse: Warehouse) -> None:
    await warehouse.retain([says("yawl_count", "3", 1)], [says("number_of_yawls", "4", 2)])
    expected = await warehouse.dump()
    await warehouse.rows_without_answer(b"DELETE FROM predicate_verdict")
    await rebuild(warehouse.parts, None, lambda done, total: None)

    assert await warehouse.dump() == expected
    assert await is_the_reference(warehouse)


class Opening:
    """A model that is opened on demand, and how often it was."""

    def __init__(self, model: Embedder | None) -> None:
        self._model = model
        self.times = 0

    def __call__(self) -> Embedder:
        self.times += 1
        if self._model is None:
            raise EmbedderUnavailable("the model is away")
        return self._model


async def rebuilt(warehouse: Warehouse, opening: Opening) -> None:
    """A rebuild that may ask a model, on what the warehouse holds."""
    with EmbeddingOnDemand(opening) as embedding:
        asking = Warehouse(warehouse.pool, embedding=embedding, limits=LIMITS)
        await rebuild(asking.parts, None, lambda done, total: None)


FLEET = [says("yawl_shade", "red", 1), says("hue_of_hull", "blue", 2), says("yawl_age", "9", 3)]
MEANINGS = {"yawl shade": 0, "hue of hull": 0, "yawl age": 1}


async def test_a_rebuild_asks_the_model_what_nobody_has_decided(warehouse: Warehouse) -> None:
    """It gives what a memory with the model would have had from the beginning."""
    async with opened(SmallModel(MEANINGS)) as embedding:
        asking = Warehouse(warehouse.pool, embedding=embedding, limits=LIMITS)
        await asking.retain(*([said] for said in FLEET))
    expected, decided = await warehouse.dump(), await verdicts(warehouse)
    await warehouse.clear()
    await warehouse.retain(*([said] for said in FLEET))
    assert await warehouse.dump() != expected
    opening = Opening(SmallModel(MEANINGS))

    await rebuilt(warehouse, opening)

    assert opening.times == 1
    assert await verdicts(warehouse) == decided
    assert await warehouse.dump() == expected == await warehouse.reference()


async def test_a_rebuild_opens_no_model_where_all_is_decided(warehouse: Warehouse) -> None:
    await warehouse.retain(FLEET)
    await rebuilt(warehouse, Opening(SmallModel(MEANINGS)))
    before = await warehouse.dump()
    again = Opening(SmallModel(MEANINGS))

    await rebuilt(warehouse, again)

    assert again.times == 0
    assert await warehouse.dump() == before


async def test_a_rebuild_whose_model_is_away_says_so_and_is_repeated(warehouse: Warehouse) -> None:
    await warehouse.retain(FLEET)
    before = await warehouse.dump()
    with pytest.raises(EmbeddingFailed, match="the model is away"):
        await rebuilt(warehouse, Opening(None))
    assert await warehouse.dump() == before

    await rebuilt(warehouse, Opening(SmallModel(MEANINGS)))

    assert [status for _, _, status in await warehouse.facts()].count("active") == 2
    assert await is_the_reference(warehouse)
