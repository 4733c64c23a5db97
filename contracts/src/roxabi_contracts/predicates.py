"""The predicate catalogue: the names that both services share for what can be said."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache, cached_property
from importlib import resources
from typing import Annotated, Self, TypeVar

from pydantic import Field, JsonValue, ValidationError

from roxabi_contracts.base import JsonObject, Part
from roxabi_contracts.ids import content_digest
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


class CatalogueLayer(StrEnum):
    """Who has a name in the catalogue of a project; each layer extends the one before."""

    SHIPPED = "shipped"
    INSTALLATION = "installation"
    """The operator's, for all projects."""
    PROJECT = "project"
    """The operator's, for this project alone."""


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


class _MoreNames(Part):
    """More synonyms of a predicate that a catalogue has already."""

    name: PredicateName
    also: tuple[PredicateName, ...] = Field(min_length=1)


_Entry = TypeVar("_Entry", Predicate, _MoreNames)


class PredicateCatalogue:
    """Canonical predicates by any of their names.

    Args:
        predicates: Of different names.
        layers: Who has each name in the catalogue; what is left out is shipped.

    Raises:
        ValueError: a name belongs to two predicates.
    """

    def __init__(
        self,
        predicates: Iterable[Predicate],
        layers: Mapping[str, CatalogueLayer] | None = None,
    ) -> None:
        self._predicates = {predicate.name: predicate for predicate in predicates}
        self._layers = dict(layers or {})
        self._by_name: dict[str, Predicate] = {}
        for predicate in self._predicates.values():
            for name in (predicate.name, *predicate.synonyms):
                if name in self._by_name:
                    taken = self._by_name[name].name
                    raise ValueError(f"[{predicate.name}] {name!r} is a name of [{taken}] already")
                self._by_name[name] = predicate

    @classmethod
    def from_toml(cls, text: str) -> Self:
        """Read `[name]` tables of a predicates file.

        Raises:
            ValueError: the file breaks the schema or names one thing twice.
        """
        return cls(_entry(Predicate, name, table) for name, table in tomllib.loads(text).items())

    def lookup(self, name: str) -> Predicate | None:
        """The predicate that a name or a synonym stands for; null: the catalogue has none."""
        return self._by_name.get(name)

    def layer_of(self, name: str) -> CatalogueLayer | None:
        """Who has a name in the catalogue; null: nobody has."""
        if name not in self._by_name:
            return None
        return self._layers.get(name, CatalogueLayer.SHIPPED)

    def extended(self, tables: Mapping[str, object], layer: CatalogueLayer) -> "PredicateCatalogue":
        """This catalogue with `[name]` tables of a layer above it.

        A table replaces the predicate of its name, with all its synonyms; one that says `also`
        alone adds synonyms to it.

        Raises:
            ValueError: a table breaks the schema, or takes a name of another predicate.
        """
        own = [self._extension(name, table) for name, table in tables.items()]
        stated = dict.fromkeys((name for _, names in own for name in names), layer)
        kept = (each for each in self if each.name not in tables)
        # Its own come last, so that an error names the table that takes what is another's.
        predicates = (*kept, *(predicate for predicate, _ in own))
        return PredicateCatalogue(predicates, self._layers | stated)

    def _extension(self, name: str, table: object) -> tuple[Predicate, tuple[str, ...]]:
        """The predicate as a table makes it, and the names that the table states."""
        if not isinstance(table, dict) or "also" not in table:
            predicate = _entry(Predicate, name, table)
            return predicate, (predicate.name, *predicate.synonyms)
        more, known = _entry(_MoreNames, name, table), self.lookup(name)
        if known is None:
            raise ValueError(f"[{name}] also: there is no predicate of that name to add to")
        if known.name != name:
            raise ValueError(f"[{name}] also: it is a synonym; write [{known.name}]")
        synonyms = (*known.synonyms, *more.also)
        return known.model_copy(update={"synonyms": synonyms}), more.also

    @cached_property
    def digest(self) -> str:
        """Of all that decides where a fact lives and how it behaves: the descriptions do not."""
        rules: list[JsonValue] = [_rules(each) for _, each in sorted(self._predicates.items())]
        return content_digest(rules).hex()[:32]

    def __iter__(self) -> Iterator[Predicate]:
        return iter(self._predicates.values())

    def __len__(self) -> int:
        return len(self._predicates)


def _rules(predicate: Predicate) -> JsonObject:
    return {
        **predicate.model_dump(mode="json", exclude={"description"}),
        "synonyms": [*sorted(predicate.synonyms)],
        "qualifiers": [*sorted(predicate.qualifiers)],
    }


def _entry(kind: type[_Entry], name: str, table: object) -> _Entry:
    if not isinstance(table, dict):
        raise ValueError(f"{name!r} is no table of a predicate")
    try:
        return kind.model_validate({"name": name, **table})
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise ValueError(f"[{name}] {field}: {first['msg']}") from error


@cache
def bundled_catalogue() -> PredicateCatalogue:
    """The catalogue that the contract ships."""
    text = resources.files("roxabi_contracts").joinpath("predicates.toml").read_text("utf-8")
    return PredicateCatalogue.from_toml(text)
