"""The owners' accounts as a text that a person reads and writes, in the form of git's mailmap.

    # Ann, at home and at work
    Ann Bee <ann@garden.org> <ann.bee@gmail.com> <account:github:4711>

Each line is one person: every key that is theirs stands in angle brackets, the one that stands
for them first. Names are for who reads it; what follows a `#` is a remark.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from roxabi_contracts.actor import Identifier

from cortex_local.errors import StackError

_KEY: Final = re.compile(r"<([^<>]*)>")
_REMARK: Final = re.compile(r"(?:^|\s)#.*")


@dataclass(frozen=True, slots=True)
class Owner:
    """One line: the keys of a person, and the line's number in the text."""

    line: int
    keys: tuple[str, ...]


def read_owners(text: str) -> list[Owner]:
    """The owners of a text.

    Raises:
        StackError: a line holds no key, or what is no key.
    """
    owners: list[Owner] = []
    for number, line in enumerate(text.splitlines(), start=1):
        content = _REMARK.sub("", line).strip()
        if not content:
            continue
        keys = tuple(dict.fromkeys(key.strip() for key in _KEY.findall(content)))
        if not keys:
            raise StackError(
                f"Line {number} names no key: {content!r}.",
                "Write each key in angle brackets: Ann <ann@garden.org> <account:github:4711>",
            )
        for key in keys:
            check_key(key, f"Line {number}: ")
        owners.append(Owner(number, keys))
    return owners


def check_key(key: str, where: str = "") -> None:
    """Refuse what is no key.

    Raises:
        StackError: with what a key looks like.
    """
    try:
        Identifier.parse(key)
    except ValueError as error:
        raise StackError(
            f"{where}{error}.",
            "Keys look like ann@garden.org, phone:+4722334455, account:github:17",
        ) from error


def with_keys(text: str, keys: Sequence[str]) -> str:
    """The text with these keys on the line of whoever has one of them, else on a new line.

    Raises:
        StackError: several people have some of them.
    """
    found = [owner for owner in read_owners(text) if set(owner.keys) & set(keys)]
    if len(found) > 1:
        numbers = " and ".join(str(owner.line) for owner in found)
        raise StackError(
            f"These are keys of several people, on the lines {numbers}.",
            "Join the lines in the file first, then run cortex owner apply.",
        )
    lines = text.splitlines()
    if not found:
        return _lines([*lines, _shown(keys)])
    owner = found[0]
    new = [key for key in keys if key not in owner.keys]
    if not new:
        return text
    line = lines[owner.line - 1]
    remark = _REMARK.search(line)
    end = len(line) if remark is None else remark.start()
    lines[owner.line - 1] = f"{line[:end].rstrip()} {_shown(new)}{line[end:]}"
    return _lines(lines)


def without_key(text: str, key: str) -> str:
    """The text without a key; whoever has only one left goes with it.

    Raises:
        StackError: nobody has it.
    """
    for owner in read_owners(text):
        if key in owner.keys:
            lines = text.splitlines()
            rest = [other for other in owner.keys if other != key]
            line = re.sub(rf"\s*<\s*{re.escape(key)}\s*>", "", lines[owner.line - 1])
            lines[owner.line - 1 : owner.line] = [line] if len(rest) > 1 else []
            return _lines(lines)
    raise StackError(f"No owner has the key {key!r}.", "See cortex owner list.")


def accounts_of(owners: Iterable[Owner]) -> tuple[tuple[str, ...], ...]:
    """What memory is told: the keys of everybody who has several."""
    return tuple(owner.keys for owner in owners if len(owner.keys) > 1)


def _shown(keys: Iterable[str]) -> str:
    return " ".join(f"<{key}>" for key in dict.fromkeys(keys))


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
