"""What stands inside the lines of a note: links, tags, mentions, comments; and what is shown."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

_TICKS: Final = re.compile(r"`+")
_FENCE: Final = re.compile(r"\s*(?:[-*+]\s+|>\s*)?(`{3,}|~{3,})")
_COMMENT: Final = re.compile(r"<!--[\s\S]*?(?:-->|\Z)|%%[\s\S]*?%%")
_WIKI: Final = re.compile(r"!?\[\[([^\[\]|#^\n]*)(?:[#^][^\[\]|\n]*)?(?:\|([^\[\]\n]*))?\]\]")
_LINK: Final = re.compile(r"!?\[([^\[\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)")
_TAG: Final = re.compile(r"(?<![\w/#&\]])#([^\W\d_][\w/-]*)")
_COLOUR: Final = re.compile(r"[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?")
_MENTION: Final = re.compile(r"(?<![\w@./:])@([^\W\d_][\w.-]{0,38}\w)(?![\w/@])")
_PROPERTY: Final = re.compile(
    r"\s*(?:-\s+)?(?:id|collapsed|heading|background-color|logseq\.[\w-]+)::.*"
)
_BLOCK_ID: Final = re.compile(r"\s\^[A-Za-z0-9-]+$")
_FRONT_AT_MOST: Final = 50


@dataclass(frozen=True)
class Inline:
    """What a section names."""

    links: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()


NOTHING: Final = Inline()


def shown_lines(lines: Iterable[str]) -> tuple[list[str], Inline]:
    """The lines as a reader sees them, and what they name; code stays as it is."""
    text = "\n".join(lines)
    found: dict[str, dict[str, None]] = {"links": {}, "tags": {}, "mentions": {}}
    shown: list[str] = []
    for line, is_code in _marked(_without_comments(text)):
        if is_code:
            shown.append(line)
        elif not _PROPERTY.fullmatch(line):
            shown.append(_shown_line(line, found))
    names = {kind: tuple(named)[:_FRONT_AT_MOST] for kind, named in found.items()}
    return shown, Inline(**names)


def link_text(text: str) -> str:
    """A value without the brackets of a link."""
    return _LINK.sub(r"\1", _WIKI.sub(lambda link: link[2] or link[1], text)).strip()


def _without_comments(text: str) -> str:
    if "<!--" not in text and "%%" not in text:
        return text
    kept: list[str] = []
    plain: list[str] = []
    for line, is_code in _marked(text):
        if is_code:
            kept += [_COMMENT.sub("", "\n".join(plain))] if plain else []
            plain = []
            kept.append(line)
        else:
            plain.append(line)
    return "\n".join([*kept, *([_COMMENT.sub("", "\n".join(plain))] if plain else [])])


def _marked(text: str) -> Iterator[tuple[str, bool]]:
    """The lines, and whether each is code."""
    fence: str | None = None
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence is None:
            fence = mark[1] if mark else None
            yield line, mark is not None
            continue
        if mark is not None and mark[1].startswith(fence):
            fence = None
        yield line, True


def _shown_line(line: str, found: dict[str, dict[str, None]]) -> str:
    parts: list[str] = []
    place = 0
    for start, end in _code_spans(line):
        parts += [_shown_words(line[place:start], found), line[start:end]]
        place = end
    parts.append(_shown_words(line[place:], found))
    return _BLOCK_ID.sub("", "".join(parts).rstrip()).rstrip()


def _code_spans(line: str) -> Iterator[tuple[int, int]]:
    """Where code stands in a line: between runs of as many ticks."""
    ticks = list(_TICKS.finditer(line))
    closing: dict[int, list[int]] = {}
    for index in range(len(ticks) - 1, -1, -1):
        closing.setdefault(len(ticks[index][0]), []).append(index)
    index = 0
    while index < len(ticks):
        later = closing[len(ticks[index][0])]
        while later and later[-1] <= index:
            later.pop()
        if later:
            yield ticks[index].start(), ticks[later[-1]].end()
            index = later[-1]
        index += 1


def _shown_words(text: str, found: dict[str, dict[str, None]]) -> str:
    for link in _WIKI.finditer(text):
        target = link[1].strip()
        kind = "mentions" if target.startswith("@") else "links"
        if target.strip("@ "):
            found[kind][target.rpartition("/")[2].strip("@ ")] = None
    for name in _MENTION.findall(_WIKI.sub(" ", text)):
        found["mentions"][name] = None
    text = _LINK.sub(r"\1", _WIKI.sub(lambda link: link[2] or link[1], text))
    for tag in _TAG.findall(text):
        if not _COLOUR.fullmatch(tag):
            found["tags"][tag] = None
    return text
