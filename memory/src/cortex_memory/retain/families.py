"""Which names may be of one predicate in a project, so that no group of theirs is overlooked."""

from collections.abc import Iterable

from roxabi_contracts.predicates import PredicateCatalogue

from cortex_memory.model import PredicateVerdict
from cortex_memory.retain.components import components
from cortex_memory.retain.identify import StandingVerdicts, canonical_spelling


class NameFamilies:
    """Names that verdicts join, over all memories of a project.

    What is one predicate about one entity is a part of one family: the names that are said of it.

    Args:
        standing: The verdicts that hold in the project.
        catalogue: Whose synonyms are one name.
    """

    def __init__(self, standing: StandingVerdicts, catalogue: PredicateCatalogue) -> None:
        self.standing = standing
        self.catalogue = catalogue
        self._joined: dict[str, frozenset[str]] = {}
        edges = [(self.place_of(first), self.place_of(second)) for first, second in standing]
        for family in components({place for edge in edges for place in edge}, edges):
            self._joined.update(dict.fromkeys(family, family))

    def place_of(self, name: str) -> str:
        """The predicate under which a name that no verdict joins to another is folded."""
        return canonical_spelling(name, self.catalogue)

    def is_joined(self, name: str) -> bool:
        """Whether any verdict joins the name to another."""
        return self.place_of(name) in self._joined

    def places_of(self, name: str) -> frozenset[str]:
        """The predicates under which what the name says may be folded."""
        place = self.place_of(name)
        return self._joined.get(place) or frozenset({place})


def changed_pairs(before: StandingVerdicts, after: StandingVerdicts) -> set[tuple[str, str]]:
    """The pairs of names that are joined by now and were not, or were and are no longer."""
    return {
        pair
        for pair in before.keys() | after.keys()
        if _ground(before.get(pair)) != _ground(after.get(pair))
    }


def names_of_places(places: Iterable[str], catalogue: PredicateCatalogue) -> frozenset[str]:
    """Every name that may be said of these predicates, with the catalogue's synonyms."""
    entries = {place: catalogue.lookup(place) for place in places}
    return frozenset(
        name
        for place, entry in entries.items()
        for name in ((place,) if entry is None else (entry.name, *entry.synonyms))
    )


def _ground(verdict: PredicateVerdict | None) -> bool | None:
    """Whether a person joins the names; null: nobody does."""
    return None if verdict is None else verdict.model is None
