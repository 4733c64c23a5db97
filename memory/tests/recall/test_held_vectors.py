"""What is proposed holds the nearest, as the store measures them."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pytest
from cortex_memory.recall.held_vectors import TOLERANCE, HeldVectors, as_stored
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

Vector = NDArray[np.float32]

DIMENSIONS: Final = 3
EAST, NORTH, WEST, NOTHING = [1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, 0, 0]

coordinates = st.integers(-3, 3) | st.floats(-1, 1, width=16)
vectors = st.lists(coordinates, min_size=DIMENSIONS, max_size=DIMENSIONS)


def held(given: Sequence[Sequence[float]], horizon: str = "7") -> HeldVectors:
    """Vectors of which each is called by its place."""
    array = np.array(given, np.float32).reshape(-1, DIMENSIONS)
    return HeldVectors.of(tuple(map(str, range(len(given)))), array, horizon)


def vector(numbers: Sequence[float]) -> Vector:
    return np.array(numbers, np.float32)


def distance(left: Vector, right: Vector) -> float:
    """As the store measures it: of two vectors one of which is of nothing it is not a number."""
    norm = np.sqrt(float(left @ left) * float(right @ right))
    return 1 - max(-1.0, min(1.0, float(left @ right) / norm)) if norm else float("nan")


def nearest_in_store(given: Sequence[Sequence[float]], asked: Vector, count: int) -> set[str]:
    """The nearest; what is not a number comes last, and equals in the order of their ids."""
    distances = [distance(as_stored(vector(one)), as_stored(asked)) for one in given]
    places = sorted(
        range(len(given)),
        key=lambda place: (
            np.isnan(distances[place]),
            0 if np.isnan(distances[place]) else distances[place],
            str(place),
        ),
    )
    return {str(place) for place in places[:count]}


@pytest.mark.parametrize(
    ("given", "asked", "count", "proposed"),
    [
        ([EAST, NORTH, WEST], EAST, 1, {"0"}),
        ([EAST, NORTH, WEST], EAST, 2, {"0", "1"}),
        ([EAST, NORTH, WEST], EAST, 3, {"0", "1", "2"}),
        ([EAST, NORTH, WEST], EAST, 9, {"0", "1", "2"}),
        ([], EAST, 2, set()),
        ([[5, 0, 0], [9, 0, 0], NORTH], EAST, 1, {"0", "1"}),
        ([EAST, EAST, EAST, NORTH], EAST, 1, {"0", "1", "2"}),
        ([EAST, NOTHING, WEST], EAST, 1, {"0"}),
        ([NOTHING, NOTHING, NOTHING, WEST], EAST, 1, {"3"}),
        ([NOTHING, NOTHING, WEST], EAST, 2, {"0", "1", "2"}),
        ([EAST, NORTH, WEST], NOTHING, 1, {"0", "1", "2"}),
    ],
    ids=[
        *("the nearest", "two", "all", "fewer than asked", "none"),
        *("no matter how long", "equals"),
        *("one of nothing is not near", "nor nearer than what is opposite", "but is there"),
        "to nothing all are equal",
    ],
)
def test_the_nearest_are_proposed(
    given: list[list[float]], asked: list[float], count: int, proposed: set[str]
) -> None:
    assert set(held(given).nearest(vector(asked), count)) == proposed


@given(st.lists(vectors, max_size=30), vectors, st.integers(1, 12))
def test_whatever_the_store_may_call_nearest_is_proposed(
    given: list[list[float]], asked: list[float], count: int
) -> None:
    stored = [as_stored(vector(one)).tolist() for one in given]
    proposed = held(stored).nearest(vector(asked), count)
    assert len(set(proposed)) == len(proposed)
    assert nearest_in_store(given, vector(asked), count) <= set(proposed)


@given(st.integers(0, 2**32), st.integers(1, 5))
def test_no_more_than_equals_are_proposed_besides(seed: int, count: int) -> None:
    given = np.random.default_rng(seed).standard_normal((50, DIMENSIONS))
    asked = vector([0.3, 0.2, -0.9])
    similar = sorted((1 - distance(vector(one), as_stored(asked)) for one in given), reverse=True)
    equal = sum(one >= similar[count - 1] - 2 * TOLERANCE for one in similar)
    assert count <= len(held(given.tolist()).nearest(asked, count)) <= equal


def test_the_query_is_rounded_as_the_store_rounds_it() -> None:
    """Else the second were nearer, and not as near as the first."""
    asked = vector([1, 1 + 2**-11, 0])
    assert as_stored(asked).tolist() == [1, 1, 0]
    assert set(held([[1, -1, 0], [-1, 1, 0]]).nearest(asked, 1)) == {"0", "1"}


def test_what_was_written_later_takes_the_place_of_what_was_there() -> None:
    later = HeldVectors.of(("1", "new"), np.array([WEST, NORTH], np.float32), "9")
    renewed = held([EAST, EAST, NORTH]).with_written(later)
    assert set(renewed.ids) == {"0", "1", "2", "new"}
    assert renewed.nearest(vector(WEST), 1) == ["1"]
    assert set(renewed.nearest(vector(NORTH), 2)) == {"2", "new"}
    assert renewed.horizon == "9"


def test_where_nothing_was_written_only_the_horizon_moves() -> None:
    before = held([EAST, NORTH])
    renewed = before.with_written(HeldVectors.of((), np.zeros((0, 0), np.float32), "9"))
    assert (renewed.ids, renewed.horizon) == (before.ids, "9")
    assert renewed.nearest(vector(EAST), 1) == ["0"]


@given(
    st.lists(vectors, max_size=12),
    st.dictionaries(st.integers(0, 20), vectors, min_size=1, max_size=12),
    vectors,
    st.integers(1, 6),
)
def test_renewed_it_is_as_if_read_anew(
    given: list[list[float]], written: dict[int, list[float]], asked: list[float], count: int
) -> None:
    later = HeldVectors.of(
        tuple(map(str, written)), np.array(list(written.values()), np.float32), "9"
    )
    all_now = {**dict(enumerate(given)), **written}
    anew = HeldVectors.of(
        tuple(map(str, all_now)), np.array(list(all_now.values()), np.float32), "9"
    )
    renewed = held(given).with_written(later)
    assert len(set(renewed.ids)) == len(renewed.ids)
    assert set(renewed.nearest(vector(asked), count)) == set(anew.nearest(vector(asked), count))


def test_its_size_is_that_of_its_numbers() -> None:
    assert held([EAST, NORTH]).size == 2 * DIMENSIONS * 4
    assert held([]).size == 0
