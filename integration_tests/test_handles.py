"""A handle changes its owner: whatever the platform, each keeps what they said."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from imports import Import
from samples import MESSAGE
from stack import Stack

TOLD = [("1", "ann", "Oslo"), ("2", "ann", "Rome"), ("1", "bee", "Bern")]
"""By which account, under which handle, who lives where: the second takes over the handle."""


def slack(folder: Path, account: str, handle: str, town: str) -> None:
    """An export of the day."""
    user = {"id": f"U0000{account}", "name": handle, "profile": {"display_name": handle}}
    text = {"type": "message", "user": f"U0000{account}", "ts": f"1772612345.{ord(town[0]):06}"}
    (folder / "general").mkdir()
    (folder / "users.json").write_text(json.dumps([user]))
    (folder / "general" / "2026-03-04.json").write_text(
        json.dumps([text | {"text": f"I live in {town}.", "username": handle}])
    )


def telegram(folder: Path, account: str, handle: str, town: str) -> None:
    """An export of the chat."""
    said = {"id": len(town) + ord(town[0]), "type": "message", "date_unixtime": "1772600000"}
    by = {"from": handle, "from_id": f"user{account}", "text": f"I live in {town}."}
    chat = {"name": "all", "type": "private_group", "id": 77, "messages": [said | by]}
    (folder / "result.json").write_text(json.dumps(chat))


def github(folder: Path, account: str, handle: str, town: str) -> None:
    """A message whose producer states the login and the account."""
    author = {"slug": handle, "name": handle, "accounts": {"github": account}}
    text = {"id": town, "at": "2026-03-04T10:00:00Z", "text": f"I live in {town}."}
    (folder / "messages.jsonl").write_text(json.dumps(text | {"author": author}))


@pytest.mark.parametrize("export", [slack, telegram, github], ids=lambda export: export.__name__)
async def test_what_was_said_stays_with_the_account_that_said_it(
    shared_stack: Stack,
    environment: dict[str, str],
    tmp_path: Path,
    export: Callable[[Path, str, str, str], None],
) -> None:
    project = f"handles-{export.__name__}"
    for account, handle, town in TOLD:
        folder = tmp_path / town
        folder.mkdir()
        export(folder, account, handle, town)
        source = MESSAGE if export is github else None
        done: dict[str, Any] = Import(
            shared_stack.endpoints, environment, folder, project=project, source=source
        ).finished()
        assert done["rejected"] == 0
    await shared_stack.drained(project)

    facts = await shared_stack.facts(project=project)
    about = {str((one.value or {})["value"]): one.about for one in facts}
    assert about.keys() == {"Oslo", "Rome", "Bern"}
    assert about["Oslo"] == about["Bern"] != about["Rome"]
