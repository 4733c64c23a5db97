"""Which observations count as never said: by record, by source, by memory."""

from collections.abc import Sequence
from itertools import permutations

import pytest
from cortex_memory.model import JournalId, ProjectId, ScopeWithdrawal, Withdrawal
from cortex_memory.retain.assertions import observation_key
from cortex_memory.retain.withdrawal import AnyWithdrawal, Withdrawals, key_digest
from retain.observing import BOB, KEY, observe

SAID = observe(at=10, ref="a")
OTHERS = observe(at=10, ref="a", actors=[BOB])
OWNER = observation_key(SAID, KEY).subject


def record(at: int, *, withdrawn: bool = True, final: bool = False) -> Withdrawal:
    digest = key_digest(observation_key(SAID, KEY), KEY)
    return Withdrawal(JournalId(f"record-{at}"), at, digest, withdrawn, final)


def scope(
    at: int, source: str | None = None, *, withdrawn: bool = True, final: bool = False
) -> ScopeWithdrawal:
    name, project = JournalId(f"scope-{at}"), ProjectId(SAID.project_id)
    return ScopeWithdrawal(name, at, project, frozenset({OWNER}), source, withdrawn, final)


def covered(*rows: AnyWithdrawal) -> str | None:
    """By which row the observation is withdrawn, whatever order the rows come in."""
    answers = {Withdrawals(order).covering(SAID, KEY) for order in permutations(rows)}
    (answer,) = answers
    return None if answer is None else answer.id


@pytest.mark.parametrize(
    ("rows", "by"),
    [
        ([], None),
        ([record(20)], "record-20"),
        ([scope(20)], "scope-20"),
        ([scope(10)], "scope-10"),
        ([scope(9)], None),
        ([scope(20, SAID.source)], "scope-20"),
        ([scope(20, "another-source")], None),
        ([record(20), record(30, withdrawn=False)], None),
        ([record(20), scope(30, withdrawn=False)], None),
        ([record(20, withdrawn=False), scope(30)], "scope-30"),
        ([record(20, final=True), record(30, withdrawn=False)], "record-20"),
        ([scope(20, final=True), scope(30, withdrawn=False), record(40)], "scope-20"),
    ],
)
def test_the_latest_row_that_covers_it_holds_and_a_final_one_for_ever(
    rows: Sequence[AnyWithdrawal], by: str | None
) -> None:
    assert covered(*rows) == by


def test_the_same_record_in_another_memory_is_another() -> None:
    rows = Withdrawals([record(20), scope(20)])

    assert rows.covering(OTHERS, KEY) is None
