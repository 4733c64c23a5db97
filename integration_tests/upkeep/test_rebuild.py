"""A rebuild repairs what is wrong and leaves the rest alone, while the service goes on."""

import asyncio

import pytest
from cortex_memory.rebuild import rebuild
from memory.observing import ANN, BOB, actor, claim, observe
from memory.warehouse import Warehouse
from roxabi_contracts.observation import Observation

OWNERS = [actor(f"person{number}@garden.org") for number in range(4)]
SAID = [
    observe(claim("lives_in", town), at=at, ref=f"{number}/{town}", actors=[owner])
    for number, owner in enumerate(OWNERS)
    for at, town in enumerate(("Paris", "Lyon", "Rome"), start=1)
]


def silent(done: int, total: int) -> None:
    """Tell nobody."""


async def run(warehouse: Warehouse) -> None:
    await rebuild(warehouse.parts, None, silent)


DAMAGE = {
    "a fact changed": b'UPDATE fact SET value = \'{"value": "Nowhere"}\'',
    "facts lost": b"DELETE FROM fact WHERE status = 'active'",
    "sources lost": b"DELETE FROM fact_source",
    "assertions lost": b"DELETE FROM assertion",
    "episodes changed": b"UPDATE episode SET text = 'nothing'",
    "episodes of nobody": b"UPDATE episode SET subject = 'nobody'",
    "facts of nobody": b"UPDATE fact SET subject = 'nobody'",
    "relations lost": b"DELETE FROM relation",
    "everybody is one": b"UPDATE identifier SET entity = (SELECT min(id) FROM identifier)",
    "mentions lost": b"DELETE FROM mention",
    "counts wrong": b"UPDATE identifier SET observations = 7, memories = 0",
    "a conflict invented": b"INSERT INTO conflict_set SELECT project, subject, about, predicate, "
    b"slot, 'invented', 1, 2, '' FROM fact LIMIT 1",
}


@pytest.mark.parametrize("damage", DAMAGE)
async def test_damage_is_repaired(warehouse: Warehouse, damage: str) -> None:
    named = actor("ann@garden.org", name="Ann")
    talk = observe(claim("name", "Ann", about=1), at=7, ref="talk", actors=[BOB, named])
    await warehouse.retain([*SAID, talk, observe(claim("name", "A"), at=9, ref="x")])
    before = await warehouse.dump()
    texts = await warehouse.rows(b"SELECT observation_id, text FROM episode ORDER BY 1")
    await warehouse.rows_without_answer(DAMAGE[damage])

    for _ in range(2):
        await run(warehouse)
        assert await warehouse.dump() == before == await warehouse.reference()

    assert await warehouse.rows(b"SELECT observation_id, text FROM episode ORDER BY 1") == texts
    counts = b"SELECT id, observations, memories FROM identifier ORDER BY 1"
    after = await warehouse.rows(counts)
    await warehouse.rows_without_answer(b"UPDATE identifier SET observations = 0")
    await run(warehouse)
    assert await warehouse.rows(counts) == after


async def test_what_is_right_is_neither_written_nor_announced_again(warehouse: Warehouse) -> None:
    await warehouse.retain(SAID)
    rows = b"SELECT id, xmin::text, ctid::text FROM fact UNION ALL "
    rows += b"SELECT observation_id, xmin::text, ctid::text FROM episode ORDER BY 1"
    written = await warehouse.rows(rows)
    await warehouse.rows_without_answer(b"DELETE FROM change_outbox")

    await run(warehouse)

    assert await warehouse.rows(rows) == written
    assert await warehouse.rows(b"SELECT count(*) FROM change_outbox") == [(0,)]


async def test_facts_are_served_at_every_moment(warehouse: Warehouse) -> None:
    await warehouse.retain(SAID)
    before = await warehouse.facts()
    seen = [before]
    rebuilding = asyncio.create_task(run(warehouse))
    while not rebuilding.done():
        seen.append(await warehouse.facts())
        await asyncio.sleep(0)
    await rebuilding

    assert len(seen) > 2
    assert all(facts == before for facts in seen)


async def test_what_arrives_meanwhile_is_retained_meanwhile(warehouse: Warehouse) -> None:
    """Between any two memories others are at work, on that very memory, too."""
    later = [
        observe(claim("lives_in", "Oslo"), at=9, ref=f"{number}/Oslo", actors=[owner])
        for number, owner in enumerate(OWNERS)
    ]
    stranger = observe(claim("name", "Eve"), at=9, ref="eve", actors=[actor("eve@garden.org")])
    arriving: list[Observation] = [*later, stranger]
    await warehouse.retain(SAID)
    retained: list[int] = []

    async def arrive() -> None:
        while arriving:
            await warehouse.retain([arriving.pop()], workers=2)
            retained.append(1)

    tasks: set[asyncio.Task[None]] = set()

    def tell(done: int, total: int) -> None:
        tasks.add(asyncio.get_running_loop().create_task(arrive()))

    await rebuild(warehouse.parts, None, tell)
    assert retained, "nothing was retained before the end of the rebuild"
    await asyncio.gather(*tasks)
    await warehouse.drain()

    assert await warehouse.dump() == await warehouse.reference()


async def test_one_that_was_interrupted_is_repeated(warehouse: Warehouse) -> None:
    class Interrupted(Exception):
        pass

    await warehouse.retain(SAID)
    before = await warehouse.dump()
    await warehouse.rows_without_answer(b"DELETE FROM fact")
    told: list[tuple[int, int]] = []

    def interrupt(done: int, total: int) -> None:
        told.append((done, total))
        if done:
            raise Interrupted

    with pytest.raises(Interrupted):
        await rebuild(warehouse.parts, None, interrupt)
    assert await warehouse.rows(b"SELECT count(DISTINCT subject) FROM fact") == [(1,)]

    await run(warehouse)

    assert told == [(0, 12), (3, 12)]
    assert await warehouse.dump() == before


async def test_two_at_once_do_no_harm(warehouse: Warehouse) -> None:
    await warehouse.retain([*SAID, observe(claim("uses", "tea"), at=3, ref="t", actors=[ANN])])
    before = await warehouse.dump()
    await warehouse.rows_without_answer(b"DELETE FROM assertion")

    await asyncio.gather(run(warehouse), run(warehouse), warehouse.drain(2))

    assert await warehouse.dump() == before
