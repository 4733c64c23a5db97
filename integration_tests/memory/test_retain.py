"""What is retained follows from what was said, whatever dies and whoever works."""

from itertools import permutations

import pytest
from cortex_memory.faults import FaultPoint, Step
from cortex_memory.retain_batch import BatchRetainer
from cortex_memory.store.jobs import lease_jobs
from memory.observing import ANN, BOB, actor, claim, observe
from memory.warehouse import Warehouse
from roxabi_contracts.actor import ActorRole
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.payloads import ClaimAction

PARIS = observe(claim("lives_in", "Paris"), at=1, ref="a")
LYON = observe(claim("lives_in", "Lyon"), at=2, ref="b")


class Killed(BaseException):
    """The process is gone."""


def kill_at(fatal: Step) -> FaultPoint:
    """A fault point that ends the test's process, so to speak, at one step."""

    def reach(step: Step) -> None:
        if step is fatal:
            raise Killed

    return reach


async def test_a_later_value_supersedes_an_earlier_one(warehouse: Warehouse) -> None:
    await warehouse.retain([PARIS], [LYON])

    assert await warehouse.facts() == [
        ("lives_in", "Lyon", "active"),
        ("lives_in", "Paris", "superseded"),
    ]
    assert await warehouse.dump() == await warehouse.reference()


async def test_the_older_value_may_come_later(warehouse: Warehouse) -> None:
    await warehouse.retain([PARIS], [LYON])
    in_order = await warehouse.dump()
    await warehouse.clear()
    await warehouse.retain([LYON], [PARIS])

    assert await warehouse.dump() == in_order


async def test_a_contradiction_opens_a_conflict_that_everybody_is_told_of(
    warehouse: Warehouse,
) -> None:
    tea, milk = (
        observe(claim("name", value), at=at, ref=value) for at, value in enumerate(["Ann", "Anna"])
    )
    await warehouse.retain([tea], [milk])

    assert [status for _, _, status in await warehouse.facts()] == ["active", "candidate"]
    told = await warehouse.rows(
        b"SELECT convert_from(message, 'UTF8')::json ->> 'what', "
        b"convert_from(message, 'UTF8')::json ->> 'change' FROM change_outbox ORDER BY position"
    )
    assert sorted(told) == [
        ("conflict", "opened"),
        ("fact", "created"),
        ("fact", "created"),
        ("fact", "updated"),
    ]
    assert await warehouse.dump() == await warehouse.reference()


@pytest.mark.parametrize("step", [Step.AFTER_LEASE, Step.BEFORE_APPLY_COMMIT])
async def test_a_crash_between_two_steps_loses_and_doubles_nothing(
    warehouse: Warehouse, step: Step
) -> None:
    await warehouse.inbox.store([PARIS, LYON])
    dying = Warehouse(warehouse.pool, fault=kill_at(step))
    with pytest.raises(Killed):
        await dying.worker().run_once()
    assert await warehouse.facts() == []
    assert not await warehouse.worker().run_once()

    await warehouse.rows_without_answer(b"UPDATE job SET due_at = now()")
    await warehouse.drain()

    assert await warehouse.dump() == await warehouse.reference()
    assert await warehouse.rows(b"SELECT count(*) FROM job") == [(0,)]


async def test_a_lease_that_ran_out_cannot_be_applied(warehouse: Warehouse) -> None:
    await warehouse.inbox.store([PARIS])
    stale = await lease_jobs(warehouse.pool, 10, 10)
    await warehouse.rows_without_answer(b"UPDATE job SET due_at = now()")
    fresh = await lease_jobs(warehouse.pool, 10, 10)

    await BatchRetainer(warehouse.parts).retain(stale)
    assert await warehouse.facts() == []

    await BatchRetainer(warehouse.parts).retain(fresh)
    assert await warehouse.facts() == [("lives_in", "Paris", "active")]
    assert await warehouse.rows(b"SELECT count(*) FROM job") == [(0,)]


@pytest.mark.parametrize("workers", [2, 4])
async def test_workers_on_one_memory_keep_one_truth(warehouse: Warehouse, workers: int) -> None:
    said = [
        observe(claim("lives_in", f"city {number % 7}"), at=number // 3, ref=f"r{number}")
        for number in range(600)
    ]
    for start in range(0, 600, 40):
        await warehouse.inbox.store(said[start : start + 40])
    await warehouse.drain(workers)

    assert await warehouse.dump() == await warehouse.reference()
    active = [fact for fact in await warehouse.facts() if fact[2] == "active"]
    assert len(active) == 1
    assert await warehouse.rows(b"SELECT count(*) FROM job") == [(0,)]


async def test_an_edit_replaces_what_it_edits_in_either_order(warehouse: Warehouse) -> None:
    first = observe(claim("uses", "tea"), claim("name", "Ann"), at=5, ref="a")
    edit = observe(claim("uses", "milk"), at=5, ref="a", revision=7)
    dumps: set[bytes] = set()
    for order in permutations([first, edit]):
        await warehouse.clear()
        await warehouse.retain(*([each] for each in order))
        assert await warehouse.dump() == await warehouse.reference()
        dumps.add(b"\n".join(await warehouse.dump()))

    assert len(dumps) == 1
    assert await warehouse.facts() == [("uses", "milk", "active")]
    assert await warehouse.rows(b"SELECT observation_id FROM episode") == [(edit.id,)]


async def test_a_deletion_withdraws_what_was_said_in_either_order(warehouse: Warehouse) -> None:
    deletion = observe(at=1, ref="a", revision=3, deleted=True)
    for order in permutations([PARIS, deletion, LYON]):
        await warehouse.clear()
        await warehouse.retain(*([each] for each in order))

        assert await warehouse.facts() == [("lives_in", "Lyon", "active")]
        assert await warehouse.dump() == await warehouse.reference()


POISONS = {
    "ValidationError": b"UPDATE observation SET content = replace(content, '\"Statement\"', "
    b"'\"Rumour\"') WHERE source_ref = 'r3'",
    "CheckViolation": b"ALTER TABLE episode ADD CONSTRAINT poison CHECK (source_ref <> 'r3')",
    "ForeignKeyViolation": b"CREATE FUNCTION forget_fact() RETURNS trigger LANGUAGE plpgsql AS "
    b"$$ BEGIN DELETE FROM fact WHERE text LIKE '%tool 3'; RETURN NULL; END $$; "
    b"CREATE TRIGGER poison AFTER INSERT ON fact EXECUTE FUNCTION forget_fact()",
}
"""What is wrong with one of the jobs, by the error that it ends in."""


@pytest.mark.parametrize("error", POISONS)
async def test_one_poisonous_job_fails_alone(warehouse: Warehouse, error: str) -> None:
    said = [observe(claim("uses", f"tool {n}"), at=n, ref=f"r{n}") for n in range(8)]
    await warehouse.inbox.store(said)
    await warehouse.rows_without_answer(POISONS[error])
    await warehouse.drain()

    rows = await warehouse.rows(b"SELECT observation_id, state, attempts, error FROM job")
    assert [row[:3] for row in rows] == [(said[3].id, "failed", 1)]
    assert error in str(rows[0][3])
    assert len(await warehouse.facts()) == 7
    # What was tried with it has left nothing behind.
    assert await warehouse.rows(b"SELECT sum(observations) FROM identifier") == [(7,)]


async def test_what_is_scheduled_is_folded_when_its_time_comes(warehouse: Warehouse) -> None:
    later = observe(claim("lives_in", "Rome", begin=2_000_000), at=3, ref="c")
    ending = observe(claim("works_at", "Acme", until=1_500_000), at=3, ref="d")
    await warehouse.retain([PARIS, later, ending])
    assert ("lives_in", "Rome", "scheduled") in await warehouse.facts()

    warehouse.clock.moment = from_epoch_ms(3_000_000)
    await warehouse.drain()

    assert await warehouse.facts() == [
        ("lives_in", "Paris", "superseded"),
        ("lives_in", "Rome", "active"),
        ("works_at", "Acme", "ended"),
    ]
    assert await warehouse.dump() == await warehouse.reference()
    assert await warehouse.rows(b"SELECT count(*) FROM group_due") == [(0,)]


async def test_a_link_between_two_identifiers_joins_what_was_said(warehouse: Warehouse) -> None:
    account = actor("account:github:ann", role=ActorRole.MENTIONED)
    both = actor("account:github:ann", "slug:ann-g", role=ActorRole.MENTIONED)
    by_slug = actor("slug:ann-g", role=ActorRole.MENTIONED)
    said = [
        observe(claim("lives_in", "Oslo", about=1), at=1, ref="a", actors=[BOB, account]),
        observe(claim("lives_in", "Bergen", about=1), at=2, ref="b", actors=[BOB, by_slug]),
        observe(at=3, ref="c", actors=[BOB, both]),
    ]
    dumps: set[bytes] = set()
    for order in permutations(said):
        await warehouse.clear()
        await warehouse.retain(*([each] for each in order))
        assert await warehouse.dump() == await warehouse.reference()
        dumps.add(b"\n".join(await warehouse.dump()))

    assert len(dumps) == 1
    assert [status for _, _, status in await warehouse.facts()] == ["active", "superseded"]


async def test_an_edit_that_takes_a_link_back_splits_what_it_joined(warehouse: Warehouse) -> None:
    joined = actor("account:github:ann", "slug:ann-g", role=ActorRole.MENTIONED)
    apart = actor("account:github:ann", role=ActorRole.MENTIONED)
    by_slug = actor("slug:ann-g", role=ActorRole.MENTIONED)
    said = [
        observe(claim("lives_in", "Oslo", about=1), at=1, ref="a", actors=[BOB, apart]),
        observe(claim("lives_in", "Bergen", about=1), at=2, ref="b", actors=[BOB, by_slug]),
        observe(at=3, ref="c", actors=[BOB, joined]),
    ]
    correction = observe(at=3, ref="c", actors=[BOB, apart], revision=1)
    await warehouse.retain(said)
    assert len({status for _, _, status in await warehouse.facts()}) == 2

    await warehouse.retain([correction])

    assert [status for _, _, status in await warehouse.facts()] == ["active", "active"]
    assert await warehouse.dump() == await warehouse.reference()


async def test_a_withdrawn_retract_lets_the_value_stand_again(warehouse: Warehouse) -> None:
    retract = observe(claim("lives_in", "Paris", action=ClaimAction.RETRACT), at=5, ref="c")
    await warehouse.retain([PARIS], [retract])
    assert await warehouse.facts() == [("lives_in", "Paris", "ended")]

    await warehouse.retain([observe(at=5, ref="c", revision=1, actors=[ANN], deleted=True)])

    assert await warehouse.facts() == [("lives_in", "Paris", "active")]
    assert await warehouse.dump() == await warehouse.reference()


async def test_a_new_stores_tables_are_analyzed_once_they_hold_something(
    warehouse: Warehouse,
) -> None:
    looked_at = b"SELECT reltuples::int FROM pg_class WHERE oid = 'fact'::regclass"
    worker = warehouse.worker()
    assert not await worker.run_once()
    assert await warehouse.rows(looked_at) == [(-1,)]

    await warehouse.inbox.store([PARIS, LYON])
    await worker.run_once()

    assert await warehouse.rows(looked_at) == [(2,)]
