"""Ids derive from content, and from nothing else."""

import pytest
from hypothesis import given
from roxabi_contracts import JsonBody, MadeBy, Observation, RawEvent
from roxabi_contracts.base import JsonObject
from roxabi_contracts.ids import canonical_json, content_id, content_ulid
from strategies import json_objects, observations
from ulid import ULID


@given(json_objects)
def test_the_order_of_keys_changes_no_id(value: JsonObject) -> None:
    turned = dict(reversed(value.items()))

    assert content_id(value) == content_id(turned)


def test_canonical_json_refuses_what_json_cannot_say() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json({"value": float("nan")})


@pytest.mark.parametrize(
    ("timestamp", "stored"), [(0, 0), (1_700_000_000_123, 1_700_000_000_123), (-5, 0)]
)
def test_the_time_part_of_an_id_is_the_timestamp(timestamp: int, stored: int) -> None:
    assert ULID.from_str(content_ulid(timestamp, "x")).milliseconds == stored


@given(observations())
def test_what_made_an_observation_is_no_part_of_its_id(observation: Observation) -> None:
    remade = Observation.of(
        observation.payload,
        project_id=observation.project_id,
        source=observation.source,
        source_ref=observation.source_ref,
        timestamp=observation.timestamp,
        actors=observation.actors,
        subject=observation.subject,
        origin=observation.origin,
        made_by=MadeBy(parser=99),
        revision=observation.revision,
    )

    assert remade.id == observation.id
    assert remade.message_id != observation.message_id


@given(observations())
def test_another_revision_is_another_observation(observation: Observation) -> None:
    edited = Observation.of(
        observation.payload,
        project_id=observation.project_id,
        source=observation.source,
        source_ref=observation.source_ref,
        timestamp=observation.timestamp,
        actors=observation.actors,
        subject=observation.subject,
        origin=observation.origin,
        made_by=observation.made_by,
        revision=observation.revision + 1,
    )

    assert edited.id != observation.id


def test_an_event_says_its_id_by_all_that_it_holds() -> None:
    event = RawEvent(
        project="p", source="s", source_ref="r", media_type="a/b", body=JsonBody(content={"a": 1})
    )

    assert event.event_id == event.model_copy().event_id
    assert event.event_id != event.model_copy(update={"source_ref": "q"}).event_id
    assert event.event_id != event.model_copy(update={"attributes": {"a": 1}}).event_id
