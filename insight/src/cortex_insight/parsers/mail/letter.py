"""A mail in its place: who, when, in which thread, and whose words it holds."""

import re
from dataclasses import dataclass
from email.message import Message
from typing import Final

from roxabi_contracts import ActorRef, RawEvent, TimeNote
from roxabi_contracts.payloads import TimeSource

from cortex_insight.event_time import Bound, resolve_time
from cortex_insight.parser import ParseContext
from cortex_insight.parsers.mail.correspondents import (
    Correspondents,
    list_name,
    read_correspondents,
)
from cortex_insight.parsers.mail.dates import bounds_of
from cortex_insight.parsers.mail.message_ids import ancestors, message_id
from cortex_insight.parsers.mail.parts import Contents, raw_header, raw_headers, read_contents
from cortex_insight.parsers.mail.quotes import Divided, divide
from cortex_insight.parsers.mail.splitting import ENVELOPE_TIME, FILE_TIME
from cortex_insight.parsers.mail.words import header_text
from cortex_insight.parsers.records import read_time

_PREFIX: Final = re.compile(
    r"^\s*(?:(?:re|fwd?|aw|wg|tr|rép|sv|vs|vb|rif|odp|res|enc|antw)(?:\[\d+\])?\s*:\s*|\[[^\]]{1,40}\]\s*)+",
    re.I,
)


@dataclass(frozen=True)
class Letter:
    """A mail in its place."""

    mail: Message
    event: RawEvent
    ref: str
    """Its natural id."""
    timestamp: int
    time: TimeNote
    people: Correspondents
    contents: Contents
    words: Divided

    @classmethod
    def of(
        cls, mail: Message, event: RawEvent, owner: ActorRef, ref: str, context: ParseContext
    ) -> "Letter":
        """Read a mail that was sent to or by the owner."""
        timestamp, time = resolve_time(_bounds(mail, event), context.received_at)
        contents = read_contents(mail)
        people = read_correspondents(mail, owner)
        return cls(mail, event, ref, timestamp, time, people, contents, divide(contents.text))

    @property
    def owner(self) -> ActorRef:
        """In whose memory it is read."""
        return self.people.actors[self.people.subject]

    @property
    def subject(self) -> str:
        """The subject line."""
        return header_text(raw_header(self.mail, "subject"))

    @property
    def trace(self) -> str:
        """The thread: the mail at its beginning."""
        above = ancestors(self.mail)
        return above[0] if above else message_id(self.mail) or self.ref

    @property
    def is_doubtful(self) -> bool:
        """Whether the servers found its author forged, or took it for spam."""
        checks = " ".join(
            header_text(one) for one in raw_headers(self.mail, "authentication-results")
        )
        spam = header_text(raw_header(self.mail, "x-spam-flag")).lower() == "yes"
        return spam or re.search(r"\bdmarc=fail\b", checks, re.I) is not None

    @property
    def topic(self) -> tuple[str, ...] | None:
        """What it is about: its subject without marks of replies, and the list it came through."""
        subject = _PREFIX.sub("", self.subject).strip()
        names = [name for name in (subject[:512], list_name(self.mail)) if name]
        return tuple(dict.fromkeys(names)) or None


def _bounds(mail: Message, event: RawEvent) -> list[Bound]:
    around = [
        read_time(event.attributes.get(ENVELOPE_TIME), TimeSource.ENVELOPE),
        read_time(event.attributes.get(FILE_TIME), TimeSource.FILE),
    ]
    stated = bounds_of(raw_header(mail, "date") or None, raw_headers(mail, "received"))
    published = Bound(event.occurred_at, TimeSource.EVENT)
    return [*stated, published, *(one for one in around if one is not None)]
