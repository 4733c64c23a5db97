"""What a person has, in one folder: recognised, imported in any order, remembered once."""

import json
import subprocess
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from imports import Import
from samples import OWNER
from stack import Stack

MAIL = """From tom@example.net Tue Mar  3 09:30:00 2026
From: Ada <ada@example.org>
To: Tom <tom@example.net>
Date: Tue, 03 Mar 2026 09:30:00 +0100
Message-ID: <one@example.org>
Subject: Home

I live in Porto.

On Mon, 2 Mar 2026, Tom <tom@example.net> wrote:
> I live in Rome.

From tom@example.net Tue Mar  3 10:30:00 2026
From: Tom <tom@example.net>
To: Ada <ada@example.org>
Date: Tue, 03 Mar 2026 10:30:00 +0100
Message-ID: <two@example.net>
In-Reply-To: <one@example.org>
Subject: Re: Home

I use Emacs.
"""
CHAT = {
    "name": "Tom",
    "type": "personal_chat",
    "id": 77,
    "messages": [
        {"id": 1, "type": "message", "date_unixtime": "1772600000", "from": "Tom",
         "from_id": "user77", "text": "And you?"},
        {"id": 2, "type": "message", "date_unixtime": "1772600060", "from": "Ada",
         "from_id": "user1", "text": "I speak Portuguese."},
    ],
}  # fmt: skip
MEETING = """WEBVTT

00:00:01.000 --> 00:00:03.000
<v Tom>And you?</v>

00:00:04.000 --> 00:00:06.000
<v You>I play the cello.</v>
"""
NOTE = """---
date: 2026-03-05
---
# Plans

I drink green tea.

> I live in Rome.

- [ ] Water the plants
- [x] Pay the rent
"""
WORKSPACE = {
    "general/2026-03-04.json": [
        {"type": "message", "user": "U0ADA", "ts": "1772612345.000100", "text": "I work at Marea."}
    ],
    "users.json": [
        {"id": "U0ADA", "team_id": "T1", "updated": 1772000000,
         "profile": {"real_name": "Ada", "email": OWNER}}
    ],
}  # fmt: skip


def turn(key: str, parent: str | None, role: str, text: str) -> dict[str, Any]:
    """A node of a conversation with ChatGPT."""
    content = {"content_type": "text", "parts": [text]}
    message = {"author": {"role": role}, "create_time": 1772700000.5, "content": content}
    return {key: {"id": key, "parent": parent, "children": [], "message": message}}


CONTEXT = turn("context", "root", "user", "")
CONTEXT["context"]["message"]["content"] = {
    "content_type": "user_editable_context",
    "user_instructions": "```Be terse.```",
}
CONVERSATION = {
    "conversation_id": "c1",
    "title": "Pets",
    "update_time": 1772700100.5,
    "current_node": "asked-anew",
    "mapping": turn("root", None, "system", "")
    | CONTEXT
    | turn("asked", "root", "user", "I have a dog named Rex.")
    | turn("answered", "asked", "assistant", "I live in Oslo.")
    | turn("asked-anew", "root", "user", "I have a cat named Miso."),
}


def commit(folder: Path, message: str) -> None:
    """Keep all of a folder in a repository."""
    who = ("-c", "user.name=Ada", "-c", f"user.email={OWNER}")
    for arguments in (("init", "-q"), ("add", "."), ("commit", "-qm", message)):
        subprocess.run(["git", *who, *arguments], cwd=folder, check=True)


@pytest.fixture
def history(tmp_path: Path) -> Path:
    """A folder such as people have."""
    folder = tmp_path / "history"
    folder.mkdir()
    (folder / "Sent.mbox").write_text(MAIL)
    (folder / "result.json").write_text(json.dumps(CHAT))
    (folder / "2026-03-05 Call.vtt").write_text(MEETING)
    (folder / "vault").mkdir()
    (folder / "vault" / "Plans.md").write_text(NOTE)
    commit(folder / "vault", "Plan the spring")
    (folder / "holiday.jpg").write_bytes(b"\xff\xd8\xff\xe0")
    with zipfile.ZipFile(folder / "workspace.zip", "w") as packed:
        for name, content in WORKSPACE.items():
            packed.writestr(name, json.dumps(content))
    with zipfile.ZipFile(folder / "chatgpt.zip", "w") as packed:
        packed.writestr("conversations-000.json", json.dumps([CONVERSATION]))
    return folder


async def remembered(stack: Stack, project: str) -> list[tuple[str, str, str]]:
    """The owner's facts once all is taken in."""
    await stack.drained(project)
    facts = await stack.facts(project=project)
    return sorted((one.predicate, str(one.value), one.status.value) for one in facts)


def bring(
    stack: Stack, environment: dict[str, str], project: str, paths: Sequence[Path]
) -> list[dict[str, Any]]:
    """Import paths one after the other; what each import reports."""
    return [
        Import(stack.endpoints, environment, path, project=project, source=None).finished()
        for path in paths
    ]


async def test_a_folder_of_everything_is_remembered_in_any_order(
    shared_stack: Stack, environment: dict[str, str], history: Path
) -> None:
    (whole,) = bring(shared_stack, environment, "whole", [history])
    assert whole["sources"] == {
        "chatgpt": 6, "git": 1, "mail": 2, "markdown": 1, "slack": 2, "telegram": 2,
        "transcript": 3,
    }  # fmt: skip
    assert whole["reasons"] == {"no source's file": 1}
    assert (whole["rejected"], whole["skipped"], whole["files"]) == (0, 1, 8)
    facts = await remembered(shared_stack, "whole")
    said = {(predicate, value) for predicate, value, _ in facts}
    assert ("lives_in", "{'value': 'Porto'}") in said
    assert ("works_at", "{'value': 'Marea'}") in said
    assert ("speaks", "{'value': 'Portuguese'}") in said
    assert ("commitment", "{'value': 'Water the plants'}") in said
    assert ("works_on", "{'value': 'vault'}") in said
    assert not any("rent" in value for predicate, value in said if predicate == "commitment")
    assert ("custom_instructions", "{'value': 'Be terse.'}") in said
    assert any("Miso" in value for _, value in said)
    for never in ("Rome", "Oslo", "Rex"):
        assert not any(never in value for _, value in said)

    names = ("vault", "workspace.zip", "result.json", "Sent.mbox", "chatgpt.zip")
    single = [history / name for name in (*names, "2026-03-05 Call.vtt")]
    bring(shared_stack, environment, "single", single)
    assert await remembered(shared_stack, "single") == facts

    (again,) = bring(shared_stack, environment, "single", [history])
    assert (again["known"], again["published"]) == (17, 0)
    assert await remembered(shared_stack, "single") == facts
