"""Which names want a verdict, and the verdict as a row of the journal."""

from collections.abc import Iterable
from typing import Final

from roxabi_contracts.predicates import PredicateCatalogue

from cortex_memory.model import JournalId, PredicateVerdict, ProjectId
from cortex_memory.retain.identify import canonical_spelling
from cortex_memory.retain.match_names import (
    DistanceWanted,
    ModelLimit,
    NameMatcher,
    NameVerdict,
    Tier,
)
from cortex_memory.retain.values import keyed_digest

_BY_WORDS: Final = "words-"
WORDS: Final = f"{_BY_WORDS}2"
"""Who decides by words alone; raised when the lexicon changes what it says."""


def pairs_to_judge(
    new: Iterable[str], present: Iterable[str], catalogue: PredicateCatalogue
) -> set[tuple[str, str]]:
    """The sorted pairs of each of the `new` names and all others that are `present`, or new too.

    A synonym stands for its predicate, so that a verdict on the one holds for the other. Two names
    of the catalogue want no verdict: it has decided on them.
    """
    arriving = {canonical_spelling(name, catalogue) for name in new}
    known = arriving | {canonical_spelling(name, catalogue) for name in present}
    in_catalogue = {name for name in known if catalogue.lookup(name) is not None}
    return {
        (min(name, other), max(name, other))
        for name in arriving
        for other in known
        if name != other and not (name in in_catalogue and other in in_catalogue)
    }


def open_questions(
    pairs: Iterable[tuple[str, str]], matcher: NameMatcher, *, asks_model: bool
) -> dict[tuple[str, str], NameVerdict | DistanceWanted]:
    """What has to be journaled of these pairs, or asked of a model first.

    What words alone keep apart is neither: it can be told again at any time.
    """
    answers = {pair: matcher.match(*pair) for pair in pairs}
    return {
        pair: answer
        for pair, answer in answers.items()
        if (asks_model if isinstance(answer, DistanceWanted) else answer.same)
    }


def journaled(
    project: ProjectId,
    pair: tuple[str, str],
    verdict: NameVerdict,
    limit: ModelLimit | None,
    *,
    at: int,
    project_key: bytes,
) -> PredicateVerdict | None:
    """The row to append; null: nothing was decided, or what the names say themselves.

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


def is_by_words(decider: str) -> bool:
    """Whether words alone decided, of whichever lexicon."""
    return decider.startswith(_BY_WORDS)


def _decider(verdict: NameVerdict, limit: ModelLimit | None) -> str | None:
    match verdict.tier:
        case Tier.EXACT | Tier.CATALOGUE | Tier.GUARD:
            return None
        case Tier.WORDS:
            return WORDS if verdict.same else None
        case Tier.MEANING:
            return None if limit is None else f"{limit.model}@{limit.digest[:12]}"
