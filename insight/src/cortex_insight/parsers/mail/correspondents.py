"""Who writes to whom: persons, machines, lists, and the owner among them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from email.message import Message
from typing import Final

from roxabi_contracts import ActorKind, ActorRef, ActorRole, Identifier

from cortex_insight.parsers.mail.addresses import Address, read_addresses
from cortex_insight.parsers.mail.parts import raw_header, raw_headers
from cortex_insight.parsers.mail.words import header_text

RECIPIENTS_AT_MOST: Final = 100
"""Recipients that become actors; the others are counted."""

_MACHINE: Final = re.compile(
    r"(?:no|do[-_.]?not|ne[-_.]?pas)[-_.]?(?:reply|repondre)|mailer-daemon|postmaster|bounces?"
    r"|notifications?|automailer|.*[-_.+](?:no-?reply|bounces?|notifications?)", re.I
)  # fmt: skip
_SHARED: Final = re.compile(
    r"(?:info|contact|support|sales|hello|help|office|team|admin|billing|accounts?|hr|jobs|press"
    r"|service|kontakt|webmaster|abuse|security|marketing|newsletter|news)", re.I
)  # fmt: skip
_VIA: Final = re.compile(r"^['\"]?(.+?)['\"]?\s+via\s+\S.*$", re.I)
_GMAIL: Final = ("gmail.com", "googlemail.com")


@dataclass(frozen=True)
class Correspondents:
    """The actors of a mail, its author first."""

    actors: tuple[ActorRef, ...]
    subject: int
    """Index of the owner."""
    more_recipients: int = 0

    @property
    def author(self) -> ActorRef:
        """Who wrote it."""
        return self.actors[0]

    @property
    def by_owner(self) -> bool:
        """The owner wrote it."""
        return self.subject == 0

    @property
    def to_owner_alone(self) -> bool:
        """Nobody else received it."""
        received = [one for one in self.actors if one.role is ActorRole.RECIPIENT]
        own = self.actors[self.subject].identifiers
        return bool(received) and all(one.identifiers == own for one in received)


def read_correspondents(mail: Message, owner: ActorRef) -> Correspondents:
    """Who wrote a mail, and to whom."""
    lists = _list_addresses(mail)
    author = _author(mail, lists)
    actors = [as_owner(author, owner, ActorRole.AUTHOR) or author]
    recipients = _unique(
        one
        for name in ("to", "cc", "bcc")
        for raw in raw_headers(mail, name)
        for one in read_addresses(raw)
        if one.email or one.name
    )
    for one in recipients[:RECIPIENTS_AT_MOST]:
        drawn = _actor(one, ActorRole.RECIPIENT, lists)
        actors.append(as_owner(drawn, owner, ActorRole.RECIPIENT) or drawn)
    sender = next(iter(read_addresses(raw_header(mail, "sender"))), None)
    if sender is not None and sender.email and not _named(actors, sender.email, lists):
        actors.append(_actor(sender, ActorRole.PARTICIPANT, lists))
    subject = next(
        (index for index, one in enumerate(actors) if one.identifiers == owner.identifiers), None
    )
    if subject is None:
        actors.append(owner.model_copy(update={"role": ActorRole.OWNER}))
        subject = len(actors) - 1
    more = max(0, len(recipients) - RECIPIENTS_AT_MOST)
    return Correspondents(tuple(actors), subject, more)


def is_automatic(mail: Message) -> bool:
    """Whether a program sent it without a person behind it."""
    auto = header_text(raw_header(mail, "auto-submitted")).lower()
    answers = header_text(raw_header(mail, "x-autoreply") + raw_header(mail, "x-autorespond"))
    precedence = header_text(raw_header(mail, "precedence")).lower()
    empty = header_text(raw_header(mail, "return-path")) == "<>"
    return (
        (bool(auto) and not auto.startswith("no"))
        or bool(answers)
        or precedence in ("bulk", "junk", "auto_reply")
        or empty
    )


def list_name(mail: Message) -> str | None:
    """The mailing list that passed it on."""
    stated = header_text(raw_header(mail, "list-id"))
    name = re.sub(r"\s*<[^<>]*>\s*$", "", stated).strip('" ')
    found = re.search(r"<([^<>]+)>", stated)
    return name or (found[1] if found else None)


def person(name: str | None, email: str | None, role: ActorRole) -> ActorRef:
    """Somebody by name and address, of the kind that the address tells."""
    return _actor(Address(name, email), role, frozenset())


def as_owner(actor: ActorRef, owner: ActorRef, role: ActorRole) -> ActorRef | None:
    """The owner in that role, if an address of the actor is theirs; null: it is somebody else."""
    own = {_folded(one.value) for one in owner.identifiers if one.scheme == "email"}
    if not own & {_folded(one.value) for one in actor.identifiers}:
        return None
    return owner.model_copy(update={"role": role})


def _author(mail: Message, lists: frozenset[str]) -> ActorRef:
    """Who wrote it: where a list put itself in the place of the author, who is behind it."""
    stated = next(
        (one for raw in raw_headers(mail, "from") for one in read_addresses(raw)),
        next(iter(read_addresses(raw_header(mail, "sender"))), Address(None, None)),
    )
    via = _VIA.match(stated.name or "")
    if stated.email not in lists and via is None:
        actor = _actor(stated, ActorRole.AUTHOR, lists)
        automatic = is_automatic(mail) and actor.kind is ActorKind.PERSON
        return actor.model_copy(update={"kind": ActorKind.BOT}) if automatic else actor
    behind = [
        one
        for name in ("x-original-from", "reply-to")
        for raw in raw_headers(mail, name)
        for one in read_addresses(raw)
        if one.email and one.email != stated.email and one.email not in lists
    ]
    name = via[1] if via else stated.name
    email = behind[0].email if len(behind) >= 1 and _same_name(behind[0], name) else None
    return _actor(Address(name, email), ActorRole.AUTHOR, lists)


def _same_name(one: Address, name: str | None) -> bool:
    return one.name is None or name is None or one.name.casefold() == name.casefold()


def _list_addresses(mail: Message) -> frozenset[str]:
    posts = re.findall(r"mailto:([^>?\s]+@[^>?\s]+)", header_text(raw_header(mail, "list-post")))
    return frozenset(one.lower() for one in posts)


def _actor(one: Address, role: ActorRole, lists: frozenset[str]) -> ActorRef:
    identifiers = (Identifier(scheme="email", value=one.email),) if one.email else ()
    return ActorRef(kind=_kind(one, lists), role=role, name=one.name, identifiers=identifiers)


def _kind(one: Address, lists: frozenset[str]) -> ActorKind:
    local = (one.email or "").rpartition("@")[0]
    if one.email is not None and one.email.lower() in lists:
        return ActorKind.GROUP
    if _MACHINE.fullmatch(local):
        return ActorKind.BOT
    return ActorKind.GROUP if _SHARED.fullmatch(local) else ActorKind.PERSON


def _folded(email: str) -> str:
    """An address to compare with the owner's own, who may sign up with variants of theirs."""
    local, _, domain = email.strip().casefold().rpartition("@")
    if domain in _GMAIL:
        return f"{local.partition('+')[0].replace('.', '')}@gmail.com"
    return f"{local}@{domain}"


def _named(actors: Iterable[ActorRef], email: str, lists: frozenset[str]) -> bool:
    known = {_folded(key.value) for one in actors for key in one.identifiers}
    return _folded(email) in known | lists


def _unique(found: Iterable[Address]) -> list[Address]:
    return list({(one.email or f"name:{one.name}"): one for one in found}.values())
