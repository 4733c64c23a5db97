"""Small histories written for tests, and what the lake makes of them."""

from typing import Final

from cortex_insight.event import Skipped
from cortex_insight.parsers.git import GitParser
from cortex_insight.testing import SampleFile, read_files, readings_of
from cortex_insight.testing.samples import OWNER
from roxabi_contracts import ActorRef, Artifact, Decision, Observation, RawEvent

PARSER: Final = GitParser()
TOM: Final = ("Tom", "tom@example.net")
ADA: Final = ("Ada", "owner@example.org")
ROOT: Final = "1" * 40


def commit(
    message: str = "Start\n", number: int = 1, parents: str = "", author: tuple[str, str] = TOM,
    mapped: tuple[str, str] | None = None, at: str = "1772352000 +0200",
    committer: tuple[str, str] | None = None, committed: str = "1772359200 +0100",
    files: tuple[str, ...] = ("A", "a.py"),
) -> bytes:  # fmt: skip
    """A commit as `git log` prints it."""
    brought = committer or author
    fields = [
        "commit 1", f"{number:040x}", parents, *author, *(mapped or author), at,
        *brought, *(brought if committer else mapped or brought), committed, message, "",
    ]  # fmt: skip
    touched = ("\n" + files[0], *files[1:], "") if files else ("",)
    return "\0".join([*fields, *touched]).encode()


def tag(
    name: str = "v1.0", message: str = "First\n", kind: str = "tag",
    tagger: tuple[str, str] = ("Tom", "<tom@example.net>"), at: str = "1772362800 +0100",
) -> bytes:  # fmt: skip
    """A tag as `git for-each-ref` prints it."""
    target = ROOT if kind == "tag" else ""
    who = tagger if kind == "tag" else ("", "")
    return "\0".join(["tag 1", name, "a" * 40, target, kind, *who, at, message, "\n"]).encode()


def events(*records: bytes, path: str = "cortex/.git") -> list[RawEvent]:
    """What these records are split into."""
    items = read_files(PARSER, [SampleFile(path, b"".join(records))])
    return [item for item in items if isinstance(item, RawEvent)]


def said(*records: bytes, path: str = "cortex/.git", owner: ActorRef = OWNER) -> list[Observation]:
    """All that a history says."""
    items = read_files(PARSER, [SampleFile(path, b"".join(records))], owner=owner)
    readings = readings_of(PARSER, [item for item in items if isinstance(item, RawEvent)])
    assert [one.reject for one in readings if one.reject] == []
    found = [one for reading in readings for one in reading.observations]
    return sorted(found, key=lambda one: one.source_ref)


def made(*records: bytes) -> tuple[Observation, Artifact]:
    """The one commit or tag."""
    (one,) = (found for found in said(*records) if isinstance(found.payload, Artifact))
    assert isinstance(one.payload, Artifact)
    return one, one.payload


def decided(*records: bytes) -> list[tuple[str, str, str | None]]:
    """What was decided: words, status, rationale."""
    payloads = [one.payload for one in said(*records) if isinstance(one.payload, Decision)]
    return [(one.decision, one.status.value, one.rationale) for one in payloads]


def skipped(content: bytes) -> list[str]:
    """Why something is no record."""
    items = read_files(PARSER, [SampleFile("cortex/.git", content)])
    return [item.reason for item in items if isinstance(item, Skipped)]


def people(*records: bytes) -> list[tuple[str | None, str, str, list[str]]]:
    """The actors: name, kind, role, keys."""
    return [
        (who.name, who.kind.value, who.role.value, [key.value for key in who.identifiers])
        for who in made(*records)[0].actors
    ]
