"""Captions that scroll: each shows the line before it again, or the same words and one more."""

from collections.abc import Iterable, Iterator
from typing import Final

from cortex_insight.parsers.transcript.cues import Cue
from cortex_insight.parsers.transcript.speech import INLINE_TIME, plain

_FLASH: Final = 50
"""Milliseconds; what is shown no longer only repeats."""


def unrolled(cues: Iterable[Cue]) -> Iterator[Cue]:
    """The cues with what each adds to the one before; the last form of one that grows."""
    held: Cue | None = None
    shown: tuple[str, ...] = ()
    scrolls = False
    for cue in cues:
        lines = tuple(line for line in cue.lines if plain(line))
        if held is not None and _grows(held, cue, lines):
            held, shown = Cue(held.start, cue.end, lines), _plain(lines)
            continue
        scrolls = scrolls or INLINE_TIME.search("".join(lines)) is not None
        again = scrolls or len(lines) > 1 or cue.end - cue.start <= _FLASH
        new = lines[_repeated(shown, lines) :] if again and held is not None else lines
        shown = _plain(lines) or shown
        if not new or _is_same(held, cue, new):
            continue
        if held is not None:
            yield held
        held = Cue(cue.start, cue.end, new)
    if held is not None:
        yield held


def _repeated(shown: tuple[str, ...], lines: tuple[str, ...]) -> int:
    """How many of the first lines were shown last already."""
    if any("<v" in line for line in lines):
        return 0
    texts = _plain(lines)
    for count in range(min(len(shown), len(texts)), 0, -1):
        if shown[-count:] == texts[:count]:
            return count
    return 0


def _grows(held: Cue, cue: Cue, lines: tuple[str, ...]) -> bool:
    """Whether a cue shows the one before and more words, at once or right after it."""
    before, now = " ".join(_plain(held.lines)), " ".join(_plain(lines))
    follows = held.start <= cue.start <= held.end + _FLASH
    same_begin = held.start == cue.start or len(before.split()) > 1
    return follows and same_begin and len(lines) == len(held.lines) and now.startswith(f"{before} ")


def _is_same(held: Cue | None, cue: Cue, lines: tuple[str, ...]) -> bool:
    return held is not None and held == Cue(cue.start, cue.end, lines)


def _plain(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(plain, lines))
