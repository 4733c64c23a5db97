"""The whole cascade on the labelled set, with the catalogue and without it."""

from collections.abc import Mapping

from roxabi_contracts.predicates import PredicateCatalogue, bundled_catalogue

from cortex_memory.calibrate.families import Split, labelled_pairs
from cortex_memory.calibrate.measure import judge
from cortex_memory.calibrate.report import confusion_table, known_table, mistakes
from cortex_memory.retain.lexicon import bundled_lexicon
from cortex_memory.retain.match_names import DistanceWanted, ModelLimit, NameMatcher


def with_catalogue() -> NameMatcher:
    """The cascade as the warehouse uses it."""
    return NameMatcher(bundled_catalogue(), bundled_lexicon())


def without_catalogue() -> NameMatcher:
    """The cascade as it judges names that no catalogue knows."""
    return NameMatcher(PredicateCatalogue(()), bundled_lexicon())


def cascade_report(measured: Mapping[DistanceWanted, float], limit: ModelLimit | None) -> str:
    """What the whole cascade gets right on families that chose no limit.

    Raises:
        KeyError: a distance that is wanted is not among `measured`.
    """
    whole = judge(labelled_pairs(), with_catalogue(), measured, limit)
    blind = judge(labelled_pairs(), without_catalogue(), measured, limit)
    held_out = [item for item in whole if item.pair.split is Split.HELD_OUT]
    unseen = [item for item in whole if item.pair.split is Split.UNSEEN]
    alone = [item for item in blind if item.pair.split is Split.HELD_OUT]
    parts = [
        known_table(labelled_pairs(), bundled_catalogue()),
        confusion_table("held-out families", held_out),
        confusion_table("families that the catalogue has never seen", unseen),
        mistakes([*held_out, *unseen]),
        confusion_table("held-out families, judged without the catalogue", alone),
        mistakes(alone),
    ]
    return "\n\n".join(parts) + "\n"
