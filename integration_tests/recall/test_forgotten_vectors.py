"""What is erased is held nowhere: not by who erased it, nor by who carries it on."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import numpy as np
import pytest
from cortex_memory import vector_shelves
from cortex_memory.bus.forget import ForgetParts, ForgetWorker
from cortex_memory.faults import no_fault
from cortex_memory.recall.search import Search
from cortex_memory.store import forgetting
from cortex_memory.store.db import connection
from cortex_memory.store.forgetting import Forgetting
from cortex_memory.trace_log import TraceLog
from cortex_memory.vector_shelves import VectorShelves
from memory.observing import BOB, PROJECT, claim, observe
from memory.warehouse import Warehouse
from recall.shelving import MEGABYTE, embed, held, search
from roxabi_contracts.client import Connection
from roxabi_contracts.errors import ContractError
from roxabi_contracts.upkeep import ForgetMode, ForgetScope
from services import Broker

SAID = [observe(claim("uses", f"tool {at}"), at=at, ref=f"{at}") for at in range(1, 6)]


@dataclass
class Holder:
    """A service that forgets, and holds the vectors of what was said."""

    worker: ForgetWorker
    shelves: VectorShelves

    async def holds(self, asked: Search) -> bool:
        return await self.shelves.propose(asked, "episode") is not None


def holder(warehouse: Warehouse, broker: Connection) -> Holder:
    parts = warehouse.parts
    shelves = VectorShelves(warehouse.pool, MEGABYTE)
    traces = TraceLog(warehouse.pool)
    forgets = ForgetParts(
        warehouse.pool, parts.clock, parts.keys, parts.catalogues, traces, shelves, no_fault
    )
    return Holder(ForgetWorker(broker, forgets), shelves)


@pytest.fixture
async def asked(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> Search:
    """A search in a memory of which something is to be forgotten."""
    monkeypatch.setattr(vector_shelves, "LEAST_HELD", 1)
    await warehouse.retain(SAID)
    rows = await warehouse.rows(b"SELECT subject, observation_id FROM episode")
    subject = str(rows[0][0])
    async with connection(warehouse.pool) as transaction:
        vectors = [(str(id), np.ones(3)) for _, id in rows]
        await embed(transaction, "episode", subject, vectors, project=PROJECT)
        request = Forgetting(
            project=PROJECT,
            id="a request",
            subject=subject,
            scope=ForgetScope.SUBJECT,
            target=None,
            mode=ForgetMode.ERASE,
            requested_by="tester",
            requested_at=100,
        )
        await forgetting.ask(transaction, request)
    return replace(search(subject, vector=[1, 0, 0]), project=PROJECT)


@pytest.fixture
async def memory(broker: Broker) -> AsyncIterator[Connection]:
    async with broker.connected("memory") as opened:
        yield opened


async def test_who_erased_it_holds_it_no_more(
    warehouse: Warehouse, memory: Connection, asked: Search
) -> None:
    one = holder(warehouse, memory)
    await held(one.shelves, asked, "episode")
    assert await one.worker.step()
    assert not await one.holds(asked)
    await one.shelves.close()


async def test_nor_does_who_carries_on_after_it_was_erased(
    warehouse: Warehouse, memory: Connection, asked: Search
) -> None:
    """As after a commit of which no news came, or one by another process."""
    one, other = holder(warehouse, memory), holder(warehouse, memory)
    await held(other.shelves, asked, "episode")
    assert await one.worker.step()
    with pytest.raises(ContractError):  # there is no lake
        await other.worker.step()
    assert not await other.holds(asked)
    await other.shelves.close()


async def test_what_is_held_stays_while_the_lake_is_waited_for(
    warehouse: Warehouse, memory: Connection, asked: Search
) -> None:
    one = holder(warehouse, memory)
    assert await one.worker.step()
    with pytest.raises(ContractError):
        await one.worker.step()
    await warehouse.retain([observe(claim("uses", "Vim"), at=7, ref="later", actors=[BOB])])
    ((subject, id),) = await warehouse.rows(b"SELECT subject, observation_id FROM episode")
    async with connection(warehouse.pool) as transaction:
        vectors = [(str(id), np.ones(3))]
        await embed(transaction, "episode", str(subject), vectors, project=PROJECT)
    others = replace(asked, subjects=(str(subject),))
    await held(one.shelves, others, "episode")
    with pytest.raises(ContractError):
        await one.worker.step()
    assert await one.holds(others)
    await one.shelves.close()
