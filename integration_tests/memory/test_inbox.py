"""The inbox keeps each observation once, and never acknowledges what it does not keep."""

from itertools import permutations

import pytest
from cortex_memory.faults import Step
from cortex_memory.store.inbox import Rejection
from memory.observing import claim, observe
from memory.warehouse import Warehouse
from roxabi_contracts import subjects
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.operations import RejectedMessage

OBSERVATION = observe(claim("lives_in", "Paris"), at=1, ref="a")


async def test_a_second_delivery_changes_nothing(warehouse: Warehouse) -> None:
    await warehouse.inbox.store([OBSERVATION, OBSERVATION])
    await warehouse.inbox.store([OBSERVATION])

    assert await warehouse.rows(b"SELECT count(*) FROM observation") == [(1,)]
    assert await warehouse.rows(b"SELECT state, attempts FROM job") == [("pending", 0)]


async def test_the_greatest_versions_are_kept_in_whatever_order_they_come(
    warehouse: Warehouse,
) -> None:
    made = [
        OBSERVATION.made_by.model_copy(update={"parser": parser, "neighbour_revisions": seen})
        for parser, seen in [(2, ()), (10, ()), (9, (5, 1)), (10, (1,))]
    ]
    versions = [OBSERVATION.model_copy(update={"made_by": each}) for each in made]
    for order in permutations(versions):
        await warehouse.clear()
        for version in order:
            await warehouse.inbox.store([version])

        assert await warehouse.rows(b"SELECT made_by FROM observation") == [([10, 0, 0, 0, 1],)]


async def test_an_observation_made_by_a_later_version_is_retained_again(
    warehouse: Warehouse,
) -> None:
    await warehouse.retain([OBSERVATION])
    later = OBSERVATION.made_by.model_copy(update={"parser": 2})
    await warehouse.inbox.store([OBSERVATION])
    assert await warehouse.rows(b"SELECT count(*) FROM job") == [(0,)]

    await warehouse.inbox.store([OBSERVATION.model_copy(update={"made_by": later})])

    assert await warehouse.rows(b"SELECT state FROM job") == [("pending",)]


class Killed(BaseException):
    """The process is gone."""


async def test_nothing_is_kept_of_a_batch_that_did_not_commit(warehouse: Warehouse) -> None:
    def die(step: Step) -> None:
        if step is Step.BEFORE_INBOX_COMMIT:
            raise Killed

    with pytest.raises(Killed):
        await Warehouse(warehouse.pool, fault=die).inbox.store([OBSERVATION])

    assert await warehouse.rows(b"SELECT count(*) FROM observation") == [(0,)]
    assert await warehouse.rows(b"SELECT count(*) FROM project") == [(0,)]


async def test_a_dead_letter_waits_until_it_is_published(warehouse: Warehouse) -> None:
    letter = RejectedMessage(
        id="letter",
        project=None,
        source=None,
        source_ref=None,
        event_id=None,
        code="undecodable",
        reason="not JSON",
        received_at=from_epoch_ms(5),
        size=3,
        sha256="0" * 64,
    )
    await warehouse.inbox.store([], [Rejection(letter, subjects.OBSERVATIONS, b"???")])
    await warehouse.inbox.store([], [Rejection(letter, subjects.OBSERVATIONS, b"???")])

    assert await warehouse.inbox.unpublished_rejections(10) == [letter]
    await warehouse.inbox.mark_rejections_published(["letter"])
    assert await warehouse.inbox.unpublished_rejections(10) == []
    assert await warehouse.rows(b"SELECT body FROM dead_letter") == [(b"???",)]
