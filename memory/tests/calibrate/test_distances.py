"""Distances of names, measured and kept."""

import pytest
from cortex_memory.calibrate.distances import (
    distances_from_json,
    distances_json,
    measure_distances,
    read_distances,
)
from cortex_memory.calibrate.shipped import shipped_data
from cortex_memory.embed.bundled import BundledEmbedder
from cortex_memory.retain.match_names import DistanceWanted

SEA = {DistanceWanted("helmsman", "skipper"): 0.125, DistanceWanted("captain", "skipper"): 0.25}


def test_what_is_kept_is_read_again() -> None:
    assert distances_from_json(distances_json("small", "d1", SEA), "d1") == SEA


def test_distances_of_another_file_of_a_model_do_not_count() -> None:
    assert distances_from_json(distances_json("small", "d1", SEA), "d2") == {}


def test_a_model_that_was_never_measured_has_none() -> None:
    assert read_distances(shipped_data(), "never/measured", "d1") == {}


def test_the_kept_distances_are_those_of_the_bundled_model(bundled: BundledEmbedder) -> None:
    kept = read_distances(shipped_data(), bundled.name, bundled.digest)
    sample = sorted(kept, key=lambda pair: (pair.first, pair.second))[::150]
    assert len(sample) >= 10
    for pair, measured in measure_distances(bundled, sample).items():
        assert measured == pytest.approx(kept[pair], abs=1e-3)
