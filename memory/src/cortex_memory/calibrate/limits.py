"""The distance within which two names are the same, for each model that was measured."""

import tomllib
from collections.abc import Iterable
from importlib import resources
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


def read_limits() -> tuple[StoredLimit, ...]:
    """The limits that the warehouse ships.

    Raises:
        ValueError: the file breaks the schema.
    """
    return _LimitsFile.model_validate(tomllib.loads(_path().read_text("utf-8"))).model


def limit_of(name: str, digest: str, stored: Iterable[StoredLimit]) -> ModelLimit | None:
    """The measured limit of a model; null: this file of it was not measured."""
    for row in stored:
        if row.name == name and row.digest == digest:
            return ModelLimit(model=name, digest=digest, limit=row.limit)
    return None


def store_limit(row: StoredLimit, stored: Iterable[StoredLimit]) -> Path:
    """Write the limits file with this row in place of the model's former one."""
    kept = [other for other in stored if (other.name, other.digest) != (row.name, row.digest)]
    rows = sorted((*kept, row), key=lambda other: (other.name, other.digest or ""))
    path = _path()
    path.write_text("\n".join((_HEAD, *map(_table, rows))), "utf-8")
    return path


def _table(row: StoredLimit) -> str:
    said = row.model_dump(exclude_none=True)
    lines = (
        f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}"
        for key, value in said.items()
    )
    return "\n".join(("[[model]]", *lines, ""))


def _path() -> Path:
    return Path(str(resources.files("cortex_memory.calibrate"))) / "data" / "limits.toml"
