"""Ids of mails and of those they answer, as far as they are ids."""

import re
from email.message import Message
from typing import Final

from cortex_insight.parsers.mail.parts import raw_header, raw_headers

_ID: Final = re.compile(r"<([^<>\s]{3,500})>")
_BARE: Final = re.compile(r"\s*([^<>\s]+@[^<>\s]+)\s*")
_LONGEST: Final = 500


def message_id(mail: Message) -> str | None:
    """The mail's own id, in angle brackets; null: it has none that can name it."""
    stated = _clean(raw_header(mail, "message-id") or raw_header(mail, "message-id:"))
    found = _ID.search(stated)
    bare = _BARE.fullmatch(stated)
    name = found[1] if found else bare[1] if bare else None
    return f"<{name[:_LONGEST]}>" if name else None


def ancestors(mail: Message) -> tuple[str, ...]:
    """The mails it stands below, the first of the thread first, the one it answers last.

    The latter field often holds prose or addresses beside the id.
    """
    above = [one for raw in raw_headers(mail, "references") for one in _ID.findall(_clean(raw))]
    answered = [one for raw in raw_headers(mail, "in-reply-to") for one in _ID.findall(_clean(raw))]
    chain = list(dict.fromkeys(above))
    parent = next((one for one in answered if "@" in one), None)
    if parent is not None and parent not in chain:
        chain.append(parent)
    return tuple(f"<{one}>" for one in chain)


def _clean(raw: str) -> str:
    return re.sub(r"[\0-\x1f\ud800-\udfff\x7f]+", " ", raw).strip()
