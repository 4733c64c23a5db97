"""Whether a file is of a Slack export, by the records at its beginning."""

import re
from collections.abc import Mapping
from typing import Final

from pydantic import JsonValue

from cortex_insight.event import FileHead
from cortex_insight.parser import Confidence
from cortex_insight.parsers.recognising import first_objects
from cortex_insight.parsers.slack.record import USER_ID, stamp_of
from cortex_insight.parsers.slack.splitting import CONVERSATIONS, QUIET

_CONVERSATION_ID: Final = re.compile(r"[CGD][A-Z0-9]{4,20}")
_MESSAGE: Final = re.compile(rb'"ts":\s*"\d{9,11}\.\d{6}"')


def recognise(head: FileHead) -> Confidence:
    """How surely a file is Slack's."""
    name = head.path.rsplit("/", 1)[-1]
    content = head.content.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not content.startswith((b"[", b'{"messages"')):
        return Confidence.NONE
    objects = first_objects(head)
    if any(map(_is_certain, objects)):
        return Confidence.CERTAIN
    if name in CONVERSATIONS | QUIET and content.startswith(b"["):
        return Confidence.POSSIBLE
    return Confidence.LIKELY if not objects and _MESSAGE.search(content) else Confidence.NONE


def _is_certain(one: Mapping[str, JsonValue]) -> bool:
    if stamp_of(one.get("ts")) and one.get("type") == "message":
        return True
    identity = one.get("id")
    if not isinstance(identity, str):
        return False
    if USER_ID.fullmatch(identity) and isinstance(one.get("profile"), dict):
        return True
    listed = "members" in one and "created" in one
    return listed and _CONVERSATION_ID.fullmatch(identity) is not None
