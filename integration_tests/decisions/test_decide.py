"""Every action of a person does what it says, and every error is a typed one, over the broker."""

import pytest
from decisions.operator import BOB_KEY, Operator, deciding, shown
from memory.observing import BOB, claim, observe
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.decisions import DecisionRequest
from roxabi_contracts.errors import ErrorCode, RequestRefused
from roxabi_contracts.observation import Origin
from roxabi_contracts.operations import DecisionAction, FactStatus

FIRST = observe(claim("name", "Ann"), at=1, ref="a")
SECOND = observe(claim("name", "Anna"), at=2, ref="b")
THIRD = observe(claim("name", "Annie"), at=3, ref="c")
DOUBTFUL = observe(claim("hobby", "chess"), at=4, ref="d", origin=Origin.UNTRUSTED)
BOBS = observe(claim("name", "Rob"), at=5, ref="e", actors=[BOB])


@pytest.fixture
async def torn(operator: Operator) -> Operator:
    """Ann has said three things of which one can be true, and strangers said a fourth."""
    await operator.warehouse.retain([FIRST, SECOND, THIRD, DOUBTFUL, BOBS])
    return operator


async def refused(operator: Operator, request: DecisionRequest) -> ErrorCode:
    before = await operator.warehouse.dump()
    with pytest.raises(RequestRefused) as refusal:
        await operator.decide(request)
    assert await operator.warehouse.dump() == before
    assert await operator.warehouse.rows(b"SELECT id FROM decision") == []
    assert refusal.value.reply.message
    assert not refusal.value.reply.retryable
    return refusal.value.reply.code


async def agrees_with_the_journal(operator: Operator) -> bool:
    warehouse = operator.warehouse
    return await warehouse.dump() == await warehouse.reference()


async def test_what_contradicts_itself_is_listed(torn: Operator) -> None:
    (conflict,) = (await torn.conflicts()).conflicts
    assert shown(conflict.members) == {"Ann": "active", "Anna": "candidate", "Annie": "candidate"}
    assert (conflict.predicate, conflict.settled_at) == ("name", None)
    assert conflict.opened_at == from_epoch_ms(2)
    assert (await torn.conflicts(subject=BOB_KEY)).conflicts == ()


async def test_a_resolution_keeps_one_and_every_other_loses(torn: Operator) -> None:
    anna = await torn.fact("Anna")
    reply = await torn.decide(deciding(DecisionAction.RESOLVE, anna.id, reason="I asked her."))
    assert not reply.known
    assert shown(reply.facts) == {"Anna": "active"}
    assert await torn.shown() == {
        "Ann": "superseded",
        "Anna": "active",
        "Annie": "superseded",
        "chess": "quarantined",
    }
    assert (await torn.conflicts()).conflicts == ()
    (settled,) = (await torn.conflicts(settled=True)).conflicts
    assert settled.settled_at == from_epoch_ms(100)
    assert await agrees_with_the_journal(torn)


async def test_a_resolution_of_some_leaves_the_rest_in_conflict(torn: Operator) -> None:
    annie, ann = await torn.fact("Annie"), await torn.fact("Ann")
    reply = await torn.decide(deciding(DecisionAction.RESOLVE, annie.id, lose=[ann.id]))
    assert shown(reply.facts) == {"Ann": "superseded", "Annie": "active"}
    assert (await torn.fact("Anna")).status is FactStatus.CANDIDATE
    assert await agrees_with_the_journal(torn)


async def test_a_release_makes_a_quarantined_fact_hold(torn: Operator) -> None:
    chess = await torn.fact("chess")
    reply = await torn.decide(deciding(DecisionAction.RELEASE, chess.id))
    assert [(fact.status, fact.authority) for fact in reply.facts] == [(FactStatus.ACTIVE, 3)]
    assert await agrees_with_the_journal(torn)


@pytest.mark.parametrize(
    ("action", "status"),
    [
        (DecisionAction.REJECT, FactStatus.DISABLED),
        (DecisionAction.DISPUTE, FactStatus.DISPUTED),
        (DecisionAction.DISABLE, FactStatus.DISABLED),
    ],
)
async def test_a_marked_fact_is_not_active_until_it_is_enabled(
    torn: Operator, action: DecisionAction, status: FactStatus
) -> None:
    rob = await torn.fact("Rob", BOB_KEY)
    reply = await torn.decide(deciding(action, rob.id, subject=BOB_KEY))
    assert [fact.status for fact in reply.facts] == [status]
    assert (await torn.facts(subject=BOB_KEY, history=False)).facts == ()
    assert await agrees_with_the_journal(torn)

    lifted = deciding(DecisionAction.ENABLE, rob.id, subject=BOB_KEY, at=101)
    assert [fact.status for fact in (await torn.decide(lifted)).facts] == [FactStatus.ACTIVE]
    assert await agrees_with_the_journal(torn)


async def test_a_rejected_quarantined_fact_can_be_released_after_all(torn: Operator) -> None:
    chess = await torn.fact("chess")
    await torn.decide(deciding(DecisionAction.REJECT, chess.id))
    assert (await torn.fact("chess")).status is FactStatus.DISABLED
    await torn.decide(deciding(DecisionAction.RELEASE, chess.id, at=101))
    assert (await torn.fact("chess")).status is FactStatus.ACTIVE


async def test_the_same_decision_again_changes_nothing(torn: Operator) -> None:
    request = deciding(DecisionAction.RESOLVE, (await torn.fact("Anna")).id)
    first = await torn.decide(request)
    before = await torn.warehouse.dump()
    announced = await torn.warehouse.rows(b"SELECT count(*) FROM change_outbox")

    again = await torn.decide(request.model_copy(update={"reason": "said once more"}))

    assert (again.decision_id, again.known) == (first.decision_id, True)
    assert again.facts == first.facts
    assert await torn.warehouse.dump() == before
    assert await torn.warehouse.rows(b"SELECT count(*) FROM change_outbox") == announced
    assert await torn.warehouse.rows(b"SELECT decided_by, reason FROM decision") == [("dora", None)]


async def test_a_fact_is_meant_by_the_id_of_any_assertion_behind_it(torn: Operator) -> None:
    again = observe(claim("name", "Anna"), at=6, ref="f")
    await torn.warehouse.retain([again])
    anna = await torn.fact("Anna")
    explained = (await torn.facts(why=anna.id)).explanation
    assert explained is not None
    other = explained.assertions[-1].id
    assert other != anna.id
    reply = await torn.decide(deciding(DecisionAction.RESOLVE, other))
    assert [fact.id for fact in reply.facts] == [anna.id]
    assert (await torn.fact("Ann")).status is FactStatus.SUPERSEDED


class TestErrors:
    """What cannot be decided is refused, and leaves no trace."""

    async def test_nobody_is_known_by_the_subject(self, torn: Operator) -> None:
        anna = await torn.fact("Anna")
        request = deciding(DecisionAction.DISABLE, anna.id, subject="nobody@garden.org")
        assert await refused(torn, request) is ErrorCode.UNKNOWN_SUBJECT

    async def test_no_fact_answers_to_the_id(self, torn: Operator) -> None:
        request = deciding(DecisionAction.DISABLE, "0" * 32)
        assert await refused(torn, request) is ErrorCode.NOT_FOUND

    async def test_no_fact_answers_to_one_that_loses(self, torn: Operator) -> None:
        request = deciding(DecisionAction.RESOLVE, (await torn.fact("Anna")).id, lose=["0" * 32])
        assert await refused(torn, request) is ErrorCode.NOT_FOUND

    async def test_the_fact_is_of_another_memory(self, torn: Operator) -> None:
        rob = await torn.fact("Rob", BOB_KEY)
        request = deciding(DecisionAction.DISABLE, rob.id)
        assert await refused(torn, request) is ErrorCode.NOT_PERMITTED

    async def test_what_loses_is_not_in_the_conflict(self, torn: Operator) -> None:
        anna, chess = await torn.fact("Anna"), await torn.fact("chess")
        request = deciding(DecisionAction.RESOLVE, anna.id, lose=[chess.id])
        assert await refused(torn, request) is ErrorCode.INVALID_REQUEST

    async def test_what_is_kept_cannot_lose(self, torn: Operator) -> None:
        anna = await torn.fact("Anna")
        request = deciding(DecisionAction.RESOLVE, anna.id, lose=[anna.id])
        assert await refused(torn, request) is ErrorCode.INVALID_REQUEST

    async def test_there_is_no_conflict_to_resolve(self, torn: Operator) -> None:
        rob = await torn.fact("Rob", BOB_KEY)
        request = deciding(DecisionAction.RESOLVE, rob.id, subject=BOB_KEY)
        assert await refused(torn, request) is ErrorCode.INVALID_REQUEST

    async def test_only_a_resolution_has_losers(self, torn: Operator) -> None:
        anna, ann = await torn.fact("Anna"), await torn.fact("Ann")
        request = deciding(DecisionAction.DISABLE, anna.id, lose=[ann.id])
        assert await refused(torn, request) is ErrorCode.INVALID_REQUEST

    async def test_what_is_active_needs_no_release(self, torn: Operator) -> None:
        request = deciding(DecisionAction.RELEASE, (await torn.fact("Ann")).id)
        assert await refused(torn, request) is ErrorCode.INVALID_REQUEST

    async def test_a_decision_cannot_be_of_the_future(self, torn: Operator) -> None:
        request = deciding(DecisionAction.DISABLE, (await torn.fact("Ann")).id, at=1_000_001)
        assert await refused(torn, request) is ErrorCode.INVALID_REQUEST

    async def test_conflicts_of_nobody(self, torn: Operator) -> None:
        with pytest.raises(RequestRefused) as refusal:
            await torn.conflicts(subject="nobody@garden.org")
        assert refusal.value.reply.code is ErrorCode.UNKNOWN_SUBJECT


async def test_more_conflicts_than_asked_for_are_said_to_exist(torn: Operator) -> None:
    await torn.warehouse.retain(
        [
            observe(claim("blood_type", "red"), at=7, ref="g"),
            observe(claim("blood_type", "blue"), at=8, ref="h"),
        ]
    )
    reply = await torn.conflicts(limit=1)
    assert ([one.predicate for one in reply.conflicts], reply.truncated) == (["name"], True)
