"""Whether a file is an export of Telegram Desktop, or holds updates of its Bot API."""

import re
from typing import Final

from cortex_insight.event import FileHead
from cortex_insight.parser import Confidence

_CHAT_TYPE: Final = re.compile(
    rb'"type":\s*"(?:personal_chat|bot_chat|saved_messages|replies|verification_codes'
    rb'|(?:private|public)_(?:group|supergroup|channel))"'
)
_MESSAGES: Final = re.compile(rb'"messages":\s*\[')
_UPDATE: Final = re.compile(rb'"update_id":\s*\d')
_UNIX_TIME: Final = b'"date_unixtime"'
_SECTIONS: Final = re.compile(rb'"(?:chats|left_chats|personal_information|contacts)":\s*\{')


def recognise(head: FileHead) -> Confidence:
    """How surely a file is Telegram's."""
    content = head.content.removeprefix(b"\xef\xbb\xbf").lstrip()
    if content[:1] not in (b"{", b"["):
        return Confidence.NONE
    if _CHAT_TYPE.search(content) and _MESSAGES.search(content):
        return Confidence.CERTAIN
    if _UPDATE.search(content[:2000]):
        return Confidence.CERTAIN
    if _UNIX_TIME in content and _MESSAGES.search(content):
        return Confidence.LIKELY
    if content.startswith(b"{") and _SECTIONS.search(content) and b"Telegram" in content:
        return Confidence.LIKELY
    return Confidence.NONE
