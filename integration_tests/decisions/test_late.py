"""A decision goes on biting: on what arrives late, is parsed again, withdrawn or rebuilt."""

import asyncio

import pytest
from cortex_memory.rebuild import rebuild
from cortex_memory.store.db import connection
from cortex_memory.store.locks import lock_subjects
from decisions.operator import Operator, deciding, shown
from memory.observing import PROJECT, actor, claim, observe
from roxabi_contracts.actor import ActorRole
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.operations import DecisionAction, FactStatus

FIRST = observe(claim("name", "Ann"), at=1, ref="a")
SECOND = observe(claim("name", "Anna"), at=20, ref="b")


async def keep(operator: Operator, value: str) -> None:
    fact = await operator.fact(value)
    await operator.decide(deciding(DecisionAction.RESOLVE, fact.id))


async def test_a_late_saying_of_what_lost_does_not_revive_it(operator: Operator) -> None:
    await operator.warehouse.retain([FIRST, SECOND])
    await keep(operator, "Anna")

    await operator.warehouse.retain([observe(claim("name", "Ann"), at=10, ref="late")])

    assert await operator.shown() == {"Ann": "superseded", "Anna": "active"}
    assert (await operator.fact("Ann")).confirmations == 1


async def test_an_earlier_saying_that_renames_the_loser_does_not_revive_it(
    operator: Operator,
) -> None:
    await operator.warehouse.retain([FIRST, SECOND])
    await keep(operator, "Ann")
    before = await operator.fact("Anna")

    await operator.warehouse.retain([observe(claim("name", "Anna"), at=0, ref="earlier")])

    after = await operator.fact("Anna")
    assert after.id != before.id
    assert (after.status, (await operator.fact("Ann")).status) == (
        FactStatus.SUPERSEDED,
        FactStatus.ACTIVE,
    )


async def test_a_late_value_that_nobody_decided_about_contests_again(operator: Operator) -> None:
    await operator.warehouse.retain([FIRST, SECOND])
    await keep(operator, "Anna")

    await operator.warehouse.retain([observe(claim("name", "Annie"), at=15, ref="late")])

    assert await operator.shown() == {
        "Ann": "superseded",
        "Anna": "active",
        "Annie": "candidate",
    }
    (conflict,) = (await operator.conflicts()).conflicts
    assert set(shown(conflict.members)) == {"Ann", "Anna", "Annie"}


async def test_what_is_said_after_the_decision_contests_it(operator: Operator) -> None:
    await operator.warehouse.retain([FIRST, SECOND])
    await keep(operator, "Anna")

    await operator.warehouse.retain([observe(claim("name", "Annie"), at=200, ref="new")])

    assert (await operator.fact("Annie")).status is FactStatus.CANDIDATE
    assert (await operator.fact("Anna")).conflict_id is not None


async def test_a_parse_anew_that_renames_an_assertion_leaves_the_decision_in_force(
    operator: Operator,
) -> None:
    await operator.warehouse.retain([FIRST, SECOND])
    await keep(operator, "Anna")
    lost = await operator.fact("Ann")

    renamed = observe(claim("full_name", "Ann"), at=1, ref="a", parser=2)
    await operator.warehouse.retain([renamed])

    ann = await operator.fact("Ann")
    assert (ann.status, ann.id == lost.id) == (FactStatus.SUPERSEDED, False)


async def test_what_lost_loses_in_whatever_slot_it_now_is(operator: Operator) -> None:
    await operator.warehouse.retain([FIRST, SECOND])
    await keep(operator, "Anna")

    moved = observe(claim("stage_name", "Ann"), at=1, ref="a", parser=2)
    await operator.warehouse.retain([moved])

    ann = await operator.fact("Ann")
    assert (ann.predicate, ann.status) == ("stage_name", FactStatus.SUPERSEDED)
    assert await operator.warehouse.dump() == await operator.warehouse.reference()


async def test_a_mark_outlives_an_edit_that_takes_the_fact_back_for_a_while(
    operator: Operator,
) -> None:
    await operator.warehouse.retain([FIRST])
    await operator.decide(deciding(DecisionAction.DISABLE, (await operator.fact("Ann")).id))

    await operator.warehouse.retain([observe(at=1, ref="a", revision=1)])
    assert (await operator.facts()).facts == ()
    await operator.warehouse.retain([observe(claim("name", "Ann"), at=1, ref="a", revision=2)])

    assert await operator.shown() == {"Ann": "disabled"}


async def test_a_decision_follows_its_facts_to_another_entity(operator: Operator) -> None:
    """Two keys of one person, decided about apart, joined later by a record that states both."""
    owners = [actor("account:github:ann", role=ActorRole.OWNER)]
    apart = [
        observe(claim("name", "Ann"), at=1, ref="a", actors=owners),
        observe(claim("name", "Anna"), at=2, ref="b", actors=owners),
    ]
    await operator.warehouse.retain(apart)
    (conflict,) = (await operator.conflicts()).conflicts
    anna = conflict.members[1]
    await operator.decide(deciding(DecisionAction.RESOLVE, anna.id, subject="account:github:ann"))
    both = [actor("ann@garden.org", "account:github:ann", role=ActorRole.OWNER)]
    await operator.warehouse.retain([observe(at=3, ref="c", actors=both)])

    reply = await operator.facts(subject="ann@garden.org")
    assert shown(reply.facts) == {"Ann": "superseded", "Anna": "active"}
    assert await operator.warehouse.dump() == await operator.warehouse.reference()


async def test_a_rebuild_and_the_journal_know_the_decisions(operator: Operator) -> None:
    warehouse = operator.warehouse
    await warehouse.retain([FIRST, SECOND])
    await keep(operator, "Anna")
    await operator.decide(deciding(DecisionAction.DISPUTE, (await operator.fact("Anna")).id))
    before = await warehouse.dump()
    assert before == await warehouse.reference()

    await rebuild(warehouse.parts, None, lambda done, total: None)

    assert await warehouse.dump() == before
    assert await operator.shown() == {"Ann": "superseded", "Anna": "disputed"}


async def test_the_journal_as_of_before_the_decision_does_not_know_it(operator: Operator) -> None:
    await operator.warehouse.retain([FIRST, SECOND])
    undecided = await operator.warehouse.dump()
    await keep(operator, "Anna")

    operator.warehouse.clock.moment = from_epoch_ms(99)
    assert await operator.warehouse.reference() == undecided


async def test_decisions_and_sayings_at_once_neither_wait_in_a_ring_nor_get_lost(
    operator: Operator,
) -> None:
    warehouse = operator.warehouse
    await warehouse.retain([FIRST, SECOND])
    ann, anna = await operator.fact("Ann"), await operator.fact("Anna")
    more = [observe(claim("name", "Ann"), at=at, ref=f"more-{at}") for at in range(21, 61)]
    await warehouse.inbox.store(more)
    requests = [
        deciding(action, fact, at=at)
        for at, (action, fact) in enumerate(
            [
                (DecisionAction.DISPUTE, ann.id),
                (DecisionAction.ENABLE, ann.id),
                (DecisionAction.DISABLE, anna.id),
                (DecisionAction.RESOLVE, anna.id),
            ],
            start=100,
        )
    ]

    replies, _ = await asyncio.gather(
        asyncio.gather(*map(operator.decide, requests)), warehouse.drain(workers=3)
    )

    assert [reply.known for reply in replies] == [False] * 4
    assert await warehouse.rows(b"SELECT count(*) FROM decision") == [(4,)]
    assert await operator.shown() == {"Ann": "superseded", "Anna": "disabled"}
    assert await warehouse.dump() == await warehouse.reference()


@pytest.mark.parametrize(("at", "ref"), [(1, "a"), (2, "a2")])
async def test_a_decision_names_every_saying_so_one_that_is_taken_back_does_not_undo_it(
    operator: Operator, at: int, ref: str
) -> None:
    await operator.warehouse.retain([FIRST, observe(claim("name", "Ann"), at=2, ref="a2"), SECOND])
    await keep(operator, "Anna")

    await operator.warehouse.retain([observe(at=at, ref=ref, revision=1)])

    assert await operator.shown() == {"Ann": "superseded", "Anna": "active"}


async def test_a_decision_waits_for_whoever_decides_on_the_memory(operator: Operator) -> None:
    await operator.warehouse.retain([FIRST])
    fact = await operator.fact("Ann")
    async with connection(operator.warehouse.pool) as other:
        await lock_subjects(other, {(PROJECT, fact.about)})
        waiting = asyncio.create_task(operator.decide(deciding(DecisionAction.DISABLE, fact.id)))
        await asyncio.sleep(0.5)
        assert not waiting.done()
        assert await operator.warehouse.rows(b"SELECT id FROM decision") == []

    assert [one.status for one in (await waiting).facts] == [FactStatus.DISABLED]
