"""Named queries, read from the `.sql` files beside this module."""

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

_NAME: Final = re.compile(rb"^-- name: ([a-z_]+)\n", re.MULTILINE)


@cache
def all_queries() -> Mapping[str, bytes]:
    """Every query by `file.name`."""
    queries: dict[str, bytes] = {}
    folder = resources.files("cortex_memory.store").joinpath("sql")
    for file in folder.iterdir():
        if file.name.endswith(".sql"):
            _, *parts = _NAME.split(file.read_bytes())
            table = file.name.removesuffix(".sql")
            for name, text in zip(parts[::2], parts[1::2], strict=True):
                queries[f"{table}.{name.decode()}"] = text.strip()
    return queries


def query(name: str) -> bytes:
    """The text of a query, named `file.name`.

    Raises:
        KeyError: there is no such query.
    """
    return all_queries()[name]
