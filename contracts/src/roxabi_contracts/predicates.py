"""The predicate catalogue: the names that both services share for what can be said."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, ValidationError

from roxabi_contracts.base import Part
from roxabi_contracts.errors import CatalogueInvalid
from roxabi_contracts.payloads import Cardinality, ClaimKind, Volatility


class ChangeRule(StrEnum):
    """What another value by the same author means: the news, or a contradiction."""

    LATEST = "latest"
    CONTEST = "contest"


class ValueType(StrEnum):
    """The canonical form of a predicate's values."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    DURATION = "duration"
    AMOUNT = "amount"
    BOOLEAN = "boolean"
    OBJECT = "object"


PredicateName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]


class Predicate(Part):
    """A canonical predicate and how its facts behave."""

    name: PredicateName
    description: str = Field(min_length=1)
    synonyms: tuple[PredicateName, ...] = ()
    cardinality: Cardinality = Cardinality.ONE
    change: ChangeRule = ChangeRule.CONTEST
    value_type: ValueType = ValueType.TEXT
    qualifiers: tuple[PredicateName, ...] = ()
    """The qualifiers that tell one slot from another."""
    kind: ClaimKind = ClaimKind.ATTRIBUTE
    volatility: Volatility = Volatility.STABLE


class PredicateCatalogue:
    """Canonical predicates by any of their names.

    Raises:
        ValueError: a name belongs to two predicates.
    """

    def __init__(self, predicates: Iterable[Predicate]) -> None:
        self._predicates = {predicate.name: predicate for predicate in predicates}
        self._by_name: dict[str, Predicate] = {}
        for predicate in self._predicates.values():
            for name in (predicate.name, *predicate.synonyms):
                if name in self._by_name:
                    taken = self._by_name[name].name
                    raise ValueError(f"{name!r} names both {taken!r} and {predicate.name!r}")
                self._by_name[name] = predicate

    @classmethod
    def from_toml(cls, text: str) -> Self:
        """Read `[name]` tables of a predicates file.

        Raises:
            ValueError: the file breaks the schema or names one thing twice.
        """
        return cls(_predicates(tomllib.loads(text)))

    def lookup(self, name: str) -> Predicate | None:
        """The predicate that a name or a synonym stands for; null: the catalogue has none."""
        return self._by_name.get(name)

    def extended(self, text: str) -> "PredicateCatalogue":
        """This catalogue with a project's own predicates, which replace ours of the same name."""
        own = {predicate.name: predicate for predicate in _predicates(tomllib.loads(text))}
        return PredicateCatalogue((self._predicates | own).values())

    def __iter__(self) -> Iterator[Predicate]:
        return iter(self._predicates.values())

    def __len__(self) -> int:
        return len(self._predicates)


def _predicates(tables: Mapping[str, object]) -> list[Predicate]:
    found: list[Predicate] = []
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise ValueError(f"{name!r} is no table of a predicate")
        try:
            found.append(Predicate.model_validate({"name": name, **table}))
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"]))
            raise ValueError(f"[{name}] {field}: {first['msg']}") from error
    return found


@cache
def catalogue_with(path: Path | None) -> PredicateCatalogue:
    """The catalogue of the contract, with a file of one's own predicates; null: there is none.

    Raises:
        CatalogueInvalid: the file cannot be read, or breaks the schema; the message says where.
    """
    if path is None:
        return bundled_catalogue()
    try:
        return bundled_catalogue().extended(path.read_text("utf-8"))
    except OSError as error:
        raise CatalogueInvalid(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise CatalogueInvalid(f"{path}: {error}") from error


@cache
def bundled_catalogue() -> PredicateCatalogue:
    """The catalogue that the contract ships."""
    text = resources.files("roxabi_contracts").joinpath("predicates.toml").read_text("utf-8")
    return PredicateCatalogue.from_toml(text)
