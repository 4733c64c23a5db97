"""The two histories that Cortex comes with, as the raw events that an import makes of them."""

from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

from cortex_insight.event import Skipped
from cortex_insight.files import Passed, find_files
from cortex_insight.parsers import load_parsers
from roxabi_contracts.event import RawEvent
from samples import MESSAGE, PROJECT, owner

CLAUDE_CODE: Final = "claude-code-jsonl"
MIRA: Final = "mira.delcourt@example.org"
FOLDERS: Final = {CLAUDE_CODE: "claude-code", MESSAGE: "chat"}


def sample_folder(source: str) -> Path:
    """Where the history of this source lies."""
    with as_file(files("cortex_local") / "samples" / FOLDERS[source]) as folder:
        return folder


def sample_events(project: str = PROJECT) -> list[RawEvent]:
    """All events of both histories, in the order in which they were written."""
    return [event for source in FOLDERS for event in _events(source, project)]


def _events(source: str, project: str) -> Iterator[RawEvent]:
    parser = load_parsers()[source]
    for found in find_files([sample_folder(source)]):
        assert not isinstance(found, Passed), found.reason
        for item in parser.split(found.pieces(), found.context(project, owner(MIRA))):
            assert not isinstance(item, Skipped), item.reason
            yield item
