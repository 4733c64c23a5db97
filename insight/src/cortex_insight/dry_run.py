"""Reads files as the lake would, without a lake: for who looks first, or writes a parser."""

import contextlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from roxabi_contracts import ContractError, RawEvent, codec, subjects
from roxabi_contracts.ids import canonical_json

from cortex_insight.admit import Admitted, admit
from cortex_insight.collect import Finished, Job, LeftOut, collect
from cortex_insight.files import find_files
from cortex_insight.outbox import Receipt
from cortex_insight.parser import Reject
from cortex_insight.reader import Reader, presence_of
from cortex_insight.reading import EventKey, Links, Reading, key_of
from cortex_insight.spool import Spool


def dry_run(reader: Reader, job: Job, received_at: datetime) -> Iterator[str]:
    """What the files say, as JSON lines: observations, rejections, skipped records.

    Raises:
        OSError: a path that was named does not exist.
    """
    left_out: list[LeftOut] = []

    def events() -> Iterator[RawEvent]:
        for item in collect(job, find_files(job.paths), _ignore):
            match item:
                case LeftOut():
                    left_out.append(item)
                case Finished():
                    pass
                case _:
                    yield item

    for answer in read_all(reader, events(), received_at):
        yield from map(_left_line, left_out)
        left_out.clear()
        yield from _lines(answer)
    yield from map(_left_line, left_out)


def read_all(
    reader: Reader, events: Iterable[RawEvent], received_at: datetime
) -> Iterator[Reading | Reject]:
    """What the lake would make of events, once it has them all; a rejection was not admitted.

    Only events that hang together with others are held, and these in a file.
    """
    with contextlib.closing(Spool(received_at)) as held:
        yield from _read_all(reader, events, received_at, held)


def _read_all(
    reader: Reader, events: Iterable[RawEvent], received_at: datetime, held: Spool
) -> Iterator[Reading | Reject]:
    seen: set[EventKey] = set()
    links: dict[EventKey, Links] = {}
    for event in events:
        item = _admitted(event, received_at)
        if isinstance(item, Reject):
            yield item
            continue
        key = key_of(item)
        if key in seen:
            continue
        seen.add(key)
        linked = reader.links(item)
        if linked.needs or linked.provides:
            held.add(item)
            links[key] = linked
        if not linked.needs:
            yield reader.read(item, presence_of(key, linked, {}, held))
    yield from _read_linked(reader, held, links)


def _read_linked(
    reader: Reader, held: Mapping[EventKey, Admitted], links: Mapping[EventKey, Links]
) -> Iterator[Reading]:
    providers = _providers(links)
    for key in held:
        if not links[key].needs:
            continue
        item = held[key]
        asked = {digest: providers[digest] - {key.event_id} for digest in links[key].needs}
        found = {digest: sorted(names) for digest, names in asked.items() if names}
        yield reader.read(item, presence_of(key, links[key], found, held))


def _ignore(size: int) -> None:
    """A dry run shows no progress."""


def _admitted(event: RawEvent, received_at: datetime) -> Admitted | Reject:
    try:
        data = codec.encode(event, largest=codec.MAXIMUM_EVENT)
    except ContractError as error:
        return Reject("not_sendable", str(error))
    return admit(Receipt(subjects.events(event.source, event.project), data, received_at))


def _providers(links: Mapping[EventKey, Links]) -> defaultdict[bytes, set[str]]:
    providers: defaultdict[bytes, set[str]] = defaultdict(set)
    for key, link in links.items():
        for digest in link.provides:
            providers[digest].add(key.event_id)
    return providers


def _lines(answer: Reading | Reject) -> Iterator[str]:
    reject = answer if isinstance(answer, Reject) else answer.reject
    if reject is not None:
        yield canonical_json({"rejected": reject.code, "reason": reject.reason}).decode()
    if isinstance(answer, Reading):
        yield from (message.payload.decode() for message in answer.messages)
        for kind, count in answer.unknown_types.items():
            yield canonical_json({"unknown_type": kind, "count": count}).decode()


def _left_line(item: LeftOut) -> str:
    return canonical_json(
        {"skipped": item.reason, "place": item.place, "offset": item.offset}
    ).decode()
