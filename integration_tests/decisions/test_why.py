"""Why a fact holds, and what was known at a moment, decisions included."""

import pytest
from decisions.operator import ANN_KEY, BOB_KEY, Operator, deciding, shown
from memory.observing import BOB, claim, observe
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.errors import ErrorCode, RequestRefused
from roxabi_contracts.operations import DecisionAction, FactExplanation, FactStatus

FIRST = observe(claim("name", "Ann"), at=1, ref="a")
SECOND = observe(claim("name", "Anna"), at=2, ref="b")
AGAIN = observe(claim("name", "Anna"), at=3, ref="c")


@pytest.fixture
async def settled(operator: Operator) -> Operator:
    """Ann is called Anna: she said so twice, and a person settled it."""
    await operator.warehouse.retain([FIRST, SECOND, AGAIN])
    anna = await operator.fact("Anna")
    await operator.decide(deciding(DecisionAction.RESOLVE, anna.id, reason="I asked her."))
    return operator


async def why(operator: Operator, fact_id: str, at: int | None = None) -> FactExplanation:
    moment = None if at is None else from_epoch_ms(at)
    explanation = (await operator.facts(why=fact_id, as_of=moment)).explanation
    assert explanation is not None
    return explanation


async def test_every_saying_and_every_decision_is_behind_it(settled: Operator) -> None:
    anna = await settled.fact("Anna")
    reply = await settled.facts(why=anna.id)
    assert reply.facts == (anna,)
    explanation = await why(settled, anna.id)
    assert [
        (said.observation_id, said.source_ref, said.said_at, said.evidence, said.counted)
        for said in explanation.assertions
    ] == [
        (SECOND.id, "b", from_epoch_ms(2), "words", True),
        (AGAIN.id, "c", from_epoch_ms(3), "words", True),
    ]
    (decision,) = explanation.decisions
    assert decision.action is DecisionAction.RESOLVE
    assert (decision.decided_by, decision.reason) == ("dora", "I asked her.")
    assert decision.decided_at == from_epoch_ms(100)


async def test_the_decision_is_behind_what_lost_too(settled: Operator) -> None:
    ann = await settled.fact("Ann")
    assert [one.action for one in (await why(settled, ann.id)).decisions] == [
        DecisionAction.RESOLVE
    ]


async def test_any_id_that_the_fact_answers_to_will_do(settled: Operator) -> None:
    anna = await settled.fact("Anna")
    other = (await why(settled, anna.id)).assertions[1].id
    assert (await settled.facts(why=other)).facts == (anna,)


async def test_as_of_a_moment_only_what_was_known_is_behind_it(settled: Operator) -> None:
    anna = await settled.fact("Anna")
    explanation = await why(settled, anna.id, at=2)
    assert [said.source_ref for said in explanation.assertions] == ["b"]
    assert explanation.decisions == ()
    (fact,) = (await settled.facts(why=anna.id, as_of=from_epoch_ms(2))).facts
    assert (fact.status, fact.confirmations) == (FactStatus.CANDIDATE, 0)


async def test_the_facts_as_of_a_moment_know_the_decisions_up_to_then(settled: Operator) -> None:
    before = await settled.facts(as_of=from_epoch_ms(99))
    assert shown(before.facts) == {"Ann": "active", "Anna": "candidate"}
    after = await settled.facts(as_of=from_epoch_ms(100))
    assert shown(after.facts) == {"Ann": "superseded", "Anna": "active"}
    served = await settled.facts(as_of=from_epoch_ms(100), history=False)
    assert shown(served.facts) == {"Anna": "active"}


async def test_only_the_statuses_asked_for_are_listed(settled: Operator) -> None:
    lost = await settled.facts(statuses=[FactStatus.SUPERSEDED], history=False)
    assert shown(lost.facts) == {"Ann": "superseded"}
    past = await settled.facts(statuses=[FactStatus.CANDIDATE], as_of=from_epoch_ms(99))
    assert shown(past.facts) == {"Anna": "candidate"}


@pytest.mark.parametrize(
    ("subject", "code"),
    [
        (ANN_KEY, ErrorCode.NOT_FOUND),
        (BOB_KEY, ErrorCode.NOT_PERMITTED),
        ("nobody@garden.org", ErrorCode.UNKNOWN_SUBJECT),
    ],
)
async def test_what_cannot_be_explained_is_refused(
    settled: Operator, subject: str, code: ErrorCode
) -> None:
    await settled.warehouse.retain([observe(claim("name", "Bob"), at=4, ref="d", actors=[BOB])])
    name = "0" * 32 if subject == ANN_KEY else (await settled.fact("Anna")).id
    with pytest.raises(RequestRefused) as refusal:
        await settled.facts(subject=subject, why=name)
    assert refusal.value.reply.code is code


async def test_a_fact_that_was_not_said_yet_has_no_explanation(settled: Operator) -> None:
    anna = await settled.fact("Anna")
    with pytest.raises(RequestRefused) as refusal:
        await settled.facts(why=anna.id, as_of=from_epoch_ms(1))
    assert refusal.value.reply.code is ErrorCode.NOT_FOUND
