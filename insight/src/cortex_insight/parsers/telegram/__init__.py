"""Telegram: the export of Telegram Desktop, and the updates that its Bot API sends."""

from collections.abc import Iterable, Iterator

from roxabi_contracts import ActorRef, RawEvent

from cortex_insight.event import FileContext, FileHead, Skipped
from cortex_insight.parser import Confidence, Neighbours, ParseContext, Parsed, Reject
from cortex_insight.parsers.records import as_object, read_json
from cortex_insight.parsers.telegram.bot import read_update
from cortex_insight.parsers.telegram.drafts import Place, drafts_of
from cortex_insight.parsers.telegram.entry import Entry
from cortex_insight.parsers.telegram.export import read_export
from cortex_insight.parsers.telegram.recognise import recognise
from cortex_insight.parsers.telegram.splitting import MEDIA_TYPE, SOURCE, split

__all__ = ["TelegramParser"]


class TelegramParser:
    """The source `telegram`.

    A message is the same record in every export and update: its chat and its number name it. An
    edit is a revision by the time of the edit; a deletion, which only the Bot API tells, the last.
    """

    source: str = SOURCE
    title: str = "Telegram: exports of Telegram Desktop (result.json), updates of the Bot API"
    version: int = 1
    media_types: frozenset[str] = frozenset({MEDIA_TYPE})

    def recognise(self, head: FileHead) -> Confidence:
        """By the types of its chats."""
        return recognise(head)

    def split(self, content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
        """One event a message or update."""
        return split(content, context)

    def provides(self, event: RawEvent) -> tuple[str, ...]:
        """The messages, for their deletion."""
        return tuple(entry.ref for entry in _entries(event) if entry.ref and not entry.deleted)

    def needs(self, event: RawEvent) -> tuple[str, ...]:
        """Of a deletion, the messages that it deletes: they know when they were sent."""
        return tuple(entry.ref for entry in _entries(event) if entry.ref and entry.deleted)

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        """What the message says."""
        if event.owner is None or not event.owner.identifiers:
            return Reject("no_owner", "the event does not say whose memory it goes to")
        entries = _entries(event)
        if not entries and not _is_known(event):
            return Reject("no_message", "the body is no message of an export and no update")
        known = {
            entry.ref: entry
            for found in neighbours.values()
            for other in found
            for entry in _entries(other)
            if entry.ref and not entry.deleted
        }
        return _read(entries, known, event, event.owner, context)


def _read(
    entries: list[Entry], known: dict[str, Entry], event: RawEvent, owner: ActorRef,
    context: ParseContext,
) -> Parsed:  # fmt: skip
    unknown: dict[str, int] = {}
    drafts = [
        draft
        for entry in entries
        for draft in drafts_of(Place.of(entry, event, owner, context, known.get(entry.ref or "")))
    ]
    for entry in entries:
        for kind, count in entry.unknown_types.items():
            unknown[kind] = unknown.get(kind, 0) + count
    return Parsed(tuple(drafts), unknown)


def _is_known(event: RawEvent) -> bool:
    try:
        body = as_object(read_json(event.body.to_bytes()))
    except ValueError:
        return False
    return "update_id" in body


def _entries(event: RawEvent) -> list[Entry]:
    try:
        body = as_object(read_json(event.body.to_bytes()))
    except ValueError:
        return []
    if "update_id" in body:
        return read_update(body)
    return [read_export(body)] if isinstance(body.get("message"), dict) else []
