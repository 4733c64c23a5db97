"""Named queries, read from the `.sql` files beside this module.

What several queries have in common is a part, written once: a line `-- use: NAME` of a query stands
for the part of that name.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, partial
from importlib import resources
from typing import Final

_HEADING: Final = re.compile(rb"^-- (name|part): ([a-z_]+)\n", re.MULTILINE)
_PARAMETER: Final = re.compile(rb"%\((\w+)\)s")
_USE: Final = re.compile(rb"^ *-- use: ([a-z_]+)$", re.MULTILINE)


@cache
def all_queries() -> Mapping[str, bytes]:
    """Every query by `file.name`.

    Raises:
        KeyError: a query uses a part that there is not.
    """
    queries: dict[str, bytes] = {}
    parts: dict[bytes, bytes] = {}
    folder = resources.files("cortex_memory.store").joinpath("sql")
    for file in folder.iterdir():
        if file.name.endswith(".sql"):
            _, *found = _HEADING.split(file.read_bytes())
            table = file.name.removesuffix(".sql")
            for kind, name, text in zip(found[::3], found[1::3], found[2::3], strict=True):
                if kind == b"part":
                    parts[name] = text.strip()
                else:
                    queries[f"{table}.{name.decode()}"] = text.strip()
    return {name: _composed(text, parts) for name, text in queries.items()}


def query(name: str) -> bytes:
    """The text of a query, named `file.name`.

    Raises:
        KeyError: there is no such query.
    """
    return all_queries()[name]


@cache
def numbered(name: str) -> tuple[bytes, tuple[str, ...]]:
    """A query with its parameters numbered, and their names in this order.

    For a long text that is asked often: the driver would look for its parameters every time.

    Raises:
        KeyError: there is no such query.
    """
    text = query(name)
    names = tuple(dict.fromkeys(found[1].decode() for found in _PARAMETER.finditer(text)))
    return _PARAMETER.sub(partial(_number, names=names), text), names


def _number(found: re.Match[bytes], names: Sequence[str]) -> bytes:
    return b"$%d" % (names.index(found[1].decode()) + 1)


def _composed(text: bytes, parts: Mapping[bytes, bytes]) -> bytes:
    """The text with its parts in place; a part may use others."""
    return _USE.sub(partial(_part, parts=parts), text)


def _part(used: re.Match[bytes], parts: Mapping[bytes, bytes]) -> bytes:
    return _composed(parts[used[1]], parts)
