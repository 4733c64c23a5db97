"""A note as an event: whole, so that a later version shows what was taken out; a book in parts."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import RawEvent
from roxabi_contracts.event import body_of

from cortex_insight.event import FileContext, Skipped
from cortex_insight.parsers.charset import decoded_lines
from cortex_insight.parsers.markdown.front_matter import front_length
from cortex_insight.parsers.markdown.sections import Heading, Section, read_sections

SOURCE: Final = "markdown"
MEDIA_TYPE: Final = "text/markdown"
PATH: Final = "path"
FILE_TIME: Final = "file_modified_at"
PART: Final = "part"
ABOVE: Final = "above"
SEEN: Final = "seen"
"""By heading path, how often it occurred in the parts before."""

_PART_FROM: Final = 500_000
"""Characters from which a file goes on in another event."""
_FRONT_LINES: Final = 400
_QUIET_FOLDERS: Final = frozenset(
    (".git", ".obsidian", ".trash", ".stversions", ".history", ".stfolder", ".venv", "node_modules",
     "site-packages", "__pycache__", ".tox", ".github")
)  # fmt: skip
"""What programs keep there, nobody wrote as a note."""
_TEMPLATES: Final = frozenset(("templates", "template", "_templates", "99_templates"))


def split(content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
    """The note that a file is, in one event unless it is very long."""
    reason = _objection(context.path)
    if reason is not None:
        yield Skipped(0, reason)
        return
    lines = (line for _, line in decoded_lines(content))
    head = list(islice(lines, _FRONT_LINES))
    length = front_length(head)
    front, rest = head[:length], chain(head[length:], lines)
    seen: Counter[str] = Counter()
    part: list[Section] = []
    number = 0
    for section in read_sections(rest):
        if part and sum(one.size for one in part) + section.size > _PART_FROM:
            yield _event(context, front if not number else [], part, number, seen, None)
            number += 1
            part = []
        part.append(section)
    if front or any(line.strip() for one in part for line in one.raw) or number:
        yield _event(context, front if not number else [], part, number, seen, not number)
    else:
        yield Skipped(0, "nothing is written in it")


def _objection(path: str) -> str | None:
    *folders, name = path.split("/")
    hidden = {folder.lower() for folder in folders} & _QUIET_FOLDERS
    if hidden:
        return f"in {min(hidden)}: no note of yours"
    if "bak" in folders[-1:] or "logseq/bak/" in path.lower():
        return "a backup of a note"
    if {folder.lower() for folder in folders} & _TEMPLATES:
        return "a template: nothing is filled in"
    if name.lower().endswith(".excalidraw.md"):
        return "a drawing"
    return None


def _event(
    context: FileContext, front: list[str], part: list[Section], number: int, seen: Counter[str],
    is_whole: bool | None,
) -> RawEvent:  # fmt: skip
    text = "\n".join([*front, *(line for section in part for line in section.raw)])
    path = (context.home or context.path).replace("\0", "")
    attributes: dict[str, JsonValue] = {PATH: path}
    if context.modified_at is not None:
        attributes[FILE_TIME] = context.modified_at.isoformat()
    if not is_whole:
        paths = [" > ".join(section.path) for section in part]
        attributes |= {
            PART: number,
            ABOVE: [[one.level, one.text] for one in _above(part)],
            SEEN: {name: seen[name] for name in paths if seen[name]},
        }
        seen.update(paths)
    return RawEvent(
        project=context.project,
        source=SOURCE,
        source_ref=path[-900:] + (f"#part-{number}" if number else ""),
        media_type=MEDIA_TYPE,
        body=body_of(text.encode("utf-8", "replace")),
        owner=context.owner,
        attributes=attributes,
    )


def _above(part: list[Section]) -> tuple[Heading, ...]:
    """The headings that a part stands under, without the one that it begins with."""
    first = part[0]
    begins = first.raw[: len(first.raw) - len(first.lines)]
    return first.above[:-1] if begins else first.above
