"""Custom instructions, which every conversation repeats: only their changes are told."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from cortex_insight.parsers.chatgpt.record import Fields
from cortex_insight.parsers.records import as_object, as_text

_FENCED: Final = re.compile(r"```(.*)```", re.DOTALL)


class _Told(NamedTuple):
    about_user: str
    about_model: str


class _Met(NamedTuple):
    moment: int
    conversation: str
    node: str
    told: int


class History:
    """The instructions that conversations met, in whatever order these come."""

    def __init__(self) -> None:
        self._numbers: dict[_Told, int] = {}
        self._met: list[_Met] = []

    def met(self, moment: int, conversation: str, node: str, told: _Told) -> None:
        """A conversation began, at this epoch ms, with these instructions."""
        number = self._numbers.setdefault(told, len(self._numbers))
        self._met.append(_Met(moment, conversation, node, number))

    def changes(self) -> Iterator[Fields]:
        """The first conversation of each run that had the same, as the body of an event."""
        texts = list(self._numbers)
        before = _Told("", "")
        for moment, conversation, node, number in sorted(self._met):
            told = texts[number]
            if told != before:
                settings: Fields = {**told._asdict(), "create_time": moment or None}
                yield {"conversation_id": conversation, "node": node, "instructions": settings}
            before = told


def instructions_in(message: Fields) -> _Told | None:
    """The user's instructions that a message repeats; null: it is an ordinary one."""
    content, metadata = as_object(message.get("content")), as_object(message.get("metadata"))
    is_context = content.get("content_type") == "user_editable_context"
    if not is_context and metadata.get("is_user_system_message") is not True:
        return None
    plain = as_object(metadata.get("user_context_message_data"))
    told = _Told(
        as_text(plain.get("about_user_message")) or _unwrapped(content.get("user_profile")),
        as_text(plain.get("about_model_message")) or _unwrapped(content.get("user_instructions")),
    )
    return told if any(told) or is_context else None


def _unwrapped(value: object) -> str:
    """The user's words, out of what the program puts around them for the model."""
    text = value if isinstance(value, str) else ""
    fenced = _FENCED.search(text)
    return (fenced[1] if fenced else text).strip()
