"""The labelled set: large enough, of all families, and without contradictions."""

from collections import Counter, defaultdict

from cortex_memory.calibrate.families import (
    Languages,
    NamePair,
    Split,
    labelled_pairs,
    pairs_from_toml,
)
from roxabi_contracts.predicates import bundled_catalogue

PAIRS = labelled_pairs()


def test_every_pair_of_a_family_is_labelled() -> None:
    text = '[tide]\nsplit = "unseen"\nebb = ["ebb", "fr:reflux"]\nflow = ["fr:flux"]'
    tide = ("tide", Split.UNSEEN)
    assert pairs_from_toml(text) == (
        NamePair(*tide, Languages.MIXED, "ebb", "reflux", same=True),
        NamePair(*tide, Languages.MIXED, "ebb", "flux", same=False),
        NamePair(*tide, Languages.FRENCH, "reflux", "flux", same=False),
    )


def test_it_is_large_enough_to_say_something() -> None:
    counts = Counter((pair.split, pair.same) for pair in PAIRS)
    assert len(PAIRS) >= 600
    assert all(counts[split, same] >= 200 for split in Split for same in (True, False))
    languages = Counter(pair.languages for pair in PAIRS)
    assert all(languages[known] >= 100 for known in Languages)


def test_what_must_stay_apart_is_in_it() -> None:
    families = {pair.family for pair in PAIRS}
    assert families >= {
        "start_end",
        "birth_residence",
        "bike_car",
        "work_home",
        "min_max",
        "from_to",
        "planned_actual",
        "parent_child",
    }


def test_no_family_is_on_two_sides() -> None:
    splits: defaultdict[str, set[Split]] = defaultdict(set)
    for pair in PAIRS:
        splits[pair.family].add(pair.split)
    assert all(len(found) == 1 for found in splits.values())


def test_no_pair_is_labelled_twice() -> None:
    pairs = [frozenset((pair.first, pair.second)) for pair in PAIRS]
    assert all(len(pair) == 2 for pair in pairs)
    assert len(set(pairs)) == len(pairs)


def test_the_catalogue_has_never_seen_the_unseen_families() -> None:
    names = {
        name for pair in PAIRS if pair.split is Split.UNSEEN for name in (pair.first, pair.second)
    }
    assert [name for name in names if bundled_catalogue().lookup(name)] == []
