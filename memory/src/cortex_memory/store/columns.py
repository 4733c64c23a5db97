"""Rows turned into columns: one array a parameter, so that a batch is one statement."""

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def columns_of(rows: "Sequence[DataclassInstance]") -> dict[str, list[object]]:
    """The values of each field of at least one row, by the field's name."""
    names = [field.name for field in fields(rows[0])]
    return {name: [getattr(row, name) for row in rows] for name in names}
