"""Bad input: each kind gets a clear answer, and nothing else is lost for it."""

import base64
import hashlib
import json

import pytest
from cortex_local import accounts
from nats.aio.msg import Msg
from polling import NotYet, eventually
from pydantic import ValidationError
from roxabi_contracts import codec, subjects
from roxabi_contracts.client import LakeClient, MemoryClient, ProducerClient
from roxabi_contracts.context import ContextRequest
from roxabi_contracts.errors import (
    ErrorCode,
    ErrorReply,
    ForbiddenText,
    InvalidToken,
    RequestRefused,
    TooLarge,
)
from roxabi_contracts.event import BinaryBody, JsonBody, RawEvent, TextBody
from roxabi_contracts.operations import EventState, RejectedMessage, SourcesRequest
from roxabi_contracts.subjects import InsightCommand, Query
from samples import MESSAGE, note, notes
from stack import ANSWER_SECONDS, Stack


def spelled(event: RawEvent, **changes: object) -> bytes:
    """The event as JSON with some members exchanged: bytes that no producer of ours sends."""
    return json.dumps({**event.model_dump(mode="json"), **changes}).encode()


def nested(depth: int) -> object:
    """A list in a list in a list ..."""
    value: object = []
    for _ in range(depth):
        value = [value]
    return value


def digest_of(data: bytes) -> str:
    """What a dead letter names the bytes by."""
    return hashlib.sha256(data).hexdigest()


GOOD = note("I live in Bergen.")
UNREADABLE = {
    "bytes that are not UTF-8": (b"\xff\xfe{", ErrorCode.UNDECODABLE),
    "text that is not JSON": (b"hello", ErrorCode.UNDECODABLE),
    "nothing at all": (b"", ErrorCode.UNDECODABLE),
    "null": (b"null", ErrorCode.UNDECODABLE),
    "a list": (b"[]", ErrorCode.UNDECODABLE),
    "a newer version": (spelled(GOOD, contract_version=2), ErrorCode.NEWER_VERSION),
    "a version that is none": (spelled(GOOD, contract_version="x"), ErrorCode.INVALID_REQUEST),
    "version zero": (spelled(GOOD, contract_version=0), ErrorCode.INVALID_REQUEST),
    "a missing member": (b'{"project": "personal"}', ErrorCode.INVALID_REQUEST),
    "a NUL": (spelled(GOOD, source_ref="a\0b"), ErrorCode.INVALID_REQUEST),
    "a lone surrogate": (spelled(GOOD, source_ref="a\ud800b"), ErrorCode.UNDECODABLE),
    "a nest too deep": (spelled(GOOD, attributes={"a": nested(80)}), ErrorCode.INVALID_REQUEST),
    "a nest that breaks recursion": (b'{"a":' * 100_000, ErrorCode.UNDECODABLE),
    "a version in disguise": (spelled(GOOD, contract_version="2"), ErrorCode.INVALID_REQUEST),
    "a moment beyond all years": (
        spelled(GOOD, occurred_at="0001-01-01T00:00:00+05:00"),
        ErrorCode.INVALID_REQUEST,
    ),
    "a number beyond all bounds": (
        spelled(GOOD, attributes={"a": "?"}).replace(b'"?"', b"1e400"),
        ErrorCode.INVALID_REQUEST,
    ),
    "a hostile project": (spelled(GOOD, project="a.>"), ErrorCode.INVALID_REQUEST),
    "a hostile source": (spelled(GOOD, source="*"), ErrorCode.INVALID_REQUEST),
}


async def publish_raw(stack: Stack, user: str, subject: str, *bodies: bytes) -> None:
    """Put bytes on a stream past every check of the clients."""
    async with stack.connected(user) as connection:
        for body in bodies:
            await connection.client.jetstream().publish(subject, body)


async def letter_about(stack: Stack, data: bytes) -> RejectedMessage:
    """Wait for insight's dead letter about these bytes."""
    digest = digest_of(data)

    async def look() -> RejectedMessage:
        for letter in await stack.rejected_events():
            if letter.sha256 == digest:
                return letter
        raise NotYet("no dead letter about it")

    return await eventually("a dead letter", look)


@pytest.mark.parametrize("name", UNREADABLE)
async def test_an_unreadable_event_is_dead_lettered_and_the_next_one_arrives(
    shared_stack: Stack, name: str
) -> None:
    data, code = UNREADABLE[name]
    project = "-".join(name.split())
    await publish_raw(shared_stack, accounts.SOURCE, subjects.events(MESSAGE, project), data)
    await shared_stack.publish(notes("I live in Bergen.", project=project))
    letter = await letter_about(shared_stack, data)
    assert letter.code == code
    assert letter.reason
    assert "Bergen" not in letter.reason
    assert letter.size == len(data)
    sources, stats = await shared_stack.drained(project)
    assert stats.facts == {"active": 1}
    assert [source.events for source in sources.sources] == [1]


async def test_an_event_of_an_unknown_source_is_kept_with_its_reason(shared_stack: Stack) -> None:
    project = "unknown-source"
    event = GOOD.model_copy(update={"project": project, "source": "carrier-pigeon"})
    await shared_stack.publish([event])
    await shared_stack.drained(project)
    async with shared_stack.connected() as connection:
        asked = SourcesRequest(project=project, event_ids=(event.event_id,))
        (status,) = (await LakeClient(connection).sources(asked)).events
    assert status.state is EventState.REJECTED
    assert "carrier-pigeon" in str(status.reason)


async def test_a_subject_and_a_body_of_different_projects_are_refused(shared_stack: Stack) -> None:
    data = spelled(GOOD, project="mine")
    await publish_raw(shared_stack, accounts.SOURCE, subjects.events(MESSAGE, "yours"), data)
    assert (await letter_about(shared_stack, data)).code == ErrorCode.PROJECT_MISMATCH
    for project in ("mine", "yours"):
        _, stats = await shared_stack.drained(project)
        assert stats.observations == 0


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("a record that is null", JsonBody(content=None)),
        ("a record that is a number", JsonBody(content=7)),
        ("a record without members", JsonBody(content={})),
        ("a text that is not JSON", TextBody(content="hello")),
        ("bytes that are not UTF-8", BinaryBody(content=base64.b64encode(b"\xff\xfe"))),
        ("bytes with NUL", BinaryBody(content=base64.b64encode(b'{"text": "a\0b"}'))),
    ],
)
async def test_a_record_that_its_parser_cannot_read_is_kept_with_its_reason(
    shared_stack: Stack, name: str, body: JsonBody | TextBody | BinaryBody
) -> None:
    project = "-".join(name.split())
    bad = GOOD.model_copy(update={"project": project, "source_ref": "bad", "body": body})
    await shared_stack.publish([bad, *notes("I live in Bergen.", project=project)])
    sources, stats = await shared_stack.drained(project)
    assert stats.facts == {"active": 1}
    assert [(source.events, source.rejected) for source in sources.sources] == [(2, 1)]


async def test_text_that_nothing_can_keep_is_refused_where_it_is_sent(shared_stack: Stack) -> None:
    async with shared_stack.connected(accounts.SOURCE) as connection:
        producer = ProducerClient(connection)
        for text in ("a\0b", "a\ud800b"):
            with pytest.raises(ForbiddenText):
                await producer.publish(GOOD.model_copy(update={"body": TextBody(content=text)}))


async def test_an_oversized_event_is_refused_where_it_is_sent(shared_stack: Stack) -> None:
    big = GOOD.model_copy(update={"body": TextBody(content="x" * codec.MAXIMUM_EVENT)})
    async with shared_stack.connected(accounts.SOURCE) as connection:
        producer = ProducerClient(connection)
        with pytest.raises(TooLarge, match="at most"):
            await producer.publish(big)
        assert await producer.publish(GOOD.model_copy(update={"project": "after-the-big-one"}))


async def test_a_note_of_five_megabytes_arrives(shared_stack: Stack) -> None:
    project = "five-megabytes"
    long = "I live in Bergen. " + "It rains. " * 500_000
    await shared_stack.publish(notes(long, project=project))
    sources, stats = await shared_stack.drained(project)
    assert [(source.events, source.rejected) for source in sources.sources] == [(1, 0)]
    assert stats.observations == 1


def test_a_token_that_would_leave_its_place_in_a_subject_is_refused() -> None:
    for token in ("a.b", "*", ">", "", "a b", "a\n", "é", "x" * 65):
        with pytest.raises(InvalidToken):
            subjects.events(MESSAGE, token)
        with pytest.raises(ValidationError):
            ContextRequest(project=token, subjects=("a@example.org",), query="who?")


async def test_an_unreadable_observation_is_dead_lettered(shared_stack: Stack) -> None:
    project = "bad-observation"
    bodies = (b"\xff", b'{"contract_version": 99}', b'{"id": 1}')
    await publish_raw(shared_stack, accounts.INSIGHT, subjects.OBSERVATIONS, *bodies)
    await shared_stack.publish(notes("I live in Bergen.", project=project))
    _, stats = await shared_stack.drained(project)
    assert stats.facts == {"active": 1}
    digests = {digest_of(body) for body in bodies}

    async def look() -> None:
        letters = await shared_stack.rejected_observations()
        if missing := digests - {letter.sha256 for letter in letters}:
            raise NotYet(f"{len(missing)} of them have no dead letter")

    await eventually("the dead letters of memory", look)


async def error_of(stack: Stack, subject: str, data: bytes) -> ErrorReply:
    """The typed error that a service replies to these bytes."""
    async with stack.connected() as connection:
        reply: Msg = await connection.client.request(subject, data, timeout=ANSWER_SECONDS)
    return codec.decode(reply.data, ErrorReply)


QUESTION = ContextRequest(project="questions", subjects=("a@example.org",), query="who?")


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"budget_tokens": 0}, ErrorCode.BUDGET_EXCEEDED),
        ({"budget_tokens": -5}, ErrorCode.BUDGET_EXCEEDED),
        ({"query": ""}, ErrorCode.EMPTY_QUERY),
        ({"query": " \n\t"}, ErrorCode.EMPTY_QUERY),
        ({"contract_version": 2}, ErrorCode.NEWER_VERSION),
        ({"project": "another"}, ErrorCode.PROJECT_MISMATCH),
        ({"project": "a.b"}, ErrorCode.INVALID_REQUEST),
        ({"subjects": []}, ErrorCode.INVALID_REQUEST),
        ({"subjects": ["nobody at all"]}, ErrorCode.UNKNOWN_SUBJECT),
        ({"query": "a\0b"}, ErrorCode.INVALID_REQUEST),
    ],
)
async def test_a_wrong_question_gets_a_typed_error(
    shared_stack: Stack, changes: dict[str, object], code: ErrorCode
) -> None:
    data = json.dumps({**QUESTION.model_dump(mode="json"), **changes}).encode()
    reply = await error_of(shared_stack, subjects.query(Query.CONTEXT, QUESTION.project), data)
    assert reply.code is code
    assert reply.message
    assert not reply.retryable


@pytest.mark.parametrize("data", [b"", b"\xff", b"null", b"[" * 100_000])
@pytest.mark.parametrize(
    "subject",
    [
        *(
            subjects.query(what, QUESTION.project)
            for what in (Query.CONTEXT, Query.TRACE, Query.FACTS, Query.STATS)
        ),
        subjects.insight_command(InsightCommand.SOURCES, QUESTION.project),
    ],
)
async def test_a_request_that_cannot_be_decoded_gets_a_typed_error(
    shared_stack: Stack, subject: str, data: bytes
) -> None:
    assert (await error_of(shared_stack, subject, data)).code is ErrorCode.UNDECODABLE


async def test_the_client_raises_the_typed_error(shared_stack: Stack) -> None:
    wrong = QUESTION.model_copy(update={"budget_tokens": 0})
    async with shared_stack.connected() as connection:
        with pytest.raises(RequestRefused) as refused:
            await MemoryClient(connection).context(wrong, deadline=ANSWER_SECONDS)
    assert refused.value.reply.code is ErrorCode.BUDGET_EXCEEDED
