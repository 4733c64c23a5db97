"""The meeting that a transcript is of: its name and its beginning, as far as the file tells."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pydantic import JsonValue
from roxabi_contracts.ids import content_id

from cortex_insight.parsers.transcript.cues import Cue
from cortex_insight.parsers.transcript.speech import plain

KEY_CUES: Final = 20
"""So many cues at its beginning tell a recording from every other one."""

_DATE: Final = r"(?P<year>(?:19|20)\d\d)[-_.]?(?P<month>[01]\d)[-_.]?(?P<day>[0-3]\d)"
_TIME: Final = (
    r"(?:[T _-]+(?:at[ _])?(?P<hour>[0-2]\d)[-_.:h]?(?P<minute>[0-5]\d)"
    r"(?:[-_.:]?(?P<second>[0-5]\d))?(?:\.\d+)?(?P<utc>Z|[+]00:?00)?(?!\d))?"
)
_STAMP: Final = re.compile(rf"(?<!\d)(?P<zoom>GMT)?{_DATE}{_TIME}(?!\d)")
_LANGUAGE: Final = re.compile(r"\.(?:[a-z]{2,3}(?:-[A-Za-z]{2,4})?|auto|orig|transcript|cc)$")
_ADDED: Final = re.compile(
    r"GMT|\b(?:meeting recording|recording|transcript(?:ion)?|captions?|subtitles?|audio|video|"
    r"closed_caption|gallery|[0-9]{2,4}x[0-9]{2,4})\b",
    re.IGNORECASE,
)
_NOT_TITLES: Final = frozenset(("zoom", "teams", "meeting", "untitled", "default", "file", "out"))


@dataclass(frozen=True)
class Beginning:
    """When a recording begins."""

    moment: datetime
    exact: bool
    """To the second; else only the day is known."""
    zoned: bool
    """The time is stated in UTC; else it is taken for UTC."""


@dataclass(frozen=True)
class Meeting:
    """What the file tells of the meeting."""

    key: str
    title: str | None
    beginning: Beginning | None

    def as_fields(self) -> dict[str, JsonValue]:
        """For the events of its turns."""
        began = self.beginning
        return {
            "meeting": self.key,
            "title": self.title,
            "began": began.moment.isoformat() if began else None,
            "exact": began.exact if began else False,
            "zoned": began.zoned if began else False,
        }


def read_meeting(path: str, comments: Iterable[str], cues: Sequence[Cue]) -> Meeting:
    """The meeting of a file.

    Args:
        path: Of the file; the folder may hold the date, too.
        comments: The header and the notes at the beginning of the file.
        cues: At least the first `KEY_CUES`.
    """
    *folders, name = path.split("/")
    told = [*comments]
    named = [name, *folders[-1:]]
    stamps = [
        found
        for text in (*told, *named)
        if (found := beginning_of(text, is_name=text in named)) is not None
    ]
    exact = [one for one in stamps if one.exact]
    header = told[0].split("\n", 1)[0] if told else ""
    titles = [_title(_without_ending(name)), *map(_title, folders[-1:])]
    title = header if header and ":" not in header else next((one for one in titles if one), None)
    return Meeting(_key(cues), title, next(iter(exact or stamps), None))


def beginning_of(text: str, *, is_name: bool) -> Beginning | None:
    """The first date of a text, with its time.

    Args:
        text: A comment, or the name of a file or folder.
        is_name: Programs put the beginning of the recording into it; a comment may mention any
            date, and tells the beginning only where it says so.
    """
    if not is_name:
        said = re.search(r"(?im)^\W*(?:date|start\w*|recorded|began|created)\b[^\n]*", text)
        text = said[0] if said else ""
    found = _STAMP.search(text)
    if found is None:
        return None
    clock = ":".join(found[name] or "00" for name in ("hour", "minute", "second"))
    day = "-".join(found[name] for name in ("year", "month", "day"))
    try:
        moment = datetime.fromisoformat(f"{day}T{clock}+00:00")
    except ValueError:
        return None
    exact = found["hour"] is not None
    return Beginning(moment, exact, exact and bool(found["zoom"] or found["utc"]))


def _key(cues: Sequence[Cue]) -> str:
    """Of the words and times, so that another spelling of the same transcript is the same."""
    told: list[JsonValue] = [
        [str(cue.start), *(plain(line) for line in cue.lines)] for cue in cues[:KEY_CUES]
    ]
    return content_id(told)[:24]


def _without_ending(name: str) -> str:
    name = name.rpartition(".")[0] or name
    while (shorter := _LANGUAGE.sub("", name)) != name:
        name = shorter
    return name


def _title(name: str) -> str | None:
    """What is left of a name without date, numbers and what programs add."""
    bare = _ADDED.sub(" ", _STAMP.sub(" ", name).replace("_", " "))
    bare = " ".join(bare.replace("-", " - ").split()).strip(" -.()[]")
    words = [word for word in bare.split() if not re.fullmatch(r"\d{6,}|-|[0-9a-f-]{32,}", word)]
    title = " ".join(words).replace(" - ", "-")
    known = title and title.casefold() not in _NOT_TITLES and any(map(str.isalpha, title))
    return title[:200] if known else None
