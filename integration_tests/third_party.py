"""A source that somebody else brings: a package of its own, written, built and installed here."""

from pathlib import Path
from typing import Final

PROJECT_FILE: Final = """
[project]
name = "cortex-diary"
version = "1.0"
dependencies = ["cortex-insight"]

[project.entry-points."cortex_insight.parsers"]
diary = "cortex_diary:DiaryParser"

[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"
"""

MODULE: Final = '''
"""A diary: a day a line, such as `2026-03-01: I moved to Porto.`"""

import re
from datetime import UTC, datetime

from cortex_insight.event import split_lines
from cortex_insight.parser import Confidence, Draft, Parsed, Reject
from roxabi_contracts import ActorRole, RawEvent, Statement, TimeNote
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.event import body_of
from roxabi_contracts.ids import content_id
from roxabi_contracts.payloads import TimePrecision, TimeSource

DAY = re.compile(rb"(\\d{4}-\\d\\d-\\d\\d): (.+)")


def ref_of(line):
    day = DAY.match(line)
    return day[1].decode() if day else f"content:{content_id(line.hex())}"


class DiaryParser:
    source = "diary"
    title = "Diaries, a day a line (*.diary)"
    version = 1
    media_types = frozenset({"text/x-diary"})

    def recognise(self, head):
        return Confidence.CERTAIN if DAY.match(head.content) else Confidence.NONE

    def split(self, content, context):
        for line in split_lines(content):
            if line.content.strip():
                yield RawEvent(
                    project=context.project, source=self.source, media_type="text/x-diary",
                    source_ref=ref_of(line.content),
                    body=body_of(line.content), owner=context.owner,
                )

    def provides(self, event):
        return ()

    def needs(self, event):
        return ()

    def parse(self, event, neighbours, context):
        day = DAY.fullmatch(event.body.to_bytes().strip())
        if day is None or event.owner is None:
            return Reject("no_day", "a line of a diary begins with its day")
        try:
            moment = datetime.fromisoformat(day[1].decode()).replace(tzinfo=UTC)
            text = day[2].decode()
        except ValueError:
            return Reject("no_day", "the day is none, or the line is not UTF-8")
        time = TimeNote(precision=TimePrecision.DAY, source=TimeSource.RECORD)
        author = event.owner.model_copy(update={"role": ActorRole.AUTHOR})
        return Parsed((
            Draft(
                payload=Statement(text=text.replace("\\0", ""), time=time),
                source_ref=day[1].decode(), timestamp=max(epoch_ms(moment), 0),
                actors=(author,), subject=0, speaker=0,
            ),
        ))
'''

TESTS: Final = """
from cortex_diary import DiaryParser
from cortex_insight.testing import ParserConformance, SampleFile


class TestDiary(ParserConformance):
    parser = DiaryParser()
    files = (SampleFile("my.diary", b"2026-03-01: I moved to Porto.\\n2026-03-02: I use Vim.\\n"),)
"""


def write_package(folder: Path) -> Path:
    """The package as its author would have it."""
    for name, content in {
        "pyproject.toml": PROJECT_FILE,
        "src/cortex_diary/__init__.py": MODULE,
        "tests/test_diary.py": TESTS,
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content.lstrip("\n"), encoding="utf-8")
    return folder
