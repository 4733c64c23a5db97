"""Named SQL statements, read from the files beside this one as bytes."""

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Final

_NAME: Final = re.compile(rb"^-- name: (\w+)\n", re.MULTILINE)


def load(file: str) -> Mapping[str, bytes]:
    """The statements of `sql/<file>.sql` by name."""
    text = files("cortex_insight.store").joinpath("sql", f"{file}.sql").read_bytes()
    _, *parts = _NAME.split(text)
    names, statements = parts[::2], parts[1::2]
    return {
        name.decode(): statement.strip() for name, statement in zip(names, statements, strict=True)
    }


def migrations() -> list[tuple[int, str, bytes]]:
    """Number, name and statements of every migration, in order."""
    folder = files("cortex_insight.store").joinpath("migrations")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [(int(name[:4]), name, folder.joinpath(name).read_bytes()) for name in names]
