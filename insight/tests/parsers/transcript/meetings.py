"""Small transcripts written for tests, and what the lake makes of them."""

from typing import Final

from cortex_insight.event import Skipped
from cortex_insight.parser import ParseContext, Parsed
from cortex_insight.parsers.transcript import TranscriptParser
from cortex_insight.testing import SampleFile, read_files, readings_of
from cortex_insight.testing.samples import RECEIVED
from roxabi_contracts import Category, Observation, Origin, RawEvent

PARSER: Final = TranscriptParser()
NAMED: Final = "GMT20260303-093000_Weekly-Sync.transcript.vtt"


def vtt(*cues: tuple[str, str], header: str = "WEBVTT") -> str:
    """A file of these times and lines."""
    return f"{header}\n\n" + "\n\n".join(f"{times}\n{text}" for times, text in cues) + "\n"


def at(start: float, end: float) -> str:
    """The times of a cue, of seconds in the first minute."""
    return f"00:00:{start:06.3f} --> 00:00:{end:06.3f}"


def read(content: str | bytes, path: str = NAMED) -> list[Observation]:
    """All that a file says, in its order."""
    data = content if isinstance(content, bytes) else content.encode()
    items = read_files(PARSER, [SampleFile(path, data)])
    readings = readings_of(PARSER, [item for item in items if isinstance(item, RawEvent)])
    assert [one.reject for one in readings if one.reject] == []
    found = [one for reading in readings for one in reading.observations]
    return sorted(found, key=lambda one: (one.sequence or 0, one.source_ref))


def turns(content: str | bytes, path: str = NAMED) -> list[Observation]:
    """What was said in it."""
    return [one for one in read(content, path) if one.category is Category.INTERACTION]


def said(content: str | bytes, path: str = NAMED) -> list[tuple[str | None, str]]:
    """Who said what."""
    return [(one.actors[0].name, one.payload.text) for one in turns(content, path)]


def meeting(content: str | bytes, path: str = NAMED) -> Observation:
    """The meeting itself."""
    (one,) = (found for found in read(content, path) if found.category is Category.ARTIFACT)
    return one


def skipped(content: str) -> list[Skipped]:
    """What became no event."""
    items = read_files(PARSER, [SampleFile(NAMED, content.encode())])
    return [item for item in items if isinstance(item, Skipped)]


def speakers(content: str) -> list[int | None]:
    """Whose own words each event holds; the meeting, which comes last, has none."""
    items = read_files(PARSER, [SampleFile(NAMED, content.encode())])
    parsed = [
        PARSER.parse(one, {}, ParseContext(RECEIVED, Origin.SEMI_TRUSTED))
        for one in items
        if isinstance(one, RawEvent)
    ]
    return [draft.speaker for one in parsed if isinstance(one, Parsed) for draft in one.drafts]
