"""E-mail: single mails, mbox files, maildirs; forty years of programs wrote them."""

import re
from collections.abc import Iterable, Iterator
from email import message_from_bytes
from typing import Final

from roxabi_contracts import ActorRef, RawEvent
from roxabi_contracts.ids import content_id

from cortex_insight.event import FileContext, FileHead, Skipped
from cortex_insight.parser import Confidence, Neighbours, ParseContext, Parsed, Reject
from cortex_insight.parsers.mail.addresses import read_addresses
from cortex_insight.parsers.mail.calendars import read_meetings
from cortex_insight.parsers.mail.drafts import drafts_of
from cortex_insight.parsers.mail.invitations import meeting_drafts
from cortex_insight.parsers.mail.letter import Letter
from cortex_insight.parsers.mail.message_ids import message_id
from cortex_insight.parsers.mail.parts import raw_header, read_contents
from cortex_insight.parsers.mail.quotes import divide
from cortex_insight.parsers.mail.recognise import KNOWN_HEADERS, recognise
from cortex_insight.parsers.mail.splitting import MEDIA_TYPE, SOURCE, message_from_header, split
from cortex_insight.parsers.mail.words import header_text

__all__ = ["MailParser"]

_SPACE: Final = re.compile(r"[\s\u200b]+")


class MailParser:
    """The source `mail`.

    The same mail may come more than once: from two folders, or through three lists which each
    add a footer. Copies that say the same are one record, named by their Message-ID, and one of
    them, the same for all, speaks for it. A Message-ID that was given twice names the first; the
    others have their content in their name.

    A meeting that its organiser sends is a record by itself, whose later invitation is a revision.
    """

    source: str = SOURCE
    title: str = "E-mail: single mails (*.eml), mbox files, maildir folders"
    version: int = 2
    media_types: frozenset[str] = frozenset({MEDIA_TYPE})

    def recognise(self, head: FileHead) -> Confidence:
        """By the headers at its beginning."""
        return recognise(head)

    def split(self, content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
        """One event a mail."""
        return split(content, context)

    def provides(self, event: RawEvent) -> tuple[str, ...]:
        """The mail itself, for its copies in the same memory."""
        return self.needs(event)

    def needs(self, event: RawEvent) -> tuple[str, ...]:
        """The copies of the mail."""
        name = message_id(message_from_header(event.body.to_bytes()))
        if name is None or event.owner is None or not event.owner.identifiers:
            return ()
        return (f"{str(event.owner.identifiers[0]).casefold()} {name}",)

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        """What the mail says."""
        if event.owner is None or not event.owner.identifiers:
            return Reject("no_owner", "the event does not say whose memory it goes to")
        try:
            return _read(event, event.owner, neighbours, context)
        except RecursionError:
            return Reject("nested_too_deeply", "the parts of the mail are nested too deeply")


def _read(
    event: RawEvent, owner: ActorRef, neighbours: Neighbours, context: ParseContext
) -> Parsed | Reject:
    mail = message_from_bytes(event.body.to_bytes())
    if not KNOWN_HEADERS & {name.lower() for name in mail}:
        return Reject("no_header", "the bytes begin with no header of a mail")
    copies = [one for found in neighbours.values() for one in found]
    spokesman, ref = _speaker(event, message_id(mail), copies)
    if spokesman is not event:
        mail = message_from_bytes(spokesman.body.to_bytes())
    letter = Letter.of(mail, spokesman, owner, ref, context)
    meetings, left_out = read_meetings(letter.contents.calendars)
    return Parsed((*drafts_of(letter), *meeting_drafts(letter, meetings)), left_out)


def _speaker(event: RawEvent, name: str | None, copies: list[RawEvent]) -> tuple[RawEvent, str]:
    """The copy that speaks for all that say the same, and what they are called.

    The name is that of the mail which has it first, by the ids of their events.
    """
    if name is not None and not copies:
        return event, name
    by_id = sorted([event, *copies], key=lambda one: one.event_id)
    said = {one.event_id: _content_of(one) for one in by_id}
    own = said[event.event_id]
    spokesman = next(one for one in by_id if said[one.event_id] == own)
    if name is None:
        return spokesman, f"content:{own}"
    return spokesman, name if said[by_id[0].event_id] == own else f"{name}#{own[:12]}"


def _content_of(event: RawEvent) -> str:
    """A digest of what a mail says, whatever its way added: who, when, and their first words."""
    mail = message_from_bytes(event.body.to_bytes())
    author = [one.email for one in read_addresses(raw_header(mail, "from"))][:1]
    words = divide(read_contents(mail).text)
    text = _SPACE.sub(" ", words.said or words.forwarded or words.quoted).strip().casefold()
    stated = (header_text(raw_header(mail, name)) for name in ("date", "subject"))
    return content_id([*author], [*stated], text)
