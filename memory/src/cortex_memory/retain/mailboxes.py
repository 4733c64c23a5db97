"""What an e-mail address says beside who writes: shared, automatic, or one of several spellings."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from pydantic import TypeAdapter

from cortex_memory.retain.key_spelling import mail_parts

_AUTOMATIC: Final = re.compile(
    r"(?:.*[._-])?(?:no|do-?not|ne[._-]?pas)[._-]?re(?:ply|pondre)\b"
    r"|srs[01]=|prvs=|btv1=|bounces?\b|reply[+_-]|unsubscribe\b"
    r"|.*-(?:bounces|request|owner|admin|subscribe|unsubscribe|confirm)$"
)
_OF_SEVERAL: Final = re.compile(
    r".*[^\W\d_][._-]?&[._-]?[^\W\d_].*"  # jane&john
    r"|(?:.*[._-])?[^\W\d_]+[._-](?:and|et|und)[._-][^\W\d_].*"  # jane.and.john
    r"|(?:.+[._-])?(?:family|familie|famille)(?:[._-].+)?|fam[._-].+"  # familie.dahl
    r"|(?:familie|famille)[^\W\d_]{3,}|[^\W\d_]{3,}(?:family|familie|famille)"
    r"|the[._-][^\W\d_]{3,}s"  # the.smiths
    r"|the(?!o|mist)[^\W\d_]{3,}[^\W\d_aiou]s"  # thesmiths, but no Theodores and no Themelis
)
_OF_LISTS: Final = re.compile(r"(?:lists?|groups?|listserv|mailman|bounces?)\.")
_OF_ROOMS: Final = re.compile(r"(?:resource|group|import)\.calendar\.google\.com")
_GITHUB: Final = "users.noreply.github.com"
_GITHUB_MAILBOX: Final = re.compile(r"(\d+)\+[a-z0-9-]+")


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider of mailboxes: which domains are one, and what it does not read of an address."""

    domains: tuple[str, ...]
    tag: str = "+"
    reads_dots: bool = True


@dataclass(frozen=True, slots=True)
class Directory:
    """What is known of mailboxes by their address alone."""

    shared: frozenset[str]
    public: frozenset[str]
    providers: Mapping[str, Provider]


@cache
def bundled_directory() -> Directory:
    """The directory that comes with the service."""
    text = resources.files("cortex_memory.retain").joinpath("mailboxes.toml").read_text("utf-8")
    content = tomllib.loads(text)
    providers = TypeAdapter(tuple[Provider, ...]).validate_python(content["providers"])
    by_domain = {domain: provider for provider in providers for domain in provider.domains}
    return Directory(
        shared=frozenset(content["shared"].split()),
        public=frozenset(content["public"].split()) | by_domain.keys(),
        providers=by_domain,
    )


def is_shared(address: str) -> bool:
    """Whether several people may write from the address, or nobody does."""
    mailbox, domain = mail_parts(address)
    if domain == _GITHUB:
        return False
    return (
        mailbox.partition("+")[0] in bundled_directory().shared
        or _AUTOMATIC.match(mailbox) is not None
        or _names_several(mailbox)
        or _OF_LISTS.match(domain) is not None
        or _OF_ROOMS.fullmatch(domain) is not None
    )


def _names_several(mailbox: str) -> bool:
    """Whether the mailbox calls itself by two people, a couple or a family."""
    return _OF_SEVERAL.fullmatch(mailbox.partition("+")[0].rstrip("._-0123456789")) is not None


def github_account(address: str) -> str | None:
    """The account that an address states which GitHub itself gives out; null: it is no such."""
    mailbox, domain = mail_parts(address)
    match = _GITHUB_MAILBOX.fullmatch(mailbox) if domain == _GITHUB else None
    return match[1] if match else None


def is_github_login(address: str) -> bool:
    """Whether the address is made of the login alone, which its owner may give up to another."""
    mailbox, domain = mail_parts(address)
    return domain == _GITHUB and _GITHUB_MAILBOX.fullmatch(mailbox) is None


def mailbox_behind(address: str) -> str | None:
    """The mailbox to which a known provider delivers the address; null: no known provider."""
    mailbox, domain = mail_parts(address)
    provider = bundled_directory().providers.get(domain)
    if provider is None:
        return None
    plain = mailbox.partition(provider.tag)[0] or mailbox
    if not provider.reads_dots:
        plain = plain.replace(".", "") or plain
    return f"{plain}@{provider.domains[0]}"


def own_domain(address: str) -> str | None:
    """The domain, if it is not one under which anybody gets a mailbox."""
    _, domain = mail_parts(address)
    is_own = bool(domain) and domain != _GITHUB and domain not in bundled_directory().public
    return domain if is_own else None
