"""By which terms facts and episodes are found, and which facts by none."""

import pytest
from cortex_memory.lexical.documents import terms_of_episode, terms_of_fact
from roxabi_contracts.operations import FactStatus

FINDABLE = {FactStatus.ACTIVE, FactStatus.SCHEDULED}


@pytest.mark.parametrize("status", FactStatus)
def test_a_fact_is_found_that_may_be_served_or_is_hidden_by_a_rule(status: FactStatus) -> None:
    assert bool(terms_of_fact("likes tea", status, in_conflict=False)) == (status in FINDABLE)
    contested = FINDABLE | {FactStatus.CANDIDATE}
    assert bool(terms_of_fact("likes tea", status, in_conflict=True)) == (status in contested)


def test_an_episode_is_found_by_who_said_it() -> None:
    assert set(terms_of_episode("Zoé", "The tea is cold.").split(" ")) == {
        "zoe",
        "zo",
        "tea",
        "cold",
    }
    assert terms_of_episode(None, "The tea is cold.").split(" ") == ["tea", "cold"]
