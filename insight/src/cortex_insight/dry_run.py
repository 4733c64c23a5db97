"""Reads files as the lake would, without a lake: for who writes a parser."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime

from roxabi_contracts import RawEvent, codec, subjects
from roxabi_contracts.ids import canonical_json

from cortex_insight.admit import Admitted, admit
from cortex_insight.event import Skipped
from cortex_insight.files import Passed, context_of, find_files, read_pieces
from cortex_insight.importer import Job
from cortex_insight.outbox import Receipt
from cortex_insight.parser import Reject
from cortex_insight.reader import Reader, presence_of
from cortex_insight.reading import EventKey, Links, key_of


def dry_run(reader: Reader, job: Job, received_at: datetime) -> Iterator[str]:
    """What the files say, as JSON lines: observations, rejections, skipped records.

    Raises:
        OSError: a file cannot be read.
    """
    events: dict[EventKey, Admitted] = {}
    for item in _admitted(job, received_at):
        if isinstance(item, Admitted):
            events.setdefault(key_of(item), item)
        else:
            yield _line(item)
    links = {key: reader.links(item) for key, item in events.items()}
    providers = _providers(links)
    for key, item in events.items():
        asked = {digest: providers[digest] - {key.event_id} for digest in links[key].needs}
        found = {digest: sorted(names) for digest, names in asked.items() if names}
        reading = reader.read(item, presence_of(key, links[key], found, events))
        if reading.reject is not None:
            yield _line(reading.reject)
        yield from (message.payload.decode() for message in reading.messages)


def _admitted(job: Job, received_at: datetime) -> Iterator[Admitted | Reject | Skipped]:
    for found in find_files(job.paths):
        if isinstance(found, Passed):
            yield Skipped(0, found.reason)
            continue
        context = context_of(found, job.project, job.owner)
        for item in job.parser.split(read_pieces(found.path), context):
            yield item if isinstance(item, Skipped) else admit(_receipt(item, received_at))


def _receipt(event: RawEvent, received_at: datetime) -> Receipt:
    return Receipt(subjects.events(event.source, event.project), codec.encode(event), received_at)


def _providers(links: Mapping[EventKey, Links]) -> Mapping[bytes, set[str]]:
    providers: defaultdict[bytes, set[str]] = defaultdict(set)
    for key, link in links.items():
        for digest in link.provides:
            providers[digest].add(key.event_id)
    return providers


def _line(item: Reject | Skipped) -> str:
    if isinstance(item, Skipped):
        return canonical_json({"skipped": item.reason, "offset": item.offset}).decode()
    return canonical_json({"rejected": item.code, "reason": item.reason}).decode()
