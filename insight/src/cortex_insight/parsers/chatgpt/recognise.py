"""Whether a file is of an export of ChatGPT, by the tree that a conversation is."""

import re
from typing import Final

from cortex_insight.event import FileHead
from cortex_insight.parser import Confidence
from cortex_insight.parsers.chatgpt.splitting import ACCOUNT, QUIET

_MAPPING: Final = re.compile(rb'"mapping"\s*:\s*\{')
_NODE: Final = re.compile(rb'"(?:parent|children|message)"\s*:')
_SUBSCRIBER: Final = b'"chatgpt_plus_user"'


def recognise(head: FileHead) -> Confidence:
    """How surely a file is ChatGPT's."""
    name = head.path.rsplit("/", 1)[-1]
    content = head.content.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not content.startswith((b"[", b"{")):
        return Confidence.NONE
    mapping = _MAPPING.search(content)
    if mapping is not None and _NODE.search(content, mapping.end()):
        return Confidence.CERTAIN
    if name == ACCOUNT and _SUBSCRIBER in content:
        return Confidence.CERTAIN
    return Confidence.POSSIBLE if name in QUIET else Confidence.NONE
