"""Whose a message is that is no observation, as far as it says."""

import json
from typing import Final

import pytest
from cortex_memory.retain.refused_record import RefusedRecord, refused_record
from pydantic import JsonValue

ANN: Final[JsonValue] = {
    "role": "author",
    "identifiers": [{"scheme": "email", "value": "Ann@Garden.org"}],
}


def record(**fields: JsonValue) -> RefusedRecord:
    found = refused_record(json.dumps(fields).encode())
    assert found is not None
    return found


def test_what_is_no_object_says_nothing() -> None:
    assert [refused_record(body) for body in (b"\xff", b"[1]", b"null", b"")] == [None] * 4


def test_the_record_is_known_by_source_and_reference_together() -> None:
    assert record(source="mail", source_ref="7", rest="?").key() == ("mail", "7")
    assert record(source="mail", source_ref=7).key() is None
    assert record(source_ref="7").key() is None


def test_the_owner_is_the_actor_that_the_subject_points_at() -> None:
    bob: JsonValue = {"identifiers": [{"scheme": "slug", "value": "bob"}]}
    assert record(actors=[bob, ANN], subject=1).owners() == {"email:ann@garden.org"}


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"actors": [ANN]},
        {"actors": [ANN], "subject": 1},
        {"actors": [ANN], "subject": -1},
        {"actors": [ANN], "subject": "0"},
        {"actors": {"0": ANN}, "subject": 0},
        {"actors": ["ann"], "subject": 0},
        {"actors": [{"identifiers": [{"scheme": "email"}]}], "subject": 0},
    ],
)
def test_an_owner_that_is_not_legible_is_nobody(fields: dict[str, JsonValue]) -> None:
    assert record(**fields).owners() == set()


def test_a_moment_that_is_not_legible_is_no_excuse() -> None:
    assert record(timestamp=5).is_said_until(5)
    assert not record(timestamp=6).is_said_until(5)
    assert record().is_said_until(5)
    assert record(timestamp="soon").is_said_until(5)
