"""Whether a file is of an export of Claude.ai, by the messages of its conversations."""

import re
from typing import Final

from cortex_insight.event import FileHead
from cortex_insight.parser import Confidence
from cortex_insight.parsers.claude_ai.splitting import ACCOUNTS, UNREAD

_MESSAGES: Final = re.compile(rb'"chat_messages"\s*:\s*\[')
_PROJECT: Final = re.compile(rb'"prompt_template"\s*:')
_MEMORY: Final = re.compile(rb'"(?:conversations_memory|project_memories)"\s*:')
_ADDRESS: Final = re.compile(rb'"email_address"\s*:')


def recognise(head: FileHead) -> Confidence:
    """How surely a file is Claude.ai's."""
    name = head.path.rsplit("/", 1)[-1]
    content = head.content.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not content.startswith((b"[", b"{")):
        return Confidence.NONE
    if _MESSAGES.search(content):
        return Confidence.CERTAIN
    own = _PROJECT.search(content) or _MEMORY.search(content)
    if name in UNREAD and own:
        return Confidence.CERTAIN
    return Confidence.LIKELY if name == ACCOUNTS and _ADDRESS.search(content) else Confidence.NONE
