"""Whether a file is a session, by the records at its beginning."""

import re
from collections.abc import Mapping
from typing import Final

from pydantic import JsonValue

from cortex_insight.event import FileHead
from cortex_insight.parser import Confidence
from cortex_insight.parsers.claude_code_jsonl.drafts import KNOWN_TYPES
from cortex_insight.parsers.recognising import first_objects
from cortex_insight.parsers.records import as_text

_SIDECAR: Final = re.compile(
    r"(?:^|/)(?:agent-[^/]+\.meta\.json|subagents/workflows/[^/]+/journal\.jsonl)$"
)
_TOKENS: Final = (b'"sessionId"', b'"type"', b'"uuid"')


def recognise(head: FileHead) -> Confidence:
    """How surely the file is a session; one with a very long first line by its words alone."""
    if is_sidecar(head.path):
        return Confidence.LIKELY
    objects = first_objects(head)
    if any(map(_is_record, objects)):
        return Confidence.CERTAIN
    if objects and all(as_text(one.get("type")) in KNOWN_TYPES for one in objects):
        return Confidence.LIKELY
    cut = not head.complete and head.path.endswith(".jsonl") and not objects
    return (
        Confidence.LIKELY
        if cut and all(map(head.content.__contains__, _TOKENS))
        else Confidence.NONE
    )


def is_sidecar(path: str) -> bool:
    """Whether a file lies beside the sessions of sub-agents and is none itself."""
    return _SIDECAR.search(path) is not None


def _is_record(one: Mapping[str, JsonValue]) -> bool:
    if as_text(one.get("type")) not in KNOWN_TYPES:
        return False
    return isinstance(one.get("sessionId"), str) or {"uuid", "parentUuid"} <= one.keys()
