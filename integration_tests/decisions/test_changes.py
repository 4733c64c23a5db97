"""Who follows the changes learns that a conflict opened, grew and was settled, each once."""

from cortex_memory.bus.changes import ChangePublisher
from cortex_memory.faults import no_fault
from cortex_memory.store.changes import ChangeOutbox
from decisions.operator import Operator, deciding
from memory.observing import PROJECT, claim, observe
from roxabi_contracts import codec, subjects
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.changes import Change
from roxabi_contracts.operations import DecisionAction
from services import Broker

FIRST = observe(claim("name", "Ann"), at=1, ref="a")
SECOND = observe(claim("name", "Anna"), at=2, ref="b")
THIRD = observe(claim("name", "Annie"), at=3, ref="c")


async def announced(operator: Operator) -> list[Change]:
    """What waits to be announced, taken out of the outbox."""
    outbox = ChangeOutbox(operator.warehouse.pool)
    waiting = await outbox.oldest(1000)
    await outbox.forget([change.position for change in waiting])
    return [Change.model_validate_json(change.message) for change in waiting]


async def of_conflicts(operator: Operator) -> list[Change]:
    return [change for change in await announced(operator) if change.what == "conflict"]


async def test_a_conflict_opens_grows_and_is_settled_by_a_person(operator: Operator) -> None:
    seen: list[Change] = []
    for observation in (FIRST, SECOND, THIRD):
        await operator.warehouse.retain([observation])
        seen += await of_conflicts(operator)
    annie = await operator.fact("Annie")
    await operator.decide(deciding(DecisionAction.RESOLVE, annie.id))
    changes = await announced(operator)
    seen += [change for change in changes if change.what == "conflict"]

    assert [change.change for change in seen] == ["opened", "extended", "settled"]
    assert [len(change.members) for change in seen] == [2, 3, 3]
    assert len({change.conflict_id for change in seen}) == 1
    assert [change.occurred_at for change in seen] == [
        from_epoch_ms(2),
        from_epoch_ms(2),
        from_epoch_ms(100),
    ]
    facts = {(c.change, str(c.value), c.status) for c in changes if c.what == "fact"}
    assert facts == {
        ("updated", "{'value': 'Annie'}", "active"),
        ("retired", "None", "superseded"),
    }


async def test_a_later_word_settles_a_conflict_too(operator: Operator) -> None:
    await operator.warehouse.retain([FIRST, SECOND])
    await of_conflicts(operator)
    (conflict,) = (await operator.conflicts()).conflicts
    edited = observe(claim("name", "Ann"), at=2, ref="b", revision=1)
    await operator.warehouse.retain([edited])

    (gone,) = await of_conflicts(operator)
    assert (gone.change, gone.conflict_id) == ("settled", conflict.id)
    assert (await operator.conflicts(settled=True)).conflicts == ()


async def test_a_fact_that_was_never_said_after_all_is_retired(operator: Operator) -> None:
    await operator.warehouse.retain([FIRST])
    fact = await operator.fact("Ann")
    await announced(operator)
    await operator.warehouse.retain([observe(at=1, ref="a", revision=1)])

    (retired,) = await announced(operator)
    assert (retired.what, retired.change, retired.fact_id) == ("fact", "retired", fact.id)
    assert (retired.predicate, retired.about) == ("name", fact.about)


async def test_a_decision_is_on_the_stream_of_the_project(
    operator: Operator, broker: Broker
) -> None:
    await operator.warehouse.retain([FIRST, SECOND])
    anna = await operator.fact("Anna")
    await operator.decide(deciding(DecisionAction.RESOLVE, anna.id))
    following = await operator.connection.client.subscribe(subjects.changes(PROJECT))
    await operator.connection.client.flush()
    async with broker.connected("memory") as memory:
        outbox = ChangeOutbox(operator.warehouse.pool)
        await ChangePublisher(memory, outbox, no_fault).publish_batch()

    heard = [codec.decode((await following.next_msg(5)).data, Change) for _ in range(6)]
    assert [one.change for one in heard if one.what == "conflict"] == ["opened", "settled"]
    await following.unsubscribe()
