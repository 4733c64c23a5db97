"""Files of a Slack export as events: a message, user or conversation each."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import RawEvent
from roxabi_contracts.event import body_of
from roxabi_contracts.ids import content_id

from cortex_insight.event import FileContext, Skipped
from cortex_insight.parsers.json_stream import JsonStream
from cortex_insight.parsers.records import LONGEST_RECORD, as_object, as_text
from cortex_insight.parsers.slack.record import stamp_of

SOURCE: Final = "slack"
MEDIA_TYPE: Final = "application/json"
FILE_TIME: Final = "file_modified_at"

CONVERSATIONS: Final = frozenset(
    ("channels.json", "groups.json", "dms.json", "mpims.json", "private_channels.json")
)
QUIET: Final = frozenset(
    ("integration_logs.json", "canvases.json", "lists.json", "file_conversations.json")
)
"""Files of an export that hold nothing that anybody said."""
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d\.json")


def split(content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
    """The records of a file, by its name; a day of messages lies in the folder of its channel."""
    *folders, name = context.path.split("/")
    if name in QUIET:
        yield Skipped(0, "nothing that anybody said is in it")
        return
    folder = folders[-1] if folders and _DAY.fullmatch(name) else name.removesuffix(".json")
    stream = JsonStream(content, _is_record)
    for record in stream:
        yield _event(record, name, folder, context)
    if stream.broken:
        yield Skipped(0, "from here on the file is no JSON; what came before it was read")


def _is_record(prefix: str) -> bool:
    return prefix in ("item", "messages.item")


def _event(
    record: dict[str, JsonValue], file: str, folder: str, context: FileContext
) -> RawEvent | Skipped:
    attributes: dict[str, JsonValue] = {}
    if file in CONVERSATIONS:
        body: dict[str, JsonValue] = {"conversation": record}
        ref = f"conversation/{as_text(record.get('id')) or content_id(record)}"
    elif "profile" in record and "ts" not in record:
        body = {"user": record}
        ref = f"user/{as_text(record.get('id')) or content_id(record)}"
        if context.modified_at is not None and not isinstance(record.get("updated"), int):
            attributes[FILE_TIME] = context.modified_at.isoformat()
    else:
        body = {"folder": folder[:200], "message": record}
        stamp = stamp_of(record.get("ts")) or stamp_of(as_object(record.get("message")).get("ts"))
        ref = f"{folder[:200]}/{stamp or content_id(record)}"
    content = json.dumps(body, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace")
    if len(content) > LONGEST_RECORD:
        return Skipped(0, "the record is longer than can be kept")
    return RawEvent(
        project=context.project,
        source=SOURCE,
        source_ref=ref.replace("\0", "")[:1024],
        media_type=MEDIA_TYPE,
        body=body_of(content),
        owner=context.owner,
        attributes=attributes,
    )
