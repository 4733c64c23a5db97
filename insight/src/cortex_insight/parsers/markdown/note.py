"""A note as it was read: what it is called, who wrote it, when, and what it says piece by piece."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import ActorRef, RawEvent
from roxabi_contracts.ids import content_id
from roxabi_contracts.payloads import TimeSource

from cortex_insight.parsers.markdown.dates import day_in, day_of_heading
from cortex_insight.parsers.markdown.decisions import (
    DecisionRecord,
    heading_decision,
    line_decisions,
    read_record,
)
from cortex_insight.parsers.markdown.front_matter import (
    Front,
    all_of,
    first_of,
    read_front,
    read_properties,
)
from cortex_insight.parsers.markdown.inline import NOTHING, Inline, link_text, shown_lines
from cortex_insight.parsers.markdown.sections import Heading, Section, read_sections
from cortex_insight.parsers.markdown.splitting import ABOVE, FILE_TIME, PART, PATH, SEEN
from cortex_insight.parsers.records import as_object, as_text, read_time

PIECE: Final = 4000
"""Characters of a section after which its next paragraph is another piece."""
_NOTION: Final = re.compile(r"^(.*?)[ _-]?([0-9a-f]{32})$")
_SITE: Final = re.compile(r"https?://(?:[^/@\s]*@)?(?:www\.)?([^/:?#\s]{1,253})", re.IGNORECASE)
_ENDING: Final = re.compile(r"\.(?:md|markdown|mdown|mkd|mdx|qmd)$", re.IGNORECASE)
_MANUAL: Final = re.compile(
    r"(?:.*/)?(?:readme|contributing|changelog|history|licen[cs]e|code_of_conduct|security|support"
    r"|authors|maintainers|governance|agents|claude)(?:[._-]\w+)?\.\w+", re.IGNORECASE
)  # fmt: skip
_LONGEST_REF: Final = 900


@dataclass(frozen=True)
class Piece:
    """What becomes one observation."""

    ref: str
    path: tuple[str, ...]
    """The headings that it stands under."""
    text: str
    lines: tuple[str, ...] = ()
    inline: Inline = NOTHING
    day: date | None = None
    """That its headings state."""
    decision: str | None = None
    """What was decided, in words."""
    record: DecisionRecord | None = None

    @property
    def digest(self) -> str:
        """Of what it says."""
        return content_id(self.text, self.decision)


@dataclass(frozen=True)
class Note:
    """A file in one of its versions."""

    name: str
    """The same in all versions."""
    title: str
    front: Front
    pieces: tuple[Piece, ...]
    part: int
    is_whole: bool
    modified_at: datetime | None

    @property
    def is_manual(self) -> bool:
        """It speaks for a project: whoever says "I" or "we" in it is nobody in particular."""
        return _MANUAL.fullmatch(self.name) is not None

    @property
    def authors(self) -> tuple[str, ...]:
        """Whom it names as its authors."""
        return tuple(map(link_text, all_of(self.front, "author", "authors", "by", "creator")))

    @property
    def page(self) -> str | None:
        """The site whose words these are, if they were cut out of a page."""
        stated = all_of(self.front, "source", "url", "link", "source_url", "clipped_from")
        found = (_SITE.match(link_text(value)) for value in stated)
        return next((one[1].casefold() for one in found if one is not None), None)

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags in its front matter."""
        stated = all_of(self.front, "tags", "tag", "keywords", "categories", "category")
        return tuple(tag.lstrip("#") for one in stated for tag in re.split(r"[,\s]+", one) if tag)

    def belongs_to(self, owner: ActorRef) -> bool:
        """Whether the owner wrote it: nobody else is named, and it was cut out of no page."""
        known = {
            (owner.name or "").casefold(),
            *(key.value.casefold() for key in owner.identifiers),
        }
        if self.authors:
            return any(known & _spellings(author) for author in self.authors)
        return self.page is None


def name_of(event: RawEvent) -> tuple[str, int]:
    """What a note is called in all its versions, and which part of it an event holds."""
    path = _path_of(event)
    notion = _NOTION.match(_stem_of(path))
    part = event.attributes.get(PART)
    name = f"notion/{notion[2]}" if notion else path
    return name[-_LONGEST_REF:], part if isinstance(part, int) else 0


def read_note(event: RawEvent) -> Note:
    """The note that an event holds, whatever its bytes are."""
    text = event.body.to_bytes().decode("utf-8", "replace").replace("\0", "")
    name, part = name_of(event)
    stem = _stem_of(_path_of(event))
    notion = _NOTION.match(stem)
    lines = text.split("\n")
    front, length = read_front(lines)
    above = tuple(_headings(event.attributes.get(ABOVE)))
    sections = list(read_sections(lines[length:], above))
    title = first_of(front, "title") or _top(sections) or (notion[1] if notion else stem)
    if notion and not front:
        front = _notion_front(sections)
    modified = read_time(event.attributes.get(FILE_TIME), TimeSource.FILE)
    record = read_record(_top(sections), front, sections)
    counted = Counter(_counts(event.attributes.get(SEEN)))
    return Note(
        name=name, title=title.strip()[:200] or stem[:200], front=front,
        pieces=tuple(_pieces(name, sections, record, counted)),
        part=part, is_whole=PART not in event.attributes,
        modified_at=modified.moment if modified else None,
    )  # fmt: skip


def _pieces(
    name: str, sections: Sequence[Section], record: DecisionRecord | None, seen: Counter[str]
) -> Iterator[Piece]:
    for section in sections:
        path = section.path
        joined = " > ".join(path)
        seen[joined] += 1
        key = f"{joined}~{seen[joined]}" if seen[joined] > 1 else joined
        if record is not None and section in record.quiet:
            continue
        lines, inline = shown_lines(section.lines)
        days = [day for heading in reversed(path) if (day := day_of_heading(heading)) is not None]
        day = days[0] if days else None
        decided = heading_decision(path[-1]) if path else None
        is_record = record is not None and section is record.section
        decided = record.title if record is not None and is_record else decided
        for number, some in enumerate(_cut(lines)):
            body = "\n".join(some).strip("\n")
            if not body.strip() and (decided is None or is_record):
                continue
            ref = _ref(name, f"{key}+{number}" if number else key)
            shown = [path[-1], body] if path and not number else [body]
            yield Piece(
                ref, path, "\n".join(shown).strip(), tuple(some), inline, day,
                decided if not number else None, record if is_record and not number else None,
            )  # fmt: skip
        if decided is None:
            for said in dict.fromkeys(line_decisions(lines)):
                ref = _ref(name, f"{key}/decision/{content_id(said.casefold())[:12]}")
                yield Piece(ref, path, said, (), inline, day, said)


def _cut(lines: Sequence[str]) -> Iterator[list[str]]:
    """The lines in pieces that end with a paragraph."""
    piece: list[str] = []
    size, fence = 0, False
    for line in lines:
        fence ^= line.lstrip().startswith(("```", "~~~"))
        full = size > PIECE and not line.strip() and not fence
        if full or size > 4 * PIECE:
            yield piece
            piece, size = [], 0
        piece.append(line)
        size += len(line) + 1
    yield piece


def _ref(name: str, key: str) -> str:
    ref = f"{name}#{key}" if key else name
    if len(ref) <= _LONGEST_REF:
        return ref
    return f"{name[-500:]}#{key[:200]}#{content_id(name, key)[:24]}"


def _path_of(event: RawEvent) -> str:
    return as_text(event.attributes.get(PATH)) or event.source_ref


def _stem_of(path: str) -> str:
    return _ENDING.sub("", path.rpartition("/")[2])


def _top(sections: Sequence[Section]) -> str | None:
    """The heading at the top, if it is the title of it all."""
    first = [section.above[0] for section in sections if section.above][:1]
    return first[0].text if first and first[0].level == 1 else None


def _notion_front(sections: Sequence[Section]) -> Front:
    """The properties below the title, which are no words of the note."""
    titled = next((section for section in sections if section.above), None)
    if titled is None:
        return {}
    front = read_properties(titled.lines)
    if front:
        skip = next(
            (i for i, line in enumerate(titled.lines) if i and not line.strip()), len(titled.lines)
        )
        titled.lines = titled.lines[skip:]
    return front


def _headings(value: JsonValue) -> Iterator[Heading]:
    for one in value if isinstance(value, list) else []:
        match one:
            case [int(level), str(text)]:
                yield Heading(level, text)
            case _:
                continue


def _counts(value: JsonValue) -> Mapping[str, int]:
    return {name: n for name, n in as_object(value).items() if isinstance(n, int) and n > 0}


def _spellings(author: str) -> set[str]:
    """An author by name and by address."""
    address = re.search(r"[^\s<>]+@[^\s<>]+", author)
    name = re.sub(r"<[^<>]*>", "", author).strip()
    return {one.casefold() for one in (name, address[0] if address else "") if one}


def stated_day(note: Note) -> date | None:
    """The day that the name of the file states, as that of a daily note does."""
    return day_in(_ENDING.sub("", note.name.rpartition("/")[2]))
