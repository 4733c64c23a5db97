"""What a new revision changes in who is named."""

import pytest
from cortex_memory.retain.turnover import Turnover, census_of, is_growth, turnover
from retain.observing import ANN, KEY, OWNER, actor, claim, observe
from roxabi_contracts.observation import Observation, Origin

FIRST = observe(claim("likes", "tea"), at=1, ref="a")
EDIT = observe(claim("likes", "milk"), at=1, ref="a", revision=1)
DELETION = observe(at=1, ref="a", revision=2, deleted=True)


@pytest.mark.parametrize(
    ("revisions", "counted", "expected"),
    [
        ([FIRST], None, Turnover(FIRST, None)),
        ([FIRST], FIRST.id, Turnover(None, None)),
        ([FIRST, EDIT], None, Turnover(EDIT, None)),
        ([FIRST, EDIT], FIRST.id, Turnover(EDIT, FIRST)),
        ([FIRST, EDIT], EDIT.id, Turnover(None, None)),
        ([FIRST, EDIT, DELETION], EDIT.id, Turnover(None, EDIT)),
        ([FIRST, DELETION], None, Turnover(None, None)),
    ],
)
def test_what_enters_and_what_leaves(
    revisions: list[Observation], counted: str | None, expected: Turnover
) -> None:
    assert turnover(revisions, counted) == expected
    assert turnover(revisions[::-1], counted) == expected


def test_an_edit_that_names_the_same_people_changes_no_count() -> None:
    census = census_of([Turnover(EDIT, FIRST)], KEY)

    assert not any(census.observations.values())
    assert not any(census.memories.values())
    assert is_growth(census)


def test_an_identifier_counts_once_however_often_an_observation_names_it() -> None:
    seen = observe(at=1, ref="a", actors=[ANN, OWNER, actor("bob@garden.org", name="Bob")])
    census = census_of([Turnover(seen, None)], KEY)

    assert sorted(census.observations.values()) == [1, 1]
    assert list(census.memories.values()) == [1]
    assert [naming.name for naming in census.namings] == ["Bob"]


def test_a_link_is_counted_where_it_is_stated_and_taken_back_where_it_was() -> None:
    both = actor("ann@garden.org", "account:github:ann")
    stated = observe(at=1, ref="a", actors=[both])
    corrected = observe(at=1, ref="a", actors=[ANN], revision=1)
    doubtful = observe(at=1, ref="b", actors=[both], origin=Origin.UNTRUSTED)

    assert list(census_of([Turnover(stated, None)], KEY).links.values()) == [1]
    assert not census_of([Turnover(doubtful, None)], KEY).links
    taken_back = census_of([Turnover(corrected, stated)], KEY)
    assert list(taken_back.links.values()) == [-1]
    assert not is_growth(taken_back)


def test_of_several_spellings_the_first_is_shown() -> None:
    shouted = observe(at=1, ref="a", actors=[actor("ANN@garden.org")])
    plain = observe(at=1, ref="b", actors=[ANN])
    census = census_of([Turnover(plain, None), Turnover(shouted, None)], KEY)

    assert [identifier.value for identifier in census.identifiers.values()] == ["ANN@garden.org"]
