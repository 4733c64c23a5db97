"""What was remembered or was being written when persons say who is who does not go stale."""

import asyncio

import pytest
from cortex_memory.obey_link import LinkObeyer
from cortex_memory.store.db import Pool, connection
from decisions.operator import ANN_KEY, BOB_KEY, saying
from memory.observing import ANN, BOB, actor, claim, observe
from memory.test_growth import CountingFolds
from memory.warehouse import Warehouse
from polling import NotYet, eventually
from roxabi_contracts.actor import ActorRef, ActorRole
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.identities import LinkAction
from roxabi_contracts.observation import Observation, Origin

OWNER = actor(ANN_KEY, role=ActorRole.OWNER)
HOME = "email:ann.bee@gmail.com"
WORK = "account:chat:17"
TWICE_BOB = "rob@forest.org"


def of(key: str, town: str, at: int) -> Observation:
    """Somebody says in Ann's memory where they live."""
    return observe(
        claim("lives_in", town, about=0),
        at=at,
        ref=f"{at}",
        actors=[actor(key, name="Ann Bee"), OWNER],
        subject=1,
        origin=Origin.THIRD_PARTY,
    )


def by(owner: ActorRef, pet: str, at: int) -> Observation:
    """The owner of a memory says what pet they have."""
    return observe(claim("pet", pet), at=at, ref=f"{at}", actors=[owner])


async def link(warehouse: Warehouse, action: LinkAction, first: str, second: str, at: int) -> None:
    obeyer = LinkObeyer(warehouse.pool, warehouse.clock, Catalogues(), warehouse.parts.keys)
    await obeyer.link(saying(action, first, second, at=at))


async def is_the_reference(warehouse: Warehouse) -> bool:
    return await warehouse.dump() == await warehouse.reference()


def taken(warehouse: Warehouse) -> int:
    assert isinstance(warehouse.parts.folds, CountingFolds)
    return warehouse.parts.folds.taken


KEPT = {
    "those of whom it is": (
        [[of(HOME, "Oslo", 1), of(WORK, "Rome", 2)], [of(HOME, "Bern", 3), of(WORK, "Bonn", 4)]],
        (HOME, WORK),
        [of(HOME, "Lyon", 21), of(WORK, "Nice", 22)],
        [of(HOME, "Metz", 31), of(WORK, "Caen", 32)],
    ),
    "those whose memory it is": (
        [
            [by(BOB, "cat", 1), by(actor(TWICE_BOB), "dog", 2)],
            [by(BOB, "hen", 3), by(actor(TWICE_BOB), "cow", 4)],
        ],
        (BOB_KEY, TWICE_BOB),
        [by(BOB, "cat", 21), by(actor(TWICE_BOB), "owl", 22)],
        [by(BOB, "hen", 31), by(actor(TWICE_BOB), "bat", 32)],
    ),
}


@pytest.mark.parametrize("linked", KEPT)
async def test_a_kept_fold_is_stale_once_its_people_are_linked_or_unlinked(
    pool: Pool, linked: str
) -> None:
    before, ends, while_one, once_two = KEPT[linked]
    warehouse = Warehouse(pool, folds=CountingFolds())
    await warehouse.retain(*before)
    kept = taken(warehouse)
    assert kept, "nothing was kept that could go stale"

    await link(warehouse, LinkAction.LINK, *ends, at=10)
    await warehouse.retain(while_one)
    assert await is_the_reference(warehouse)
    assert taken(warehouse) == kept, "a fold of before the link was gone on with"

    await link(warehouse, LinkAction.UNLINK, *ends, at=11)
    await warehouse.retain(once_two)
    assert await is_the_reference(warehouse)
    assert taken(warehouse) == kept, "a fold of before the link was taken back was gone on with"


async def test_a_link_and_the_first_naming_of_its_key_wait_for_each_other(
    warehouse: Warehouse,
) -> None:
    """The key is written and not committed when a person links it."""
    await warehouse.retain([of(HOME, "Oslo", 1), by(ANN, "cat", 2)])
    await warehouse.inbox.store([of(WORK, "Rome", 3)])
    async with connection(warehouse.pool) as transaction:
        await transaction.execute(b"SELECT FROM identifier WHERE value = %s FOR UPDATE", [ANN_KEY])
        retaining = asyncio.create_task(warehouse.drain())
        await waiting(warehouse, 1)
        linking = asyncio.create_task(link(warehouse, LinkAction.LINK, HOME, WORK, at=10))
        await waiting(warehouse, 2)
    await asyncio.gather(retaining, linking)

    people = await warehouse.rows(b"SELECT count(DISTINCT entity), count(*) FROM identifier")
    assert people == [(2, 3)]
    assert await is_the_reference(warehouse)


async def waiting(warehouse: Warehouse, transactions: int) -> None:
    """Until so many transactions of this database wait for a lock."""

    async def look() -> None:
        found = await warehouse.rows(
            b"SELECT wait_event, query FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
            b"AND datname = current_database()"
        )
        if len(found) != transactions:
            raise NotYet(f"{found}")

    await eventually(f"that {transactions} transactions wait", look, seconds=20)
