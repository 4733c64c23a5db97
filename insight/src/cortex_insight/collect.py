"""From paths to events: finds the files, finds who reads each, and splits them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from roxabi_contracts import ActorRef, RawEvent

from cortex_insight.errors import FileRefused
from cortex_insight.event import Skipped
from cortex_insight.files import Found, FoundFile, Passed, find_files, unreadable
from cortex_insight.parser import Parser
from cortex_insight.recognise import HEAD_BYTES, Unclear, choose_parser


@dataclass(frozen=True)
class Job:
    """What to import, and whose memory it goes to."""

    parsers: Mapping[str, Parser]
    """Those that may read it."""
    paths: Sequence[Path]
    project: str
    owner: ActorRef
    named: bool = False
    """The user said that it is of this one source."""


@dataclass(frozen=True)
class LeftOut:
    """What became no event, where it is, and why."""

    place: str
    reason: str
    offset: int | None = None
    """Of the record in its file; null: the whole file."""


@dataclass(frozen=True)
class Finished:
    """A file was read to its end."""


Collected = RawEvent | LeftOut | Finished


def total_bytes(paths: Iterable[Path]) -> int:
    """How much there is to read, as far as it can be known before.

    Raises:
        OSError: a path that was named does not exist.
    """
    return sum(found.size for found in find_files(paths) if isinstance(found, FoundFile))


def collect(job: Job, files: Iterable[Found], count: Callable[[int], None]) -> Iterator[Collected]:
    """All that the files hold.

    A file that its user named is read by the source that they named; any other must be
    recognised.

    Args:
        job: Who may read them.
        files: As `find_files` gives them.
        count: Told of each number of bytes that was read.
    """
    for found in files:
        if isinstance(found, Passed):
            yield LeftOut(found.place, found.reason)
            continue
        try:
            yield from _read(job, found, count)
        except FileRefused as error:
            yield LeftOut(found.place, str(error))
        except OSError as error:
            yield LeftOut(found.place, unreadable("file", error))


def _read(job: Job, found: FoundFile, count: Callable[[int], None]) -> Iterator[Collected]:
    parser = _parser_of(job, found)
    if isinstance(parser, Unclear):
        count(found.size)
        yield LeftOut(found.place, parser.reason)
        return
    yield from _split(parser, found, job, count)
    yield Finished()


def _parser_of(job: Job, found: FoundFile) -> Parser | Unclear:
    parsers = [*job.parsers.values()]
    if job.named and found.named:
        return parsers[0]
    return choose_parser(parsers, found.head(HEAD_BYTES))


def _split(
    parser: Parser, found: FoundFile, job: Job, count: Callable[[int], None]
) -> Iterator[RawEvent | LeftOut]:
    context = found.context(job.project, job.owner)
    items = parser.split(_counted(found.pieces(), count), context)
    while True:
        try:
            item = next(items, None)
        except (OSError, FileRefused):
            raise
        except Exception as error:  # noqa: BLE001 - parsers are plug-ins: one fault, one file
            fault = type(error).__name__
            yield LeftOut(found.place, f"the parser {parser.source} failed with {fault}")
            return
        if item is None:
            return
        if isinstance(item, Skipped):
            yield LeftOut(found.place, item.reason, item.offset)
        else:
            yield item


def _counted(pieces: Iterator[bytes], count: Callable[[int], None]) -> Iterator[bytes]:
    for piece in pieces:
        count(len(piece))
        yield piece
