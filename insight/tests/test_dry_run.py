"""A dry run shows what the lake would make of a file."""

import json
from pathlib import Path

from cortex_insight.dry_run import dry_run
from cortex_insight.reader import Reader

from tests.lines_source import CONFIG, RECEIVED, SOURCE, lines_job


def test_every_record_is_accounted_for(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("b after a\n- no\n? why\na\na\n")
    lines = [
        json.loads(line) for line in dry_run(Reader({SOURCE: CONFIG}), lines_job(path), RECEIVED)
    ]
    said = [line["payload_typed"]["text"] for line in lines if "payload_typed" in line]
    assert said == ["a", "a | b after a"]
    assert {"skipped": "not wanted", "place": str(path), "offset": 10} in lines
    assert {"rejected": "unreadable", "reason": "a question"} in lines
    assert len(lines) == 4


def test_a_record_that_cannot_be_sent_is_told(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"a\0\nb\n")
    lines = [
        json.loads(line) for line in dry_run(Reader({SOURCE: CONFIG}), lines_job(path), RECEIVED)
    ]
    assert [line.get("rejected") for line in lines] == ["not_sendable", None]
