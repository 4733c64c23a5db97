"""Rows turned into columns: one array a parameter, so that a batch is one statement."""

from collections.abc import Collection
from dataclasses import fields
from typing import ClassVar, Protocol


class Row(Protocol):
    """An instance of a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, object]]


def columns_of(rows: Collection[Row]) -> dict[str, list[object]]:
    """The values of each field, by its name; no rows have no columns.

    Raises:
        ValueError: there are no rows, so the names of the columns are not known.
    """
    if not rows:
        raise ValueError("no rows, no columns")
    names = [field.name for field in fields(next(iter(rows)))]  # type: ignore[arg-type]
    return {name: [getattr(row, name) for row in rows] for name in names}
