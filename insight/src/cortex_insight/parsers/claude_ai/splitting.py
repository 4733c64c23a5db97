"""An export as events: each conversation, then its messages."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final

from roxabi_contracts import RawEvent
from roxabi_contracts.ids import content_id

from cortex_insight.event import FileContext, Skipped
from cortex_insight.parsers.claude_ai.record import HUMAN, Fields, Message
from cortex_insight.parsers.json_stream import JsonStream
from cortex_insight.parsers.message_events import FILE_TIME, MessageWriter
from cortex_insight.parsers.message_tree import Tree
from cortex_insight.parsers.records import as_object, as_text

SOURCE: Final = "claude-ai"
ACCOUNTS: Final = "users.json"
UNREAD: Final = {
    "projects.json": "the documents and instructions of projects are not read",
    "memories.json": "what Claude.ai concluded by itself is not read",
}
_CONVERSATION: Final = ("name", "created_at", "updated_at", "project")
_BOM: Final = b"\xef\xbb\xbf"


def split(content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
    """The events of a file: an export, or a single conversation."""
    name = context.path.rsplit("/", 1)[-1]
    if name in UNREAD:
        yield Skipped(0, UNREAD[name])
        return
    writer = MessageWriter(context, SOURCE, created="created_at", named="message_id")
    stream = _records(content)
    if name == ACCOUNTS:
        yield from _split_accounts(stream, writer)
    else:
        for record in stream:
            yield from _split_conversation(record, writer)
    if stream.broken:
        yield Skipped(0, "from here on the file is no JSON; what came before it was read")


def _records(content: Iterable[bytes]) -> JsonStream:
    """The objects of a file, each held alone: of a list its items, else the file itself."""
    pieces = iter(content)
    begin = b""
    while not begin.removeprefix(_BOM).strip():
        piece = next(pieces, None)
        if piece is None:
            break
        begin += piece
    begin = begin.removeprefix(_BOM)
    place = "" if begin.lstrip().startswith(b"{") else "item"
    return JsonStream(chain([begin], pieces), lambda prefix: prefix == place)


def _split_accounts(stream: JsonStream, writer: MessageWriter) -> Iterator[RawEvent | Skipped]:
    """The one account of an export; of several, nobody says which is the owner's."""
    accounts = list(islice(stream, 2))
    if len(accounts) > 1:
        yield Skipped(0, "the accounts of several people")
        return
    for account in accounts:
        ref = f"user/{as_text(account.get('uuid')) or content_id(account)}"
        yield writer.event(ref, {"user": account}, {FILE_TIME: writer.file_time})


def _split_conversation(record: Fields, writer: MessageWriter) -> Iterator[RawEvent | Skipped]:
    listed = record.get("chat_messages")
    messages = [as_object(one) for one in (listed if isinstance(listed, list) else [])]
    messages = [one for one in messages if one]
    if not messages:
        yield Skipped(0, "a conversation without messages")
        return
    name = as_text(record.get("uuid")) or content_id(messages[0])
    tree = _tree(messages)
    current = as_text(record.get("current_leaf_message_uuid"))
    told = {field: record[field] for field in _CONVERSATION if record.get(field) is not None}
    body: Fields = {**told, "uuid": name, "superseded": [*tree.left(current)]}
    yield writer.event(name, {"conversation": body}, {})
    places = tree.places(
        lambda key, fields: bool(Message(name, key, fields).blocks),
        lambda key, fields: fields.get("sender") == HUMAN,
    )
    for key in tree.nodes:
        yield writer.message(name, key, tree.message(key), places[key], told.get("created_at"))


def _tree(messages: list[Fields]) -> Tree:
    """The messages by their parents; where none has one known here, each below the one before."""
    names = [as_text(one.get("uuid")) or f"message-{place}" for place, one in enumerate(messages)]
    known = set(names)
    stated = [as_text(one.get("parent_message_uuid")) for one in messages]
    if not any(parent in known for parent in stated):
        stated = [None, *names[:-1]]
    return Tree(
        {
            name: {"parent": parent, "message": message}
            for name, parent, message in zip(names, stated, messages, strict=True)
        },
        time="created_at",
    )
