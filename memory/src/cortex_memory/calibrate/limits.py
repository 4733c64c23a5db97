"""The distance within which two names are the same, for each model that was measured."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from cortex_memory.retain.match_names import ModelLimit

_HEAD: Final = """\
# The cosine distance of two names within which a model takes them for the same, as `make calibrate`
# measured it: `accepted` pairs of the calibration families lie within it, of which the share
# `precision` is the same. A limit without them is cited, not measured, and joins nothing yet.
"""


class StoredLimit(BaseModel):
    """A row of the limits file; without a digest the limit is cited from elsewhere."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    digest: str | None = None
    limit: float = Field(ge=0, le=2)
    precision: float | None = Field(default=None, ge=0, le=1)
    accepted: int | None = Field(default=None, ge=0)
    source: str | None = None


class _LimitsFile(BaseModel):
    model: tuple[StoredLimit, ...] = ()


def limit_of(name: str, digest: str, stored: Iterable[StoredLimit]) -> ModelLimit | None:
    """The measured limit of a model; null: this file of it was not measured."""
    for row in stored:
        if row.name == name and row.digest == digest:
            return ModelLimit(model=name, digest=digest, limit=row.limit)
    return None


def without_limit(name: str, digest: str, stored: Iterable[StoredLimit]) -> list[StoredLimit]:
    """The rows of all other models, and of other files of this one."""
    return [row for row in stored if (row.name, row.digest) != (name, digest)]


def limits_from_toml(text: str) -> tuple[StoredLimit, ...]:
    """Read a limits file.

    Raises:
        ValueError: it breaks the schema.
    """
    return _LimitsFile.model_validate(tomllib.loads(text)).model


def limits_toml(stored: Iterable[StoredLimit]) -> str:
    """A limits file, sorted by model."""
    rows = sorted(stored, key=lambda row: (row.name, row.digest or ""))
    return "\n".join((_HEAD, *map(_table, rows)))


def _table(row: StoredLimit) -> str:
    said = row.model_dump(exclude_none=True)
    lines = (
        f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}"
        for key, value in said.items()
    )
    return "\n".join(("[[model]]", *lines, ""))


def limits_file(folder: Path) -> Path:
    """Where in a folder the limits are."""
    return folder / "limits.toml"


def read_limits(folder: Path) -> tuple[StoredLimit, ...]:
    """The limits in a folder.

    Raises:
        ValueError: the file breaks the schema.
    """
    return limits_from_toml(limits_file(folder).read_text("utf-8"))
