"""What the rules make of the labelled texts, and that the set is what it should be."""

from collections import Counter
from datetime import UTC, datetime
from typing import Final

from cortex_insight.enrich.rules import first_person_claims
from roxabi_contracts import bundled_catalogue

from .labelled_set import Labelled, labelled, score, table
from .notation import described

NOW: Final = datetime(2026, 3, 11, 10, tzinfo=UTC)
"""A Wednesday, from which relative dates of the set count."""
SET: Final = labelled()


def read(item: Labelled) -> tuple[str, ...]:
    return tuple(described(claim) for claim in first_person_claims(item.text, NOW))


def test_the_set_is_large_and_of_both_languages_and_claims_nothing_in_many_texts() -> None:
    languages = Counter(item.language for item in SET)
    assert languages.keys() == {"english", "french"}
    assert min(languages.values()) > 0.35 * len(SET)
    assert len(SET) >= 1_000
    assert sum(not item.claims for item in SET) >= 0.4 * len(SET)
    assert len({item.text for item in SET}) == len(SET)


def test_a_third_of_the_set_is_held_out() -> None:
    held_out = sum(item.part == "held out" for item in SET)
    assert 0.3 < held_out / len(SET) < 0.37


def test_every_label_is_of_the_catalogue() -> None:
    names = {claim.partition("=")[0].partition(" ")[2] for item in SET for claim in item.claims}
    unknown = [name for name in names if bundled_catalogue().lookup(name) is None]
    assert unknown == []


def test_the_score_of_each_part_is_shown() -> None:
    for part in ("development", "held out"):
        print(table(part, score((item, read(item)) for item in SET if item.part == part)))
