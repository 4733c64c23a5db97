"""What an Observation must hold to be one."""

from datetime import datetime, timezone

import pytest
from pydantic import ValidationError
from roxabi_contracts import (
    ActorKind,
    ActorRef,
    ActorRole,
    Category,
    Claim,
    Decision,
    Identifier,
    MadeBy,
    Observation,
    Origin,
    Payload,
    Statement,
    TimeNote,
)
from roxabi_contracts.base import epoch_ms, from_epoch_ms
from roxabi_contracts.payloads import (
    PAYLOAD_MODELS,
    DecisionStatus,
    TimePrecision,
    TimeSource,
    Validity,
)

TIME = TimeNote(precision=TimePrecision.SECOND, source=TimeSource.RECORD)
ALICE = ActorRef(
    kind=ActorKind.PERSON,
    role=ActorRole.AUTHOR,
    identifiers=(Identifier.parse("alice@example.org"),),
)
NAMELESS = ActorRef(kind=ActorKind.PERSON, role=ActorRole.MENTIONED, name="Bob")


def observe(payload: Payload, *actors: ActorRef, subject: int = 0) -> Observation:
    return Observation.of(
        payload,
        project_id="personal",
        source="message",
        source_ref="1",
        timestamp=1_700_000_000_000,
        actors=actors,
        subject=subject,
        origin=Origin.TRUSTED,
        made_by=MadeBy(parser=1),
    )


def test_every_category_has_its_payload_model() -> None:
    assert set(Category) == set(PAYLOAD_MODELS)
    assert all(model.__name__ == category for category, model in PAYLOAD_MODELS.items())


def test_the_payload_is_read_as_the_model_of_its_category() -> None:
    observation = observe(Statement(text="hello", time=TIME), ALICE)

    assert Category.STATEMENT is observation.category
    assert Statement(text="hello", time=TIME) == observation.payload


def test_a_payload_of_another_category_is_refused() -> None:
    fields = observe(Statement(text="hello", time=TIME), ALICE).model_dump()

    with pytest.raises(ValidationError, match="decision"):
        Observation.model_validate(fields | {"category": "Decision"})


def test_the_subject_must_be_somebody_identified() -> None:
    with pytest.raises(ValidationError, match="no actor 1"):
        observe(Statement(text="hello", time=TIME), ALICE, subject=1)
    with pytest.raises(ValidationError, match="whose memory"):
        observe(Statement(text="hello", time=TIME), ALICE, NAMELESS, subject=1)


def test_claims_and_decisions_point_at_actors_that_exist() -> None:
    claim = Claim(about=3, predicate="name", value={"value": "Bob"}, evidence="Bob")
    with pytest.raises(ValidationError, match="no actor 3"):
        observe(Statement(text="Bob", time=TIME, claims=(claim,)), ALICE)
    decided = Decision(
        text="go", time=TIME, decision="go", status=DecisionStatus.ACCEPTED, decided_by=2
    )
    with pytest.raises(ValidationError, match="no actor 2"):
        observe(decided, ALICE)


def test_a_scalar_value_is_an_object_of_one_key() -> None:
    claim = Claim.model_validate(
        {"predicate": "name", "value": "Bob", "replaces": "Rob", "evidence": "Bob"}
    )

    assert claim.value == {"value": "Bob"}
    assert claim.replaces == {"value": "Rob"}


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValidationError, match="timezone"):
        Validity.model_validate({"from": "2024-01-01T00:00:00"})
    with pytest.raises(ValueError, match="zone"):
        epoch_ms(datetime(2024, 1, 1))  # noqa: DTZ001  # the point of the test


@pytest.mark.parametrize("milliseconds", [0, 1, -1, 1_700_000_000_123, -2_208_988_800_001])
def test_moments_and_milliseconds_agree(milliseconds: int) -> None:
    moment = from_epoch_ms(milliseconds)

    assert timezone.utc == moment.tzinfo  # noqa: UP017  # the value itself is compared
    assert milliseconds == epoch_ms(moment)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("alice@example.org", "email:alice@example.org"),
        ("email:alice@example.org", "email:alice@example.org"),
        ("account:github:42", "account:github:42"),
        ("account:slack:T1/U2", "account:slack:T1/U2"),
        ("uri:https://example.org/a", "uri:https://example.org/a"),
    ],
)
def test_identifiers_are_read_from_text(text: str, expected: str) -> None:
    assert expected == str(Identifier.parse(text))


@pytest.mark.parametrize("text", ["", "Alice", "twitter:alice", "a b@c", "account:x"])
def test_what_is_no_identifier_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="neither"):
        Identifier.parse(text)
