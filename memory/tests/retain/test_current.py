"""Which revision of a message counts."""

from itertools import permutations

from cortex_memory.retain.current import current_of
from retain.observing import observe


def test_the_highest_revision_counts_whatever_came_first() -> None:
    first, edit = observe(at=1, ref="a"), observe(at=1, ref="a", revision=2, text="edited")
    newest = observe(at=1, ref="a", revision=10, text="again")

    for order in permutations([first, edit, newest]):
        assert current_of(order) is newest


def test_versions_are_compared_as_integers() -> None:
    old, new = observe(at=1, ref="a", parser=9), observe(at=1, ref="a", parser=10, text="new")

    assert current_of([new, old]) is new


def test_the_revision_comes_before_the_parser() -> None:
    edit, reparsed = (
        observe(at=1, ref="a", revision=1),
        observe(at=1, ref="a", parser=7, text="other"),
    )

    assert current_of([edit, reparsed]) is edit


def test_more_neighbours_at_parsing_win() -> None:
    alone, together = observe(at=1, ref="a"), observe(at=1, ref="a", neighbours=1, text="joined")

    assert current_of([alone, together]) is together


def test_of_equal_versions_the_content_decides() -> None:
    one, other = observe(at=1, ref="a", text="x"), observe(at=1, ref="a", text="y")

    assert current_of([one, other]) is current_of([other, one])
