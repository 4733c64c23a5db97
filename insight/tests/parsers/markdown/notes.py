"""Small notes written for tests, and what the lake makes of them and their versions."""

from datetime import datetime, timedelta
from typing import Final

from cortex_insight.event import Skipped
from cortex_insight.parser import ParseContext, Parsed
from cortex_insight.parsers.markdown import MarkdownParser
from cortex_insight.testing import SampleFile, read_files, readings_of
from cortex_insight.testing.samples import MODIFIED, OWNER, RECEIVED
from roxabi_contracts import ActorRef, Claim, Observation, Origin, RawEvent

PARSER: Final = MarkdownParser()
LATER: Final = MODIFIED + timedelta(days=1)


def events(content: str | bytes, path: str = "vault/note.md", at: datetime = MODIFIED,
           owner: ActorRef = OWNER) -> list[RawEvent]:  # fmt: skip
    """A version of a note."""
    data = content if isinstance(content, bytes) else content.encode()
    items = read_files(PARSER, [SampleFile(path, data)], modified_at=at, owner=owner)
    return [item for item in items if isinstance(item, RawEvent)]


def read(*versions: list[RawEvent]) -> list[Observation]:
    """All that the lake makes of these versions, of each key the one that stands."""
    known = [event for version in versions for event in version]
    readings = readings_of(PARSER, known)
    assert [one.reject for one in readings if one.reject] == []
    standing: dict[str, Observation] = {}
    for one in (one for reading in readings for one in reading.observations):
        held = standing.setdefault(one.source_ref, one)
        if one.revision > held.revision:
            standing[one.source_ref] = one
    return sorted(standing.values(), key=lambda one: (one.sequence or 0, one.source_ref))


def said(
    content: str | bytes, path: str = "vault/note.md", owner: ActorRef = OWNER
) -> list[Observation]:
    """All that a note says."""
    return [one for one in read(events(content, path, owner=owner)) if not one.deleted]


def only(content: str | bytes, path: str = "vault/note.md", owner: ActorRef = OWNER) -> Observation:
    """The one thing that a note says."""
    (one,) = said(content, path, owner)
    return one


def texts(content: str | bytes, path: str = "vault/note.md") -> dict[str, str]:
    """The words of a note by what they stand under."""
    return {one.source_ref.partition("#")[2]: one.payload.text for one in said(content, path)}


def claims(content: str) -> list[tuple[str, object, str]]:
    """What a note claims: predicate, value, action."""
    found: list[Claim] = [claim for one in said(content) for claim in one.payload.claims]
    return [(one.predicate, one.value["value"], one.action.value) for one in found]


def speakers(content: str, path: str = "vault/note.md") -> list[int | None]:
    """Whose own words each piece holds."""
    context = ParseContext(RECEIVED, Origin.SEMI_TRUSTED)
    parsed = [PARSER.parse(one, {}, context) for one in events(content, path)]
    return [draft.speaker for one in parsed if isinstance(one, Parsed) for draft in one.drafts]


def skipped(path: str, content: str = "# A\n\nb\n") -> list[str]:
    """Why a file is no note."""
    items = read_files(PARSER, [SampleFile(path, content.encode())])
    return [item.reason for item in items if isinstance(item, Skipped)]
