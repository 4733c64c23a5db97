"""Who says what in a cue: voices, names before colons, names on a line; without any markup."""

import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cortex_insight.parsers.transcript.cues import Cue
from cortex_insight.parsers.transcript.names import is_label, speaker_name

_VOICE: Final = re.compile(r"<v(?:\.[^\s<>]*)*[ \t]+([^<>]*)>|(</v>)", re.IGNORECASE)
_TAG: Final = re.compile(
    r"</?(?:c|i|b|u|v|s|em|ruby|rt|lang|font|span)(?:[ .\t][^<>]*)?>|<[\d:.,]{3,15}>|\{\\[^{}]*\}",
    re.IGNORECASE,
)
INLINE_TIME: Final = re.compile(r"<\d{1,5}:\d\d[\d:.,]*>")
_PREFIX: Final = re.compile(r"\s*(?:>>+\s*)?\[?([^:：\[\]]{1,80})\]?[:：](?:\s+(.*)|)$")
_ALONE: Final = re.compile(r"\s*[\[(]([^()\[\]]{2,60})[\])]\s*")
_SOUND: Final = re.compile(r"[\[(*][^\[\]()*]*[\])*]|[\s♪♫#_…-]+|♪.*")
_TURN: Final = re.compile(r"\s*(?:>>+|[-–—](?=[^\s-]|\s+\S))\s*")
_SPACE: Final = re.compile(r"[\s\u00a0\u200b]+")


@dataclass(frozen=True)
class Utterance:
    """Words of one voice."""

    start: int
    end: int
    speaker: str | None
    """As the file names them; null: it does not."""
    text: str
    is_new: bool = False
    """Another voice than before, though the file names none."""


@dataclass(frozen=True)
class Style:
    """How a file names who speaks, as its beginning shows."""

    names: frozenset[str] | None = frozenset()
    """Which names count before a colon; null: any that can be one."""
    lines: bool = False
    """Names stand in brackets on lines of their own."""

    def speaker(self, text: str) -> str | None:
        """The speaker that a text before a colon names."""
        name = speaker_name(text)
        known = name is not None and (self.names is None or name in self.names or is_label(name))
        return name if known else None


def style_of(cues: Sequence[Cue]) -> Style:
    """How the file names who speaks.

    What stands before a colon is a name if most cues have one, or if several names come again:
    "Remember: ..." alone is nobody.
    """
    before: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    prefixed = 0
    for cue in cues:
        lines = [plain(line) for line in cue.lines]
        found = [name for line in lines if (name := _name_before(line)) is not None]
        before.update(found)
        prefixed += bool(found)
        first = _name_alone(lines[0]) if lines else None
        alone.update([first] if first else [])
    on_lines = sum(alone.values()) * 2 > len(cues)
    if before and prefixed * 2 >= len(cues):
        return Style(None, on_lines)
    again = frozenset(name for name, count in before.items() if count > 1)
    return Style(again if len(again) > 1 else frozenset(), on_lines)


def utterances(cue: Cue, lines: Sequence[str], style: Style) -> Iterator[Utterance]:
    """What is said in a cue, of which these lines are new."""
    text = "\n".join(lines)
    if _VOICE.search(text):
        yield from _voices(cue, text)
        return
    speaker: str | None = None
    said: list[str] = []
    is_new = False
    for line in lines:
        name, words, starts = _read_line(plain(line), style, many=len(lines) > 1)
        if (name is not None or starts) and said:
            yield Utterance(cue.start, cue.end, speaker, " ".join(said), is_new)
            speaker, said = None, []
        speaker, is_new = (name, starts) if name is not None or starts else (speaker, is_new)
        said += [words] if words else []
    if said:
        yield Utterance(cue.start, cue.end, speaker, " ".join(said), is_new)


def plain(text: str) -> str:
    """A line as it is shown."""
    return _SPACE.sub(" ", html.unescape(_TAG.sub("", text))).strip()


def _voices(cue: Cue, text: str) -> Iterator[Utterance]:
    place, speaker = 0, None
    for mark in _VOICE.finditer(text):
        yield from _voice(cue, speaker, text[place : mark.start()])
        place = mark.end()
        speaker = None if mark[2] else plain(mark[1])[:200] or None
    yield from _voice(cue, speaker, text[place:])


def _voice(cue: Cue, speaker: str | None, text: str) -> Iterator[Utterance]:
    words = " ".join(line for one in text.split("\n") if (line := _said(plain(one))))
    if words:
        yield Utterance(cue.start, cue.end, speaker, words)


def _read_line(line: str, style: Style, *, many: bool) -> tuple[str | None, str, bool]:
    """The name that a line gives, its words, and whether another voice begins with it."""
    if style.lines and (alone := _name_alone(line)) is not None:
        return alone, "", True
    found = _PREFIX.fullmatch(line)
    name = style.speaker(found[1]) if found else None
    if found and name is not None:
        return name, _said(found[2] or ""), True
    dash = _TURN.match(line)
    marked = dash is not None and (many or dash[0].strip().startswith((">", "-")))
    words = line[dash.end() :] if dash and marked else line
    return None, _said(words), marked


def _said(line: str) -> str:
    """The words of a line; a sound, or music, is none."""
    return "" if _SOUND.fullmatch(line) else line


def _name_before(line: str) -> str | None:
    found = _PREFIX.fullmatch(line)
    return speaker_name(found[1]) if found else None


def _name_alone(line: str) -> str | None:
    found = _ALONE.fullmatch(line)
    name = speaker_name(found[1]) if found else None
    return name if name is not None and (len(name.split()) > 1 or is_label(name)) else None
