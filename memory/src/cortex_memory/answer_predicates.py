"""Answers which predicates are in use, and why two names are one or are not."""

from collections.abc import Iterable, Sequence

from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.names import (
    Decider,
    PredicateRecord,
    PredicatesReply,
    PredicatesRequest,
    VerdictRecord,
)
from roxabi_contracts.predicates import CatalogueLayer, Predicate, PredicateCatalogue

from cortex_memory.retain.identify import canonical_spelling
from cortex_memory.retain.lexicon import bundled_lexicon
from cortex_memory.retain.match_names import Ground, NameMatcher, NameMatchers, NameVerdict, Tier
from cortex_memory.retain.name_verdicts import is_by_words
from cortex_memory.store.db import Pool, connection
from cortex_memory.store.names import (
    ListedVerdict,
    PredicateInUse,
    listed_verdicts,
    predicates_in_use,
)


class PredicateAnswerer:
    """Answers what a person needs to know before judging names."""

    def __init__(self, pool: Pool, catalogues: Catalogues) -> None:
        self._pool = pool
        self._catalogues = catalogues
        self._matchers = NameMatchers(catalogues, bundled_lexicon())

    async def answer(self, request: PredicatesRequest) -> PredicatesReply:
        """The predicates of a project and the verdicts on their names.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        catalogue = self._catalogues.for_project(request.project)
        records = _Records(catalogue, self._matchers.for_project(request.project))
        wanted = request.name and canonical_spelling(request.name, catalogue)
        limit = request.limit + 1
        async with connection(self._pool) as transaction:
            used = await predicates_in_use(transaction, request.project, limit)
            listed = await listed_verdicts(transaction, request.project, wanted, limit)
        used = [*used, *_unused(used, catalogue)]
        verdicts = [records.verdict(each) for each in listed]
        if wanted is not None:
            verdicts += records.untold(wanted, used, verdicts)
            names = {wanted, *(name for each in verdicts for name in (each.first, each.second))}
            used = [each for each in used if not names.isdisjoint((each.predicate, *each.names))]
        predicates = sorted(map(records.predicate, used), key=lambda record: record.name)
        return PredicatesReply(
            project=request.project,
            predicates=tuple(predicates[: request.limit]),
            verdicts=tuple(verdicts[: request.limit]),
            truncated=max(len(predicates), len(verdicts)) > request.limit,
        )


class _Records:
    """Shows predicates and verdicts as the catalogue of their project knows them."""

    def __init__(self, catalogue: PredicateCatalogue, matcher: NameMatcher) -> None:
        self._catalogue = catalogue
        self._matcher = matcher

    def predicate(self, used: PredicateInUse) -> PredicateRecord:
        """A predicate, and who has its names in the catalogue."""
        entry = self._catalogue.lookup(used.predicate)
        return PredicateRecord(
            name=used.predicate,
            names=tuple(used.names),
            layers=self._layers(used, entry),
            description=None if entry is None else entry.description,
            sayings=used.sayings,
            memories=used.memories,
        )

    def _layers(self, used: PredicateInUse, entry: Predicate | None) -> dict[str, CatalogueLayer]:
        own = () if entry is None else _own_names(entry, self._catalogue)
        names = sorted({used.predicate, *used.names, *own})
        layers = {name: self._catalogue.layer_of(name) for name in names}
        return {name: layer for name, layer in layers.items() if layer is not None}

    def untold(
        self, wanted: str, used: Iterable[PredicateInUse], told: Iterable[VerdictRecord]
    ) -> list[VerdictRecord]:
        """How a name stands to the others in use on which the journal holds nothing."""
        known = {name for each in told for name in (each.first, each.second)}
        places = {canonical_spelling(name, self._catalogue) for each in used for name in each.names}
        return [self._unwritten(wanted, name) for name in sorted(places - known - {wanted})]

    def _unwritten(self, wanted: str, name: str) -> VerdictRecord:
        answer = self._matcher.match(wanted, name)
        if isinstance(answer, NameVerdict):
            by_catalogue = answer.tier is Tier.CATALOGUE
            decider = Decider.CATALOGUE if by_catalogue else Decider.WORDS
            same, reason = answer.same, answer.reason.value
        else:
            decider, same, reason = None, False, Ground.UNMEASURED.value
        first, second = sorted((wanted, name))
        return VerdictRecord(
            first=first,
            second=second,
            same=same,
            decider=decider,
            decided_by=None,
            decided_at=None,
            reason=reason,
            stands=same or decider is not None,
        )

    def verdict(self, listed: ListedVerdict) -> VerdictRecord:
        """A verdict of the journal."""
        verdict = listed.journaled.verdict
        return VerdictRecord(
            first=verdict.first,
            second=verdict.second,
            same=verdict.same,
            decider=_decider(verdict.model),
            decided_by=listed.journaled.decided_by if verdict.model is None else verdict.model,
            decided_at=from_epoch_ms(verdict.at),
            reason=self._reason(listed),
            stands=listed.stands,
        )

    def _reason(self, listed: ListedVerdict) -> str | None:
        verdict = listed.journaled.verdict
        match _decider(verdict.model):
            case Decider.PERSON:
                return listed.journaled.reason
            case Decider.MODEL:
                return (Ground.NEAR if verdict.same else Ground.FAR).value
            case Decider.WORDS | Decider.CATALOGUE:
                answer = self._matcher.match(verdict.first, verdict.second)
                return answer.reason.value if isinstance(answer, NameVerdict) else None


def _unused(used: Sequence[PredicateInUse], catalogue: PredicateCatalogue) -> list[PredicateInUse]:
    """Predicates with names of the operator's own, under none of which anything is said."""
    known = {each.predicate for each in used}
    return [
        PredicateInUse(entry.name, [], sayings=0, memories=0)
        for entry in catalogue
        if entry.name not in known and _own_names(entry, catalogue)
    ]


def _own_names(entry: Predicate, catalogue: PredicateCatalogue) -> list[str]:
    """The names that the operator has given to a predicate."""
    names = (entry.name, *entry.synonyms)
    return [name for name in names if catalogue.layer_of(name) is not CatalogueLayer.SHIPPED]


def _decider(model: str | None) -> Decider:
    if model is None:
        return Decider.PERSON
    return Decider.WORDS if is_by_words(model) else Decider.MODEL
