"""Whether a file is a session of Codex, by the records at its beginning."""

import re
from collections.abc import Mapping
from typing import Final

from pydantic import JsonValue

from cortex_insight.event import FileHead
from cortex_insight.parser import Confidence
from cortex_insight.parsers.codex.record import ENVELOPES, is_bare_session
from cortex_insight.parsers.codex.splitting import OLDEST, TITLES
from cortex_insight.parsers.recognising import first_objects

_BEGINS: Final = re.compile(
    rb'\s*\{\s*"timestamp"\s*:\s*"[^"]{0,64}"\s*,\s*(?:"ordinal"\s*:\s*\d+\s*,\s*)?'
    rb'"type"\s*:\s*"session_meta"'
)
"""The first line of a session may be longer than what is shown of it."""
_ITEMS: Final = re.compile(rb'"items"\s*:\s*\[')


def recognise(head: FileHead) -> Confidence:
    """How surely the file is a session."""
    objects = first_objects(head)
    if any(map(_is_line, objects)) or _BEGINS.match(head.content):
        return Confidence.CERTAIN
    if OLDEST.match(head.content) and _ITEMS.search(head.content):
        return Confidence.LIKELY
    if objects and is_bare_session(objects[0]):
        return Confidence.LIKELY
    is_titles = head.path.rsplit("/", 1)[-1] == TITLES
    return Confidence.LIKELY if is_titles and objects else Confidence.NONE


def _is_line(one: Mapping[str, JsonValue]) -> bool:
    stated = one.get("type") in ENVELOPES and isinstance(one.get("payload"), dict)
    return stated and isinstance(one.get("timestamp"), str)
