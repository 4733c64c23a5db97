"""Bytes to messages and back, and every kind of bytes that is refused."""

import base64
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roxabi_contracts import (
    BinaryBody,
    Contract,
    JsonBody,
    Observation,
    RawEvent,
    TextBody,
    codec,
)
from roxabi_contracts.errors import (
    DecodeError,
    ForbiddenText,
    InvalidMessage,
    NewerVersion,
    TooDeep,
    TooLarge,
    Undecodable,
)
from roxabi_contracts.event import body_of
from strategies import observations

GOLDEN = Path(__file__).parent / "golden"


@given(observations())
def test_an_observation_survives_the_wire(observation: Observation) -> None:
    assert observation == codec.decode(codec.encode(observation), Observation)


@given(st.binary(max_size=200))
def test_a_body_survives_the_wire_byte_for_byte(content: bytes) -> None:
    event = RawEvent(
        project="p", source="s", source_ref="r", media_type="a/b", body=body_of(content)
    )

    decoded = codec.decode(codec.encode(event), RawEvent)

    assert content == decoded.body.to_bytes()
    assert event.event_id == decoded.event_id


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_but_a_decode_error(data: bytes) -> None:
    with pytest.raises(DecodeError):
        codec.decode(data, Observation)


def test_the_plainest_body_is_chosen() -> None:
    assert isinstance(body_of("déjà".encode()), TextBody)
    assert isinstance(body_of(b"a\0b"), BinaryBody)
    assert isinstance(body_of(b"\xff"), BinaryBody)
    assert BinaryBody(content=base64.b64encode(b"\xff")).to_bytes() == b"\xff"


@pytest.mark.parametrize("published", sorted(GOLDEN.glob("*.json")), ids=lambda path: path.stem)
def test_every_published_message_still_decodes(published: Path) -> None:
    models: dict[str, type[Contract]] = {"observation": Observation, "raw_event": RawEvent}
    expected = models[published.stem.rsplit("-", 1)[0]]

    codec.decode(published.read_bytes(), expected)


def _valid() -> dict[str, object]:
    data: dict[str, object] = json.loads((GOLDEN / "observation-v1.json").read_bytes())
    return data


def test_unknown_fields_are_ignored_at_every_level() -> None:
    message = _valid()
    before = codec.decode(json.dumps(message).encode(), Observation)
    message["later"] = 1
    message["actors"] = [{**actor, "later": 1} for actor in message["actors"]]  # type: ignore[attr-defined]  # JSON of a known shape
    message["payload_typed"] = {**message["payload_typed"], "later": 1}  # type: ignore[dict-item]  # JSON of a known shape

    after = codec.decode(json.dumps(message).encode(), Observation)

    assert before.actors == after.actors
    assert before.payload == after.payload


def test_a_newer_version_is_refused_before_it_is_read() -> None:
    with pytest.raises(NewerVersion, match="version 2"):
        codec.decode(b'{"contract_version": 2, "shape": "unknown"}', Observation)


@pytest.mark.parametrize("version", ["2", 2.0, True, None, 0])
def test_a_version_that_is_no_positive_integer_is_refused(version: object) -> None:
    with pytest.raises(InvalidMessage, match="contract_version"):
        codec.decode(json.dumps(_valid() | {"contract_version": version}).encode(), Observation)


@pytest.mark.parametrize(
    "moment", ['"0001-01-01T00:00:00+05:00"', '"9999-12-31T23:59:59-05:00"', '"2024"', "2024"]
)
def test_a_moment_that_cannot_be_is_refused_and_no_other_is_invented(moment: str) -> None:
    with pytest.raises(InvalidMessage, match="occurred_at"):
        codec.decode(_event(occurred_at=moment), RawEvent)


def test_a_number_beyond_all_bounds_is_refused() -> None:
    body = '{"encoding": "json", "content": [{"much": 1e400}]}'
    with pytest.raises(InvalidMessage, match="finite"):
        codec.decode(_event(body=body), RawEvent)


def _event(**fields: str) -> bytes:
    """The bytes of an event, some of whose fields are given as JSON."""
    texts = {
        "project": '"p"',
        "source": '"s"',
        "source_ref": '"r"',
        "media_type": '"a/b"',
        "body": '{"encoding": "text", "content": ""}',
    }
    members = (f'"{name}": {text}' for name, text in (texts | fields).items())
    return f"{{{', '.join(members)}}}".encode()


@pytest.mark.parametrize(
    "data", [b"null", b"[]", b"3", b"{", b"\xff\xfe", b"", b'{"a": "\\ud800"}']
)
def test_what_is_no_json_object_is_undecodable(data: bytes) -> None:
    with pytest.raises(Undecodable):
        codec.decode(data, Observation)


def test_deep_nesting_is_refused() -> None:
    nested: object = 1
    for _ in range(codec.MAXIMUM_DEPTH + 1):
        nested = [nested]
    with pytest.raises(TooDeep):
        codec.decode(json.dumps({"a": nested}).encode(), Observation)
    with pytest.raises(Undecodable):
        codec.decode(b'{"a":' + b"[" * 100_000, Observation)


def test_nul_is_refused_in_both_directions() -> None:
    with pytest.raises(ForbiddenText):
        codec.decode(b'{"source": "a\\u0000b"}', Observation)
    event = RawEvent(
        project="p", source="s", source_ref="a\0", media_type="a/b", body=TextBody(content="")
    )
    with pytest.raises(ForbiddenText):
        codec.encode(event)
    with pytest.raises(ForbiddenText):
        codec.encode(event.model_copy(update={"source_ref": "\ud800"}))


def test_a_lone_surrogate_is_refused_in_a_key_too_and_what_looks_like_its_trace_is_not() -> None:
    event = RawEvent(
        project="p", source="s", source_ref="r", media_type="a/b", body=TextBody(content="\ufffd")
    )
    assert codec.decode(codec.encode(event), RawEvent) == event
    with pytest.raises(ForbiddenText):
        codec.encode(event.model_copy(update={"body": JsonBody(content=[{"\ud800": 1}])}))


def test_a_broken_schema_names_the_place_and_not_the_content() -> None:
    message = _valid()
    message["timestamp"] = "secret-token-123"

    with pytest.raises(InvalidMessage, match="timestamp") as raised:
        codec.decode(json.dumps(message).encode(), Observation)

    assert "secret-token-123" not in str(raised.value)


def test_a_message_counts_with_its_headers() -> None:
    codec.check_size(codec.MAXIMUM_MESSAGE)
    with pytest.raises(TooLarge):
        codec.check_size(codec.MAXIMUM_MESSAGE, {"Nats-Msg-Id": "x"})
    large = RawEvent(
        project="p",
        source="s",
        source_ref="r",
        media_type="a/b",
        body=TextBody(content="x" * codec.MAXIMUM_MESSAGE),
    )
    with pytest.raises(TooLarge):
        codec.encode(large)


def test_a_reason_says_what_is_wrong_and_quotes_nothing() -> None:
    event = {"project": "Zzyzx ville", "source": "Zzyzx.mail", "source_ref": "Zzyzx" * 500}
    with pytest.raises(InvalidMessage) as refused:
        codec.decode(json.dumps(event).encode(), RawEvent)
    assert "Zzyzx" not in str(refused.value)
    assert "project: it has to be 1 to 64 letters, digits, '_' or '-'" in str(refused.value)


def test_no_message_is_of_the_project_that_stands_for_none() -> None:
    for name, expected in (("project", RawEvent), ("project_id", Observation)):
        with pytest.raises(InvalidMessage, match=f"{name}: that project is kept for messages"):
            codec.decode(json.dumps({name: "unassigned"}).encode(), expected)
