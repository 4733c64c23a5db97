"""Which names want a verdict, and the verdict as a row of the journal."""

from collections.abc import Collection, Iterable
from itertools import combinations
from typing import Final

from roxabi_contracts.predicates import PredicateCatalogue

from cortex_memory.model import JournalId, PredicateVerdict, ProjectId
from cortex_memory.retain.match_names import ModelLimit, NameVerdict, Tier
from cortex_memory.retain.values import keyed_digest

WORDS: Final = "words-1"
"""Who decides by words alone; raised when the lexicon or the guard change what they say."""


def pairs_to_judge(
    present: Iterable[str],
    judged: Collection[tuple[str, str]],
    catalogue: PredicateCatalogue,
) -> list[tuple[str, str]]:
    """The sorted pairs, among names that speak of one entity, on which nobody has decided yet.

    `judged` are sorted pairs. Two names of the catalogue want no verdict: it has decided on them.
    """
    return [
        (first, second)
        for first, second in combinations(sorted(set(present)), 2)
        if (first, second) not in judged
        and (catalogue.lookup(first) is None or catalogue.lookup(second) is None)
    ]


def journaled(
    project: ProjectId,
    pair: tuple[str, str],
    verdict: NameVerdict,
    limit: ModelLimit | None,
    *,
    at: int,
    project_key: bytes,
) -> PredicateVerdict | None:
    """The row to append; null: nothing was decided that the catalogue does not say itself.

    A model without a measured limit decides nothing, so that one which is measured later can.
    `at` is in milliseconds since 1970. The id derives from the pair and who decided, so that the
    same question has one row.
    """
    decider = _decider(verdict, limit)
    if decider is None:
        return None
    first, second = sorted(pair)
    return PredicateVerdict(
        id=JournalId(keyed_digest(project_key, "predicate_verdict", first, second, decider)),
        at=at,
        project=project,
        first=first,
        second=second,
        same=verdict.same,
        model=decider,
    )


def _decider(verdict: NameVerdict, limit: ModelLimit | None) -> str | None:
    match verdict.tier:
        case Tier.EXACT | Tier.CATALOGUE:
            return None
        case Tier.WORDS | Tier.GUARD:
            return WORDS
        case Tier.MEANING:
            return None if limit is None else f"{limit.model}@{limit.digest[:12]}"
