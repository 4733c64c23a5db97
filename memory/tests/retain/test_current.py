"""Which revision of a message counts."""

from itertools import pairwise, permutations

from cortex_memory.retain.current import current_of
from retain.observing import observe
from roxabi_contracts.observation import MadeBy


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


def test_each_version_comes_before_the_next() -> None:
    said = observe(at=1, ref="a")
    ranked = [
        MadeBy(parser=1, neighbours=1, neighbour_revisions=(2,)),
        MadeBy(parser=1, neighbours=1, neighbour_revisions=(10,)),
        MadeBy(parser=1, neighbours=2, neighbour_revisions=(0, 0)),
        MadeBy(parser=1, enricher=1),
        MadeBy(parser=1, sanitiser=1),
        MadeBy(parser=2),
    ]
    revisions = [said.model_copy(update={"made_by": made}) for made in ranked]

    for lower, higher in pairwise(revisions):
        assert current_of([higher, lower]) is higher
