"""The cues of a WebVTT or SubRip file, however its writer spelled them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from cortex_insight.event import Skipped

_CLOCK: Final = r"(?:(\d{1,5}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,6}))?"
TIMING: Final = re.compile(rf"\s*{_CLOCK}\s*-{{2,}}>\s*{_CLOCK}(?:[\s\[].*)?")
_BEGINNING: Final = re.compile(rf"\s*{_CLOCK}\s*-{{2,}}>.*")
_BLOCK: Final = re.compile(r"(NOTE|STYLE|REGION)(?:\s+(.*))?")
_LONGEST: Final = 100_000
"""Characters of a cue; more is no speech."""


@dataclass(frozen=True)
class Cue:
    """Some lines that are shown for a while."""

    start: int
    """Milliseconds since the beginning of the recording."""
    end: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Comment:
    """What the writer of the file says about it: its header, a note."""

    text: str


Block = Cue | Comment | Skipped


def read_cues(lines: Iterable[tuple[int, str]]) -> Iterator[Block]:
    """The blocks of a file; what belongs to no cue is skipped with its place."""
    block: list[str] = []
    start = 0
    for offset, line in lines:
        if line.strip():
            if TIMING.fullmatch(line) and _holds_cue(block):
                *before, block = _parted(block)
                for one in before:
                    yield from _read_block(one, start)
                start = offset
            start = start if block else offset
            block.append(line)
        elif block:
            yield from _read_block(block, start)
            block = []
    if block:
        yield from _read_block(block, start)


def _holds_cue(block: list[str]) -> bool:
    """Whether the block has words behind its times: then other times begin a cue of their own."""
    timed = next((index for index, line in enumerate(block) if TIMING.fullmatch(line)), None)
    return timed is not None and timed + 1 < len(block)


def _parted(block: list[str]) -> tuple[list[str], list[str]]:
    """A block before times that follow without a blank line, and the number above these."""
    if re.fullmatch(r"\s*\d{1,9}\s*", block[-1]):
        return block[:-1], block[-1:]
    return block, []


def _read_block(block: list[str], offset: int) -> Iterator[Block]:
    timed = next((i for i, line in enumerate(block[:3]) if _BEGINNING.fullmatch(line)), None)
    if timed is not None:
        yield from _cue(block[timed], block[timed + 1 :], offset)
        return
    first = block[0].strip()
    kind = _BLOCK.fullmatch(first)
    if first.startswith("WEBVTT"):
        yield Comment("\n".join([first.removeprefix("WEBVTT").strip(" \t-:"), *block[1:]]).strip())
    elif kind is None:
        yield Skipped(offset, "words without a time: no cue")
    elif kind[1] == "NOTE":
        yield Comment("\n".join([kind[2] or "", *block[1:]]).strip())


def _cue(timing: str, text: list[str], offset: int) -> Iterator[Block]:
    found = TIMING.fullmatch(timing) or _BEGINNING.fullmatch(timing)
    lines = tuple(line for line in text if not TIMING.fullmatch(line))
    if found is None or sum(map(len, lines)) > _LONGEST:
        yield Skipped(offset, "a cue that is longer than speech can be")
        return
    start = _milliseconds(found.groups()[:4])
    end = _milliseconds(found.groups()[4:8]) if len(found.groups()) > 4 else start
    yield Cue(start, max(start, end), lines)


def _milliseconds(parts: tuple[str | None, ...]) -> int:
    hours, minutes, seconds, fraction = (part or "0" for part in parts)
    whole = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
    return whole * 1000 + int(fraction.ljust(3, "0")[:3])
