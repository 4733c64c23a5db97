"""What a mail says: its author's words, what they forward, how they sign, what a server reports."""

import re
from collections.abc import Iterator
from dataclasses import replace
from email.message import Message
from typing import Final

from roxabi_contracts import (
    ActorKind,
    ActorRef,
    ActorRole,
    Claim,
    Correlation,
    Finding,
    Interaction,
    Origin,
    Payload,
    Statement,
)
from roxabi_contracts.payloads import Direction, Severity, TimeSource

from cortex_insight.event_time import resolve_time
from cortex_insight.parser import Draft
from cortex_insight.parsers.mail.addresses import read_addresses
from cortex_insight.parsers.mail.correspondents import (
    Correspondents,
    person,
    read_correspondents,
)
from cortex_insight.parsers.mail.dates import bounds_of
from cortex_insight.parsers.mail.letter import Letter
from cortex_insight.parsers.mail.message_ids import ancestors
from cortex_insight.parsers.mail.parts import raw_header, raw_headers, read_contents
from cortex_insight.parsers.mail.quotes import divide
from cortex_insight.parsers.mail.signature import signature_claims
from cortex_insight.parsers.mail.splitting import LEFT_OUT
from cortex_insight.parsers.mail.words import header_text
from cortex_insight.parsers.records import capped

_DEEPEST: Final = 3
"""How deep mails inside mails are read."""


def drafts_of(letter: Letter) -> Iterator[Draft]:
    """All that a mail says."""
    if letter.contents.report is not None:
        yield _delivery(letter, letter.contents.report)
    else:
        yield _words(letter)
        claims = signature_claims(letter.words.signature)
        if claims and letter.people.author.kind is ActorKind.PERSON:
            yield _signature(letter, claims)
    if letter.words.forwarded:
        yield _forwarded(letter)
    for index, enclosed in enumerate(letter.contents.enclosed):
        yield from _enclosed(letter, enclosed, f"{letter.ref[:900]}/mail/{index}", _DEEPEST)


def _words(letter: Letter) -> Draft:
    people = letter.people
    text, cut = capped(letter.words.said or letter.subject)
    above = ancestors(letter.mail)
    payload = Interaction(
        text=text,
        time=letter.time,
        channel="mail",
        direction=_direction(people),
        thread=letter.trace,
        reply_to=above[-1] if above else None,
        attachments=letter.contents.attachments,
    )
    speaks = people.author.kind is ActorKind.PERSON and bool(letter.words.said)
    return _draft(
        letter, payload, letter.ref, people.actors, people.subject,
        speaker=0 if speaks and not letter.is_doubtful else None, notes=_notes(letter) | cut,
    )  # fmt: skip


def _direction(people: Correspondents) -> Direction:
    if not people.by_owner:
        return Direction.INBOUND
    return Direction.INTERNAL if people.to_owner_alone else Direction.OUTBOUND


def _signature(letter: Letter, claims: tuple[Claim, ...]) -> Draft:
    payload = Statement(text=letter.words.signature, time=letter.time, claims=claims)
    people = letter.people
    actors, subject = _with_owner(people.author, people)
    return _draft(
        letter, payload, f"{letter.ref[:900]}/signature", actors, subject,
        parent=letter.ref, notes={"part": "signature"},
    )  # fmt: skip


def _forwarded(letter: Letter) -> Draft:
    """What the author passes on: the words of somebody else, who may be named above them."""
    header, body = _inner_header(letter.words.forwarded)
    stated = next(iter(read_addresses(header.get("from", ""))), None)
    author = person(
        stated.name if stated else None, stated.email if stated else None, ActorRole.AUTHOR
    )
    actors, subject = _with_owner(author, letter.people)
    text, cut = capped(divide(body).said or body)
    payload = Interaction(text=text, time=letter.time, channel="mail", thread=letter.trace)
    return _draft(
        letter, payload, f"{letter.ref[:900]}/forwarded", actors, subject,
        parent=letter.ref, origin=Origin.THIRD_PARTY, notes={"part": "forwarded"} | cut,
    )  # fmt: skip


def _enclosed(letter: Letter, mail: Message, ref: str, depth: int) -> Iterator[Draft]:
    """A mail that came along: third parties speak, at their own time."""
    owner = letter.people.actors[letter.people.subject]
    people = read_correspondents(mail, owner)
    contents = read_contents(mail)
    words = divide(contents.text)
    bounds = bounds_of(raw_header(mail, "date") or None, raw_headers(mail, "received"))
    stated = [
        one
        for one in bounds
        if one.moment and one.moment.timestamp() * 1000 <= letter.timestamp + 86_400_000
    ]
    text, cut = capped(words.said or header_text(raw_header(mail, "subject")))
    note = letter.time.model_copy(update={"source": TimeSource.NEIGHBOUR, "assumed": True})
    timestamp = letter.timestamp
    if stated and stated[0].moment is not None:
        timestamp, note = resolve_time(stated, stated[0].moment)
    payload = Interaction(
        text=text, time=note, channel="mail", thread=letter.trace, attachments=contents.attachments
    )
    draft = _draft(
        letter, payload, ref, people.actors, people.subject,
        parent=letter.ref, origin=Origin.THIRD_PARTY, notes={"part": "enclosed"} | cut,
    )  # fmt: skip
    yield replace(draft, timestamp=timestamp)
    for index, inner in enumerate(contents.enclosed if depth > 1 else ()):
        yield from _enclosed(letter, inner, f"{ref}/{index}", depth - 1)


def _delivery(letter: Letter, report: str) -> Draft:
    failed = re.search(r"^action:\s*(?:failed|delayed)", report, re.I | re.M) is not None
    text, cut = capped("\n\n".join(one for one in (letter.words.said, report) if one))
    payload = Finding(
        text=text, time=letter.time, tool="mail delivery",
        outcome="failure" if failed else "success",
        severity=Severity.NEGATIVE if failed else Severity.NEUTRAL, evidence=report[:2000] or None,
    )  # fmt: skip
    people = letter.people
    return _draft(
        letter, payload, letter.ref, people.actors, people.subject, notes=_notes(letter) | cut
    )


def _draft(
    letter: Letter, payload: Payload, ref: str, actors: tuple[ActorRef, ...], subject: int, *,
    notes: dict[str, str], speaker: int | None = None, parent: str | None = None,
    origin: Origin | None = None,
) -> Draft:  # fmt: skip
    above = ancestors(letter.mail)
    machine = letter.people.author.kind is not ActorKind.PERSON
    trust = Origin.UNTRUSTED if letter.is_doubtful else Origin.THIRD_PARTY if machine else None
    return Draft(
        payload=payload,
        source_ref=ref,
        timestamp=letter.timestamp,
        actors=actors,
        subject=subject,
        speaker=speaker,
        origin=Origin.UNTRUSTED if letter.is_doubtful else origin or trust,
        topic=letter.topic,
        correlation=Correlation(
            trace_id=letter.trace,
            parent_ref=parent or (above[-1] if above else None),
            episode_id=letter.trace,
            attributes=notes,
        ),
        sequence=len(above),
    )


def _notes(letter: Letter) -> dict[str, str]:
    left_out = letter.event.attributes.get(LEFT_OUT)
    notes = {
        "subject": letter.subject[:998],
        "quoted_characters": str(len(letter.words.quoted) or ""),
        "more_recipients": str(letter.people.more_recipients or ""),
        "bytes_left_out": str(left_out or ""),
    }
    return {name: value for name, value in notes.items() if value}


def _with_owner(author: ActorRef, people: Correspondents) -> tuple[tuple[ActorRef, ...], int]:
    owner = people.actors[people.subject]
    if author.identifiers and author.identifiers == owner.identifiers:
        return (author,), 0
    return (author, owner.model_copy(update={"role": ActorRole.OWNER})), 1


def _inner_header(text: str) -> tuple[dict[str, str], str]:
    """The headers at the top of a forwarded mail by their English names, and the rest."""
    lines = text.split("\n")
    header: dict[str, str] = {}
    for index, line in enumerate(lines):
        name, colon, value = line.lstrip("*> ").partition(":")
        if not colon or len(name) > 20:
            return header, "\n".join(lines[index:]).strip() if header else text
        english = (
            _FROM if name.strip("* ").casefold() in _FROM_NAMES else name.strip("* ").casefold()
        )
        header[english] = value.strip("* ")
    return header, ""


_FROM: Final = "from"
_FROM_NAMES: Final = frozenset(
    ("from", "de", "von", "da", "van", "från", "fra", "от", "od", "差出人", "发件人")
)
