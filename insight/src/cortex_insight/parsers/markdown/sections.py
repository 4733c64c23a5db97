"""A note by its headings: the sections that a reader sees, code left as it is."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

_HEADING: Final = re.compile(r" {0,3}(?:[-*+]\s+)?(#{1,6})[ \t]+(.*)")
_FENCE: Final = re.compile(r"\s*(?:[-*+]\s+|>\s*)?(`{3,}|~{3,})(.*)$")
_UNDERLINE: Final = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_NO_TITLE: Final = re.compile(r"\s*(?:[-*+>|#]|\d+[.)]\s)|\s{4}")
_LONGEST: Final = 200_000
"""Characters after which a section without headings goes on as another."""


@dataclass(frozen=True)
class Heading:
    """A heading, with how deep it is."""

    level: int
    text: str


@dataclass
class Section:
    """A heading with what stands below it, up to the next heading of any level."""

    above: tuple[Heading, ...]
    """From the top of the note to the section's own."""
    lines: list[str] = field(default_factory=list[str])
    """Without the heading."""
    raw: list[str] = field(default_factory=list[str])
    """With it, as the file has them."""
    size: int = 0

    @property
    def path(self) -> tuple[str, ...]:
        """The headings by their text."""
        return tuple(heading.text for heading in self.above)


def read_sections(lines: Iterable[str], above: tuple[Heading, ...] = ()) -> Iterator[Section]:
    """The sections of a note, the words before the first heading as one without any.

    Args:
        lines: Of the note, or of a part of it.
        above: The headings that the part stands under.
    """
    section = Section(above)
    fence: str | None = None
    for line in lines:
        fence, is_code = _fenced(line, fence)
        heading = None if is_code else _heading(line, section)
        if heading is None:
            if section.size > _LONGEST and not is_code and not line.strip():
                yield section
                section = Section(section.above)
            _add(section, line)
            continue
        is_title_below, own = heading
        title = section.raw.pop() if is_title_below else None
        if is_title_below:
            section.lines.pop()
        yield section
        above = tuple(one for one in section.above if one.level < own.level)
        section = Section((*above, own), raw=[*([title] if title is not None else []), line])
    yield section


def _add(section: Section, line: str) -> None:
    section.lines.append(line)
    section.raw.append(line)
    section.size += len(line) + 1


def _fenced(line: str, fence: str | None) -> tuple[str | None, bool]:
    """The fence that is open after a line, and whether the line is code or a fence."""
    mark = _FENCE.match(line)
    if fence is None:
        return (mark[1], True) if mark and "`" not in mark[2] else (None, False)
    closes = mark is not None and mark[1].startswith(fence) and not mark[2].strip()
    return (None if closes else fence), True


def _heading(line: str, section: Section) -> tuple[bool, Heading] | None:
    """The heading that a line is, or makes of the line before it."""
    found = _HEADING.fullmatch(line)
    if found is not None:
        text = _shown(_opened(found[2].strip()))
        return (False, Heading(len(found[1]), text)) if text else None
    under = _UNDERLINE.fullmatch(line)
    if under is None or not section.lines:
        return None
    title = section.lines[-1]
    alone = len(section.lines) == 1 or not section.lines[-2].strip()
    if not title.strip() or not alone or _NO_TITLE.match(title) or len(title) > 200:
        return None
    return True, Heading(1 if under[1].startswith("=") else 2, _shown(title))


def _opened(text: str) -> str:
    """A heading without the marks that close it."""
    bare = text.rstrip("#")
    return bare if not bare or bare[-1:] in " \t" else text


def _shown(text: str) -> str:
    bare = re.sub(r"\{#[\w-]+\}$|\s\^[\w-]+$", "", text[:2000].strip())
    bare = re.sub(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]|\[([^\[\]]*)\]\([^()]*\)", r"\1\2", bare)
    return " ".join(re.sub(r"[*`]|(?<!\w)_|_(?!\w)", "", bare).split())[:300]
