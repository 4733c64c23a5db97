"""The dump follows from the journal, and so does everything that a rebuild makes."""

from cortex_memory.rebuild import rebuild
from memory.observing import ANN, BOB, actor, claim, observe
from memory.warehouse import Warehouse
from roxabi_contracts.base import from_epoch_ms

SAID = [
    observe(
        claim("lives_in", "Paris"), at=1, ref="a", actors=[actor("ann@garden.org", name="Ann")]
    ),
    observe(claim("lives_in", "Lyon"), at=2, ref="b"),
    observe(claim("name", "Anna"), at=3, ref="c"),
    observe(claim("name", "Ann"), at=4, ref="d"),
    observe(claim("works_at", "Acme", about=1), at=5, ref="e", actors=[ANN, BOB]),
    observe(claim("lives_in", "Rome", begin=2_000_000), at=6, ref="f"),
    observe(claim("uses", "Vim"), at=7, ref="g", project="orchard"),
]


async def test_a_rebuild_makes_what_was_there(warehouse: Warehouse) -> None:
    await warehouse.retain(SAID)
    before = await warehouse.dump()
    await warehouse.rows_without_answer(b"DELETE FROM fact WHERE status <> 'active'")
    await warehouse.rows_without_answer(b"UPDATE identifier SET entity = 'nobody'")
    told: list[tuple[int, int]] = []

    await rebuild(warehouse.parts, None, lambda done, total: told.append((done, total)))

    assert await warehouse.dump() == before == await warehouse.reference()
    assert told[0] == (0, 6)
    assert told[-1] == (1, 1)


async def test_a_rebuild_of_one_project_leaves_the_others_alone(warehouse: Warehouse) -> None:
    await warehouse.retain(SAID)
    await warehouse.rows_without_answer(b"DELETE FROM fact WHERE project = 'garden'")

    await rebuild(warehouse.parts, "orchard", lambda done, total: None)

    assert [fact[0] for fact in await warehouse.facts()] == ["uses"]


async def test_an_interrupted_rebuild_is_finished_by_any_worker(warehouse: Warehouse) -> None:
    await warehouse.retain(SAID)
    before = await warehouse.dump()

    class Interrupted(BaseException):
        pass

    def interrupt(done: int, total: int) -> None:
        raise Interrupted

    try:
        await rebuild(warehouse.parts, None, interrupt)
    except Interrupted:
        await warehouse.drain(2)

    assert await warehouse.dump() == before


async def test_the_dump_is_sorted_and_holds_every_kind_of_thing(warehouse: Warehouse) -> None:
    await warehouse.retain(SAID)
    lines = await warehouse.dump()

    assert lines == sorted(lines)
    kinds = {line.split(b'"')[1].decode() for line in lines}
    assert kinds == {"fact", "conflict", "entity", "episode", "mention"}
    assert len(set(lines)) == len(lines)


async def test_a_later_moment_shows_what_will_be(warehouse: Warehouse) -> None:
    await warehouse.retain(SAID)
    today = await warehouse.dump()
    assert today == await warehouse.reference()

    warehouse.clock.moment = from_epoch_ms(3_000_000)
    later = await warehouse.reference()
    assert later != today
    await warehouse.drain()
    assert await warehouse.dump() == later


async def test_recorded_times_are_no_part_of_it(warehouse: Warehouse) -> None:
    await warehouse.retain(SAID)
    before = await warehouse.dump()
    await warehouse.rows_without_answer(b"UPDATE fact SET recorded_at = now() - interval '1 day'")

    assert await warehouse.dump() == before
