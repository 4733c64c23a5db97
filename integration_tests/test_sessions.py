"""Sessions of an agent that is at work while they are read."""

import json
from pathlib import Path

import pytest
from imports import Import
from polling import NotYet, eventually
from roxabi_contracts.errors import RequestRefused
from stack import Stack

FIRST = "019c0000-0000-7000-8000-000000000001"
SECOND = "019c4000-0000-7000-8000-000000000002"


def line(kind: str, **payload: object) -> str:
    """A record of Codex."""
    stated = {"timestamp": "2026-03-01T08:00:00.250Z", "type": kind, "payload": payload}
    return json.dumps(stated) + "\n"


def prompt(text: str) -> str:
    """What a person types, told in two ways as the program does."""
    content = [{"type": "input_text", "text": text}]
    return line("response_item", type="message", role="user", content=content) + line(
        "event_msg", type="user_message", message=text
    )


async def test_a_session_is_followed_while_it_is_written_and_forked(
    shared_stack: Stack, environment: dict[str, str], tmp_path: Path
) -> None:
    project = "followed"

    async def known(value: str) -> None:
        try:
            facts = [str(fact.value) for fact in await shared_stack.facts(project=project)]
        except RequestRefused as refusal:
            raise NotYet(str(refusal)) from refusal
        if not any(value in fact for fact in facts):
            raise NotYet(str(facts))

    begun = line("session_meta", id=FIRST, cwd="/tidebook", cli_version="0.120.0")
    begun += prompt("I live in Porto.")
    next_prompt = prompt("I work at Marea.")
    session = tmp_path / "rollout-1.jsonl"
    session.write_text(begun + next_prompt[:40])
    following = Import(
        shared_stack.endpoints, environment, tmp_path, project=project, source=None, watch=True
    )
    await eventually("Porto is known", lambda: known("Porto"))
    with pytest.raises(NotYet):
        await known("Marea")

    session.write_text(begun + next_prompt)
    await eventually("Marea is known", lambda: known("Marea"))

    forked = line("session_meta", id=SECOND, forked_from_id=FIRST, cli_version="0.120.0")
    forked += begun + next_prompt + prompt("I speak Portuguese.")
    (tmp_path / "rollout-2.jsonl").write_text(forked)
    await eventually("Portuguese is known", lambda: known("Portuguese"))

    report = following.interrupted()
    assert report["rejected"] == 0
    _, stats = await shared_stack.drained(project)
    assert stats.observations == 3
