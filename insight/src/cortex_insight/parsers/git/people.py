"""Who stands behind a name and an address of git: persons, programs, agents; the owner."""

import re
from collections.abc import Iterable
from typing import Final

from roxabi_contracts import ActorKind, ActorRef, ActorRole, Identifier

from cortex_insight.parsers.git.record import Person

_ADDRESS: Final = re.compile(r"[^\s<>@]+@[^\s<>@]+\.[^\s<>@.]{2,}")
_NOWHERE: Final = re.compile(
    r".*(?:\.(?:local|localdomain|lan|internal|invalid|\(none\))|@localhost.*)", re.I
)
"""Addresses that git makes up from the name of a machine: many people may share one."""
_NO_REPLY: Final = re.compile(
    r"(?:no-?reply|donotreply)@.*|.*@(?:anthropic|openai|cursor)\.com", re.I
)
_PROGRAM: Final = re.compile(
    r".*\[bot\]|github|gitlab|(?:dependabot|renovate|github-actions|pre-commit-ci|greenkeeper"
    r"|semantic-release|mergify|snyk|imgbot|allcontributors)\b.*|.*[ _-]bot", re.I
)  # fmt: skip
_AGENT: Final = re.compile(
    r"(?:claude|copilot|codex|cursor|gemini|devin|aider|openhands|jules|amp|opencode)\b.*", re.I
)
_NAMED: Final = re.compile(r"\s*(.*?)\s*<\s*([^<>]*?)\s*>.*")


def actor_of(people: Iterable[Person], role: ActorRole, owner: ActorRef) -> ActorRef:
    """Somebody by what is recorded of them; the first name counts, and every address.

    The map of names that a repository keeps states that its addresses are one person's.
    """
    known = [*people]
    name = next((shown for one in known if (shown := printable(one.name))), None)
    emails = dict.fromkeys(email for one in known if (email := _email(one.email)))
    kind = _kind(name, [*emails])
    own_emails = (email for email in emails if not _NO_REPLY.fullmatch(email))
    keys = tuple(Identifier(scheme="email", value=email) for email in own_emails)
    own = {key.value.casefold() for key in owner.identifiers if key.scheme == "email"}
    if not own.isdisjoint(key.value.casefold() for key in keys):
        return owner.model_copy(update={"role": role})
    return ActorRef(kind=kind, role=role, name=name, identifiers=keys)


def person_in(text: str) -> Person:
    """Somebody as a trailer names them."""
    found = _NAMED.fullmatch(text)
    if found is not None:
        return Person(found[1] or None, found[2] or None)
    return Person(text.strip() or None, None)


def printable(text: str | None) -> str | None:
    """A name without what is not shown, or turns round what is."""
    shown = "".join(one if one.isprintable() else " " for one in text or "")
    return " ".join(shown.split())[:512] or None


def _email(text: str | None) -> str | None:
    stated = (text or "").strip().strip("<>")[:320]
    return stated if _ADDRESS.fullmatch(stated) and not _NOWHERE.fullmatch(stated) else None


def _kind(name: str | None, emails: list[str]) -> ActorKind:
    """A program calls itself one; an agent has no address of its own."""
    stated = name or ""
    local = emails[0].partition("@")[0] if emails else ""
    if _PROGRAM.fullmatch(stated) or local.endswith("[bot]"):
        return ActorKind.BOT
    nobodys = all(_NO_REPLY.fullmatch(one) for one in emails)
    return ActorKind.AGENT if nobodys and _AGENT.fullmatch(stated) else ActorKind.PERSON
