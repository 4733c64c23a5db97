"""Importing files: interrupted, repeated, with bad lines in them: nothing is lost or doubled."""

import json
from collections.abc import Iterable
from pathlib import Path

from imports import Import
from pydantic import JsonValue
from stack import Stack

HISTORY = 1600


def message(number: int, text: str) -> dict[str, JsonValue]:
    """One line of a file of notes."""
    at = f"2026-03-01T10:{number // 60 % 60:02}:{number % 60:02}Z"
    return {"id": str(number), "text": text, "at": at, "author": "owner", "conversation": "diary"}


def write_lines(path: Path, lines: Iterable[str | bytes]) -> Path:
    """A file of these lines."""
    encoded = (line if isinstance(line, bytes) else line.encode() for line in lines)
    path.write_bytes(b"".join(line + b"\n" for line in encoded))
    return path


async def test_an_interrupted_import_goes_on_and_a_repeated_one_finds_all_known(
    shared_stack: Stack, environment: dict[str, str], tmp_path: Path
) -> None:
    project = "interrupted"
    lines = (json.dumps(message(number, f"Note {number}.")) for number in range(HISTORY))
    path = write_lines(tmp_path / "notes.jsonl", lines)

    def run() -> Import:
        return Import(shared_stack.endpoints, environment, path, project=project)

    first = run().interrupt_after_first_progress()
    assert 0 < first["published"] < HISTORY
    second = run().finished()
    assert second["known"] == first["published"]
    assert second["published"] == HISTORY - first["published"]
    third = run().finished()
    assert (third["known"], third["published"]) == (HISTORY, 0)
    sources, stats = await shared_stack.drained(project)
    assert [(source.events, source.observations) for source in sources.sources] == [
        (HISTORY, HISTORY)
    ]
    assert stats.observations == HISTORY


async def test_bad_lines_are_counted_and_the_others_arrive(
    shared_stack: Stack, environment: dict[str, str], tmp_path: Path
) -> None:
    project = "bad-lines"
    good = [json.dumps(message(1, "I live in Bergen.")), json.dumps(message(2, "I use Vim."))]
    long = json.dumps(message(3, "It rains. " * 500_000))
    bad: list[str | bytes] = [
        "null",
        "7",
        "[]",
        "{}",
        "{",
        b"\xff\xfe",
        json.dumps(message(4, "a\0b")),
        json.dumps(message(5, "a\ud800b")),
        "[" * 100_000,
        "x" * 9_000_000,
    ]
    path = write_lines(tmp_path / "notes.jsonl", [good[0], *bad, "", long, good[1]])
    report = Import(shared_stack.endpoints, environment, path, project=project).finished()
    assert report["rejected"] + report["skipped"] + report["observations"] == len(bad) + 3
    assert report["observations"] >= 3
    _, stats = await shared_stack.drained(project)
    assert stats.observations == report["observations"]
    assert stats.facts == {"active": 2}


async def test_a_file_that_is_not_there_is_a_clear_error(
    shared_stack: Stack, environment: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "none.jsonl"
    complaint = Import(shared_stack.endpoints, environment, path).complaint()
    assert "none.jsonl" in complaint
    assert "Traceback" not in complaint
