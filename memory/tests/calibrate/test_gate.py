"""The gate: how well the cascade matches names, on families that chose no limit."""

import pytest
from cortex_memory.calibrate.cascade import cascade_report, with_catalogue, without_catalogue
from cortex_memory.calibrate.distances import read_distances
from cortex_memory.calibrate.families import Split, labelled_pairs
from cortex_memory.calibrate.limits import limit_of, read_limits
from cortex_memory.calibrate.measure import (
    MINIMUM_ACCEPTED,
    PRECISION,
    Judged,
    Measured,
    choose_limit,
    confusion,
    judge,
    undecided,
)
from cortex_memory.calibrate.shipped import shipped_data
from cortex_memory.embed.bundled import BundledEmbedder
from cortex_memory.retain.match_names import DistanceWanted, ModelLimit, Tier

BEHIND_THE_FIGURE = 150
"""Pairs that have to be joined, or a precision says little."""


@pytest.fixture(scope="module")
def distances(bundled: BundledEmbedder) -> dict[DistanceWanted, float]:
    return read_distances(shipped_data(), bundled.name, bundled.digest)


@pytest.fixture(scope="module")
def limit(bundled: BundledEmbedder) -> ModelLimit:
    found = limit_of(bundled.name, bundled.digest, read_limits(shipped_data()))
    assert found is not None
    return found


@pytest.fixture(scope="module")
def judged(distances: dict[DistanceWanted, float], limit: ModelLimit) -> list[Judged]:
    return judge(labelled_pairs(), with_catalogue(), distances, limit)


def test_the_confusion_tables(
    distances: dict[DistanceWanted, float],
    limit: ModelLimit,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with capsys.disabled():
        print("\n" + cascade_report(distances, limit))


def test_the_whole_cascade_is_precise(judged: list[Judged]) -> None:
    counted = confusion(item for item in judged if item.pair.split is not Split.CALIBRATION)
    assert counted.accepted >= BEHIND_THE_FIGURE
    assert counted.precision is not None
    assert counted.precision >= PRECISION


@pytest.mark.parametrize(("split", "recall"), [(Split.HELD_OUT, 0.9), (Split.UNSEEN, 0.25)])
def test_each_split_is_precise_and_finds_its_share(
    judged: list[Judged], split: Split, recall: float
) -> None:
    counted = confusion(item for item in judged if item.pair.split is split)
    assert counted.precision is not None
    assert counted.precision >= PRECISION
    assert counted.recall is not None
    assert counted.recall >= recall


def test_words_alone_are_precise_where_no_catalogue_helps(
    distances: dict[DistanceWanted, float], limit: ModelLimit
) -> None:
    blind = judge(labelled_pairs(), without_catalogue(), distances, limit)
    decided = [
        item
        for item in blind
        if item.verdict.tier is Tier.WORDS and item.pair.split is not Split.CALIBRATION
    ]
    counted = confusion(decided)
    assert counted.accepted >= BEHIND_THE_FIGURE
    assert counted.precision is not None
    assert counted.precision >= PRECISION


def test_the_stored_limit_is_what_the_calibration_families_give(
    distances: dict[DistanceWanted, float], limit: ModelLimit
) -> None:
    asked = undecided(labelled_pairs(), without_catalogue())
    chosen = choose_limit(
        [
            Measured(pair, distances[wanted])
            for pair, wanted in asked
            if pair.split is Split.CALIBRATION
        ]
    )
    assert chosen is not None
    assert (chosen[0], chosen[1].accepted >= MINIMUM_ACCEPTED) == (limit.limit, True)


def test_the_report_says_what_the_catalogue_was_told(
    distances: dict[DistanceWanted, float], limit: ModelLimit
) -> None:
    rows = [line.split() for line in cascade_report(distances, limit).splitlines()]
    known = {row[0]: row[1:] for row in rows if row and row[0] in set(Split)}

    assert known[Split.UNSEEN][1:] == ["0", "0.000"]
    pairs, told, share = known[Split.HELD_OUT]
    assert 0 < int(told) < int(pairs)
    assert float(share) == pytest.approx(int(told) / int(pairs), abs=0.001)
