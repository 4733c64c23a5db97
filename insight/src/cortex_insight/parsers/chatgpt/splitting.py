"""An export as events: each conversation, then its messages, and at last what was set for all."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from roxabi_contracts import RawEvent
from roxabi_contracts.ids import content_id

from cortex_insight.event import FileContext, Skipped
from cortex_insight.parsers.chatgpt.content import Voice, says_something, voice_of
from cortex_insight.parsers.chatgpt.instructions import History, instructions_in
from cortex_insight.parsers.chatgpt.record import Fields, Message
from cortex_insight.parsers.json_stream import JsonStream
from cortex_insight.parsers.message_events import FILE_TIME, MessageWriter
from cortex_insight.parsers.message_tree import Tree
from cortex_insight.parsers.records import as_object, as_text, milliseconds

SOURCE: Final = "chatgpt"
QUIET: Final = frozenset(
    ("message_feedback.json", "model_comparisons.json", "shared_conversations.json",
     "shopping.json", "sora.json")
)  # fmt: skip
"""Files of an export that hold no conversation."""
ACCOUNT: Final = "user.json"

_CONVERSATION: Final = ("title", "create_time", "update_time", "gizmo_id", "gizmo_type")
_LISTED: Final = re.compile(rb'\s*\{\s*"conversations"\s*:')
_BOM: Final = b"\xef\xbb\xbf"
_BEGIN_BYTES: Final = 256


def split(content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
    """The events of a file: an export, a part of one, or a single conversation."""
    name = context.path.rsplit("/", 1)[-1]
    if name in QUIET:
        yield Skipped(0, "no conversation is in it")
        return
    writer = MessageWriter(context, SOURCE, created="create_time", named="node")
    history = History()
    stream = _records(content)
    for record in stream:
        if name == ACCOUNT and "mapping" not in record:
            ref = f"user/{as_text(record.get('id')) or content_id(record)}"
            yield writer.event(ref, {"user": record}, {FILE_TIME: writer.file_time})
            continue
        for one in _conversations(record):
            yield from _split_conversation(one, writer, history)
    for body in history.changes():
        yield writer.event(f"{body['conversation_id']}/{body['node']}", body, {})
    if stream.broken:
        yield Skipped(0, "from here on the file is no JSON; what came before it was read")


def _records(content: Iterable[bytes]) -> JsonStream:
    """The objects of a file, each held alone: of a list its items, else the file itself."""
    pieces = iter(content)
    begin = b""
    for piece in pieces:
        begin += piece
        if len(begin) >= _BEGIN_BYTES:
            break
    begin = begin.removeprefix(_BOM)
    place = "" if begin.lstrip().startswith(b"{") else "item"
    if _LISTED.match(begin):
        place = "conversations.item"
    return JsonStream(chain([begin], pieces), lambda prefix: prefix == place)


def _conversations(record: Fields) -> list[Fields]:
    listed = record.get("conversations")
    return [as_object(one) for one in listed] if isinstance(listed, list) else [record]


def _split_conversation(
    record: Fields, writer: MessageWriter, history: History
) -> Iterator[RawEvent | Skipped]:
    tree = Tree(as_object(record.get("mapping")), time="create_time")
    if not tree.nodes:
        yield Skipped(0, "a conversation without messages")
        return
    if record.get("is_do_not_remember") is True:
        yield Skipped(0, "a conversation that its user asked not to remember")
        return
    name = _name(record, tree)
    current = as_text(record.get("current_node"))
    told = {field: record[field] for field in _CONVERSATION if record.get(field) is not None}
    body: Fields = {**told, "id": name, "superseded": [*tree.left(current)]}
    yield writer.event(name, {"conversation": body}, {})
    places = tree.places(
        lambda key, fields: says_something(Message(name, key, fields)),
        lambda key, fields: voice_of(Message(name, key, fields)) is Voice.OWNER,
    )
    begun = next((told[one] for one in _CONVERSATION[1:3] if milliseconds(told.get(one))), None)
    for key in tree.nodes:
        message = tree.message(key)
        if not message:
            continue
        found = instructions_in(message)
        if found is not None:
            moment = milliseconds(message.get("create_time")) or milliseconds(begun)
            history.met(moment, name, key, found)
            continue
        yield writer.message(name, key, message, places[key], begun)


def _name(record: Fields, tree: Tree) -> str:
    """The id of a conversation; of one without, that of its first message."""
    stated = as_text(record.get("conversation_id")) or as_text(record.get("id"))
    return stated or next(iter(tree.nodes)) or "unknown"
