"""Looking after both services over the broker and on the command line."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from cortex_local import accounts
from cortex_local.cli.app import app
from cortex_local.errors import StackError
from cortex_local.state import Endpoints
from nats.aio.msg import Msg
from polling import NotYet, eventually
from roxabi_contracts import codec, subjects
from roxabi_contracts.client import NoAnswer, PermissionViolation, UpkeepClient
from roxabi_contracts.errors import ErrorCode, ErrorReply, RequestRefused
from roxabi_contracts.subjects import InsightCommand, MemoryCommand, Query
from roxabi_contracts.upkeep import (
    DeadLettersReply,
    DeadLettersRequest,
    ExportRequest,
    ReplayCounts,
    ReplayPage,
    ReplayRequest,
    RetainRequest,
)
from samples import OWNER, note, notes
from stack import Stack
from typer.testing import CliRunner

PROJECT = "upkeep"
UNREADABLE = note("Hello?", project=PROJECT).model_copy(update={"source": "carrier-pigeon"})


async def refused_by_memory(stack: Stack, project: str) -> DeadLettersReply:
    async def look() -> DeadLettersReply:
        async with stack.connected() as connection:
            asked = DeadLettersRequest(project=project)
            reply = await UpkeepClient(connection).memory_dead_letters(asked)
        if not reply.letters:
            raise NotYet("there are none")
        return reply

    return await eventually("dead letters of memory", look)


async def test_an_event_that_nobody_reads_is_listed_and_tried_again(shared_stack: Stack) -> None:
    await shared_stack.publish([UNREADABLE])
    sources, _ = await shared_stack.drained(PROJECT)
    assert {queue.name: queue.failed for queue in sources.queues}["dead_letters"] == 1

    async with shared_stack.connected() as connection:
        client = UpkeepClient(connection)
        asked = DeadLettersRequest(project=PROJECT, retry=True)
        reply = await client.insight_dead_letters(asked)

    assert reply.retried == 0
    assert [(letter.code, letter.attempts) for letter in reply.letters] == [("unknown_source", 2)]


async def test_messages_without_a_project_are_the_operators(shared_stack: Stack) -> None:
    async with shared_stack.connected(accounts.INSIGHT) as connection:
        jetstream = connection.client.jetstream()
        await jetstream.publish(subjects.OBSERVATIONS, b"???")
        body = {"project_id": PROJECT, "contract_version": 99}
        await jetstream.publish(subjects.OBSERVATIONS, json.dumps(body).encode())

    (nameless,) = (await refused_by_memory(shared_stack, subjects.UNASSIGNED)).letters
    assert nameless.code == "undecodable"
    (named,) = (await refused_by_memory(shared_stack, PROJECT)).letters
    assert named.code == "newer_version"

    async with shared_stack.connected(accounts.AGENT) as connection:
        with pytest.raises(PermissionViolation):
            await UpkeepClient(connection).memory_dead_letters(
                DeadLettersRequest(project=subjects.UNASSIGNED)
            )


async def test_a_memory_is_exported_and_a_stranger_is_not(shared_stack: Stack) -> None:
    project = "exported"
    await shared_stack.publish(notes("I live in Bergen.", "I use Vim.", project=project))
    await shared_stack.drained(project)

    async with shared_stack.connected() as connection:
        client = UpkeepClient(connection)
        request = ExportRequest(project=project, subject=OWNER)
        pages = [page async for page in client.export(request)]
        assert (await client.retain(RetainRequest(project=project))).requeued == 0
        stranger = request.model_copy(update={"subject": "nobody@example.org"})
        with pytest.raises(RequestRefused) as refused:
            await anext(aiter(client.export(stranger)))

    assert sum(len(page.records) for page in pages) == pages[0].total == 5
    assert refused.value.reply.code is ErrorCode.UNKNOWN_SUBJECT


@pytest.mark.parametrize("data", [b"", b"null", b'{"project": "another"}'])
@pytest.mark.parametrize(
    "subject",
    [
        subjects.query(Query.DEAD_LETTERS, PROJECT),
        subjects.insight_command(InsightCommand.DEAD_LETTERS, PROJECT),
        subjects.insight_command(InsightCommand.REPLAY, PROJECT),
        subjects.memory_command(MemoryCommand.RETAIN, PROJECT),
        subjects.memory_command(MemoryCommand.EXPORT, PROJECT),
    ],
)
async def test_a_wrong_request_gets_a_typed_error(
    shared_stack: Stack, subject: str, data: bytes
) -> None:
    async with shared_stack.connected() as connection:
        reply: Msg = await connection.client.request(subject, data, timeout=30)
    assert not codec.decode(reply.data, ErrorReply).retryable


def _find(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the commands find a stack that no supervisor has started."""

    def endpoints(_: object) -> Endpoints:
        return stack.endpoints

    def running(_: object) -> None:
        """There is no folder of it."""

    monkeypatch.setattr("cortex_local.cli.requests.read_endpoints", endpoints)
    monkeypatch.setattr("cortex_local.control.running_stack", running)


async def test_the_commands_say_what_they_did(
    shared_stack: Stack, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    project = "typed"
    bad = UNREADABLE.model_copy(update={"project": project})
    await shared_stack.publish([bad, *notes("I live in Bergen.", project=project)])
    await shared_stack.drained(project)
    _find(shared_stack, monkeypatch)
    file = tmp_path / "memory.jsonl"

    def typed(*arguments: str) -> str:
        result = CliRunner().invoke(app, [*arguments, "--project", project])
        assert result.exit_code == 0, result.output
        return result.output

    listed = await asyncio.to_thread(typed, "dead-letters", "list", "--json")
    (letter,) = json.loads(listed)["insight"]["letters"]
    assert "carrier-pigeon" in await asyncio.to_thread(typed, "dead-letters", "list")
    assert letter["code"] in await asyncio.to_thread(typed, "dead-letters", "show", letter["id"])
    await asyncio.to_thread(typed, "dead-letters", "retry", "--all")
    output = await asyncio.to_thread(typed, "replay", "message", "--json")
    replayed = json.loads(output[output.index("{") :])
    assert (replayed["events"], replayed["unchanged"], replayed["changes"]) == (1, 1, [])
    assert "unchanged" in await asyncio.to_thread(typed, "replay", "message", "--changes")
    await asyncio.to_thread(typed, "retain")
    await asyncio.to_thread(typed, "export", OWNER, "--output", str(file))

    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [line["set"] for line in lines] == ["project", "observation", "candidate"]
    assert file.stat().st_mode & 0o077 == 0


async def test_a_replay_of_what_the_lake_never_had_says_so(
    shared_stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    _find(shared_stack, monkeypatch)
    result = await asyncio.to_thread(CliRunner().invoke, app, ["replay", "carrier-pigeon"])
    assert isinstance(result.exception, StackError)
    assert "no such events" in result.exception.message


async def test_an_interrupted_replay_says_how_to_go_on(
    shared_stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The broker goes away after the first page."""
    _find(shared_stack, monkeypatch)
    page = ReplayPage(
        project=PROJECT,
        source="message",
        passed=200,
        counts=ReplayCounts(events=200, unchanged=200),
        cursor="0a1b",
        total=900,
    )

    async def break_off(_: UpkeepClient, asked: ReplayRequest) -> AsyncIterator[ReplayPage]:
        yield page
        raise NoAnswer("nobody serves it")

    monkeypatch.setattr(UpkeepClient, "replay", break_off)
    command = ["replay", "message", "--project", PROJECT, "--since", "2026-03-01"]
    result = await asyncio.to_thread(CliRunner().invoke, app, command)
    assert isinstance(result.exception, NoAnswer)
    assert (
        "cortex replay message --project upkeep --since 2026-03-01T00:00:00+00:00 --after 0a1b"
        in result.output
    )
