"""How like two keys are: what their spelling and the names that they bear say of one person."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import permutations, product
from typing import Final

from rapidfuzz import fuzz

from cortex_memory.model import Identifier, IdentifierId
from cortex_memory.retain.key_spelling import mail_parts, spelling
from cortex_memory.retain.mailboxes import is_shared, mailbox_behind, own_domain
from cortex_memory.retain.person_names import is_full_name, plain_name, searched_name

RARE_NAME: Final = 5
"""How many entities may bear a name that alone makes two of them candidates."""
_ALIKE: Final = 92.0
"""Of a hundred: how like two names are that may be two spellings of one."""
_SHORTEST_HANDLE: Final = 5
_LOCAL_DIGITS: Final = 8
_OPAQUE: Final = re.compile(r"\d+|[A-Z0-9]{8,}|[0-9a-f]{16,}|.*/.*")


class LikenessRule(StrEnum):
    """Why two keys may be of one person."""

    PROVIDER_ALIAS = "provider_alias"
    NAME_AND_DOMAIN = "same_name_and_domain"
    NAME_AND_HANDLE = "same_name_and_handle"
    SAME_NAME = "same_name"
    HANDLE_SPELLS_NAME = "handle_spells_name"
    SIMILAR_NAME = "similar_name"
    SAME_NUMBER = "same_number"
    SAME_HANDLE = "same_handle"


@dataclass(frozen=True, slots=True)
class Likeness:
    """The best reason to take two keys for one person's; the score orders reasons, no more."""

    rule: LikenessRule
    score: float
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Features:
    """What of a key can be compared; `names` are the full ones, as they are searched and shown."""

    id: IdentifierId
    scheme: str
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    spelled: frozenset[str] = frozenset()
    mailbox: str | None = None
    domain: str | None = None
    handle: str | None = None
    number: str | None = None

    def traits(self) -> Iterator[tuple[str, str]]:
        """What two keys have to share before they are compared."""
        for trait, value in (
            ("mailbox", self.mailbox),
            ("handle", self.handle),
            ("number", self.number),
        ):
            if value is not None:
                yield trait, value
        yield from (("handle", spelled) for spelled in self.spelled)
        for name in self.names:
            yield "name", name
            if self.domain is not None:
                yield from (("domain", f"{self.domain} {word}") for word in name.split())


@dataclass(frozen=True, slots=True)
class Called:
    """What somebody is called in full: as it is searched and shown, and the handles made of it."""

    names: Mapping[str, str]
    spelled: frozenset[str]

    @classmethod
    def by(cls, names: Iterable[str]) -> "Called":
        """What these names say; those that may be of many are left out."""
        full = {searched_name(name): name for name in sorted(names) if is_full_name(name)}
        spelled = (handle for name in full.values() for handle in _spellings(name))
        return cls(full, frozenset(spelled))


def features_of(key: Identifier, called: Called) -> Features | None:
    """What of a key can be compared; null: it is a mailbox that is nobody's own."""
    if key.scheme == "email" and is_shared(key.value):
        return None
    plain = Features(key.id, key.scheme, names=called.names, spelled=called.spelled)
    match key.scheme:
        case "email":
            handle = _handle(mail_parts(key.value)[0].partition("+")[0])
            domain = own_domain(key.value)
            return replace(plain, mailbox=mailbox_behind(key.value), domain=domain, handle=handle)
        case "phone":
            return replace(plain, number=_local_number(key.value))
        case "uri" | "name":
            return plain
        case _:
            return replace(plain, handle=_handle(key.value))


def compare(one: Features, other: Features, bearers: Mapping[str, int]) -> Likeness | None:
    """Whether two keys may be one person's; `bearers` counts the entities of each name."""
    if one.scheme == other.scheme and one.scheme.startswith("account:"):
        return None
    if one.mailbox is not None and one.mailbox == other.mailbox:
        said = f"both are delivered to {one.mailbox}"
        return Likeness(LikenessRule.PROVIDER_ALIAS, 0.95, (said,))
    shared = sorted(one.names.keys() & other.names.keys())
    if shared:
        return _of_one_name(one, other, shared[0], bearers)
    return _without_one_name(one, other)


def _of_one_name(
    one: Features, other: Features, name: str, bearers: Mapping[str, int]
) -> Likeness | None:
    named = f"both are called {one.names[name]}"
    if one.domain is not None and one.domain == other.domain:
        said = (named, f"both have addresses of {one.domain}")
        return Likeness(LikenessRule.NAME_AND_DOMAIN, 0.9, said)
    signals = _signals(one, other)
    if signals:
        return Likeness(LikenessRule.NAME_AND_HANDLE, 0.85, (named, *signals))
    if bearers.get(name, 0) <= RARE_NAME:
        return Likeness(LikenessRule.SAME_NAME, 0.6, (named,))
    return None


def _without_one_name(one: Features, other: Features) -> Likeness | None:
    alike = _alike(one, other)
    if one.names and other.names and alike is None:
        return None  # they are called by other names
    signals = _signals(one, other)
    if alike is not None:
        said = (f"{alike[0]} and {alike[1]} are alike", *signals)
        score = min(0.4 + 0.1 * len(signals), 0.7)
        return Likeness(LikenessRule.SIMILAR_NAME, score, said) if signals else None
    if one.handle in other.spelled or other.handle in one.spelled:
        return Likeness(LikenessRule.HANDLE_SPELLS_NAME, 0.55, signals)
    if one.number is not None and one.number == other.number:
        return Likeness(LikenessRule.SAME_NUMBER, 0.5, (f"both end in {one.number}",))
    if one.handle is not None and one.handle == other.handle:
        return Likeness(LikenessRule.SAME_HANDLE, 0.4, signals)
    return None


def _signals(one: Features, other: Features) -> tuple[str, ...]:
    """What beside their names speaks for one person."""
    found: list[str] = []
    if one.domain is not None and one.domain == other.domain:
        found.append(f"both have addresses of {one.domain}")
    if one.handle is not None and one.handle == other.handle:
        found.append(f"both have the handle {one.handle}")
    for key, called in ((one, other), (other, one)):
        if key.handle is not None and key.handle in called.spelled and key.handle != called.handle:
            found.append(f"the handle {key.handle} spells {min(called.names.values())}")
    if one.number is not None and one.number == other.number:
        found.append(f"both numbers end in {one.number}")
    return tuple(found)


def _alike(one: Features, other: Features) -> tuple[str, str] | None:
    """Two of their names that may be one, as they are shown."""
    for first, second in product(sorted(one.names), sorted(other.names)):
        if fuzz.ratio(first, second) >= _ALIKE or _abbreviates(first, second):
            return one.names[first], other.names[second]
    return None


def _abbreviates(first: str, second: str) -> bool:
    """Whether the names share a word, and the rest of one begins like that of the other."""
    one, other = set(first.split()), set(second.split())
    if not any(len(word) > 1 for word in one & other):
        return False
    shorter, longer = sorted((sorted(one - other), sorted(other - one)), key=len)
    return all(
        any(whole.startswith(short) or short.startswith(whole) for whole in longer)
        for short in shorter
    )


def _handle(value: str) -> str | None:
    """What somebody chose to be called by, without marks; null: too short, or no choice."""
    if _OPAQUE.fullmatch(value):
        return None
    handle = re.sub(r"[^a-z0-9]", "", plain_name(spelling("slug", value).replace(",", "")))
    return handle if len(handle) >= _SHORTEST_HANDLE and not handle.isdecimal() else None


def _spellings(name: str) -> Iterator[str]:
    """The handles that people make of a name: annbee, beeann, abee, annb."""
    words = re.sub(r"[-'\u2019]", " ", plain_name(name)).split()
    if len(words) < 2:
        return
    for first, last in permutations((words[0], words[-1])):
        for handle in (first + last, first[0] + last, first + last[0]):
            if len(handle) >= _SHORTEST_HANDLE:
                yield handle


def _local_number(value: str) -> str | None:
    """The last digits, which a number has with or without its country."""
    digits = re.sub(r"\D", "", spelling("phone", value).partition("x")[0])
    return digits[-_LOCAL_DIGITS:] if len(digits) >= _LOCAL_DIGITS else None
