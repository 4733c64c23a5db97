"""Answers which predicates are in use, and why two names are one or are not."""

from collections.abc import Iterable

from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.names import (
    Decider,
    PredicateRecord,
    PredicatesReply,
    PredicatesRequest,
    VerdictRecord,
)
from roxabi_contracts.predicates import PredicateCatalogue

from cortex_memory.retain.identify import canonical_spelling
from cortex_memory.retain.lexicon import bundled_lexicon
from cortex_memory.retain.match_names import Ground, NameMatcher, NameVerdict, Tier
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

    def __init__(self, pool: Pool, catalogue: PredicateCatalogue) -> None:
        self._pool = pool
        self._catalogue = catalogue
        self._matcher = NameMatcher(catalogue, bundled_lexicon())

    async def answer(self, request: PredicatesRequest) -> PredicatesReply:
        """The predicates of a project and the verdicts on their names.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        wanted = request.name and canonical_spelling(request.name, self._catalogue)
        limit = request.limit + 1
        async with connection(self._pool) as transaction:
            used = await predicates_in_use(transaction, request.project, limit)
            listed = await listed_verdicts(transaction, request.project, wanted, limit)
        verdicts = [self._record(each) for each in listed]
        if wanted is not None:
            verdicts += self._untold(wanted, used, verdicts)
            names = {wanted, *(name for each in verdicts for name in (each.first, each.second))}
            used = [each for each in used if not names.isdisjoint((each.predicate, *each.names))]
        return PredicatesReply(
            project=request.project,
            predicates=tuple(map(self._predicate, used[: request.limit])),
            verdicts=tuple(verdicts[: request.limit]),
            truncated=max(len(used), len(verdicts)) > request.limit,
        )

    def _predicate(self, used: PredicateInUse) -> PredicateRecord:
        entry = self._catalogue.lookup(used.predicate)
        return PredicateRecord(
            name=used.predicate,
            names=tuple(used.names),
            description=None if entry is None else entry.description,
            sayings=used.sayings,
            memories=used.memories,
        )

    def _untold(
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

    def _record(self, listed: ListedVerdict) -> VerdictRecord:
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


def _decider(model: str | None) -> Decider:
    if model is None:
        return Decider.PERSON
    return Decider.WORDS if is_by_words(model) else Decider.MODEL
