"""Verdicts on pairs of predicate names: the catalogue, then their words, then their meaning."""

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache, partial
from typing import Final, TypeAlias

from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.predicates import PredicateCatalogue

from cortex_memory.retain.lexical_guard import Difference, difference
from cortex_memory.retain.lexicon import Lexicon, tokens
from cortex_memory.retain.name_forms import NameForm, name_form


class Tier(StrEnum):
    """What decided on a pair of names, in the order in which they are asked."""

    EXACT = "exact"
    CATALOGUE = "catalogue"
    WORDS = "words"
    GUARD = "guard"
    MEANING = "meaning"


class Ground(StrEnum):
    """Why two names are the same, or why nothing says so."""

    SAME_NAME = "they are one name"
    SAME_PREDICATE = "the catalogue has them as one predicate"
    OTHER_PREDICATE = "the catalogue has them as two predicates"
    SAME_WORDS = "they say the same words"
    NEAR = "they are within the model's limit"
    FAR = "they are beyond the model's limit"
    UNMEASURED = "no limit was measured for the model"


Reason: TypeAlias = Ground | Difference

REMEMBERED_FORMS: Final = 8_192
"""Names whose words a matcher does not read twice."""


@dataclass(frozen=True, slots=True)
class NameVerdict:
    """Whether two names are the same, and why; `distance` is null where none counted."""

    same: bool
    tier: Tier
    reason: Reason
    distance: float | None = None


@dataclass(frozen=True, slots=True)
class DistanceWanted:
    """The question that is left: how far apart a model puts these two texts."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class ModelLimit:
    """The largest cosine distance at which a model's pairs are the same, as it was measured."""

    model: str
    digest: str
    limit: float


class NameMatcher:
    """Decides on pairs of names without a model, or says what to ask one."""

    def __init__(self, catalogue: PredicateCatalogue, lexicon: Lexicon) -> None:
        self._catalogue = catalogue
        self._lexicon = lexicon
        self._form = lru_cache(REMEMBERED_FORMS)(partial(name_form, lexicon=lexicon))
        self._by_form = _predicates_by_form(catalogue, lexicon)

    def match(self, first: str, second: str) -> NameVerdict | DistanceWanted:
        """The verdict on two names; in either order it is the same."""
        if first == second:
            return NameVerdict(same=True, tier=Tier.EXACT, reason=Ground.SAME_NAME)
        one, other = self._form(first), self._form(second)
        verdict = self._by_catalogue(first, second) or self._by_words(first, one, second, other)
        if verdict is not None:
            return verdict
        kept_apart = difference(one, other, self._lexicon)
        if kept_apart is not None:
            return NameVerdict(same=False, tier=Tier.GUARD, reason=kept_apart)
        words = sorted((as_words(first), as_words(second)))
        return DistanceWanted(*words)

    def _by_catalogue(self, first: str, second: str) -> NameVerdict | None:
        one, other = self._catalogue.lookup(first), self._catalogue.lookup(second)
        if one is None or other is None:
            return None
        return _on_predicates(one.name, other.name, Tier.CATALOGUE)

    def _by_words(
        self, first: str, one: NameForm, second: str, other: NameForm
    ) -> NameVerdict | None:
        if one == other and one.content:
            return NameVerdict(same=True, tier=Tier.WORDS, reason=Ground.SAME_WORDS)
        predicate, another = self._predicate_of(first, one), self._predicate_of(second, other)
        if predicate is None or another is None:
            return None
        return _on_predicates(predicate, another, Tier.WORDS)

    def _predicate_of(self, name: str, form: NameForm) -> str | None:
        """The predicate that has the name, or a name of the same words."""
        known = self._catalogue.lookup(name)
        return self._by_form.get(form) if known is None else known.name


class NameMatchers:
    """Decides on the names of each project by its own catalogue."""

    def __init__(self, catalogues: Catalogues, lexicon: Lexicon) -> None:
        self._catalogues = catalogues
        self._of_catalogue = cache(partial(NameMatcher, lexicon=lexicon))

    def for_project(self, project: str) -> NameMatcher:
        """The matcher of a project, which is shared by all that have the same catalogue."""
        return self._of_catalogue(self._catalogues.for_project(project))


def _on_predicates(first: str, second: str, tier: Tier) -> NameVerdict:
    same = first == second
    reason = Ground.SAME_PREDICATE if same else Ground.OTHER_PREDICATE
    return NameVerdict(same=same, tier=tier, reason=reason)


def _predicates_by_form(catalogue: PredicateCatalogue, lexicon: Lexicon) -> dict[NameForm, str]:
    """Predicates by what their names say; what several predicates say tells nothing."""
    found: defaultdict[NameForm, set[str]] = defaultdict(set)
    for predicate in catalogue:
        for name in (predicate.name, *predicate.synonyms):
            found[name_form(name, lexicon)].add(predicate.name)
    return {
        form: next(iter(names)) for form, names in found.items() if form.content and len(names) == 1
    }


def judge_distance(distance: float, limit: ModelLimit | None) -> NameVerdict:
    """The verdict by meaning on a cosine distance; a model without a limit joins nothing."""
    if limit is None:
        return NameVerdict(
            same=False, tier=Tier.MEANING, reason=Ground.UNMEASURED, distance=distance
        )
    near = distance <= limit.limit
    reason = Ground.NEAR if near else Ground.FAR
    return NameVerdict(same=near, tier=Tier.MEANING, reason=reason, distance=distance)


def as_words(name: str) -> str:
    """A name as the text that a model reads."""
    return " ".join(tokens(name))
