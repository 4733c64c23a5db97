"""The lake erases what memory says, and nothing else, and knows it when it comes again."""

import pytest
from cortex_insight.forget import Forgetter
from cortex_insight.ingest import Ingest, Stored
from cortex_insight.store.db import Database
from cortex_insight.store.sources import Sources
from linked_source import OWNER, SOURCE, receipt, record
from roxabi_contracts import RawEvent
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.operations import EventState, SourcesRequest
from roxabi_contracts.upkeep import LakeForgetReply, LakeForgetRequest

A, B = record("a", text="alpha"), record("b", text="beta", after=["a"])
BAD = record("bad", fault="reject")
WHO = tuple(f"{key.scheme}:{key.value}" for key in OWNER.identifiers)


async def forget(database: Database, **fields: object) -> LakeForgetReply:
    async def nothing_to_sweep(project: str) -> int:
        return 0

    wanted = {"project": "p", "forget_id": "f", "owner": WHO, "source": SOURCE} | fields
    asked = LakeForgetRequest.model_validate(wanted)
    return await Forgetter(database, nothing_to_sweep).forget(asked)


async def states(database: Database, *events: RawEvent) -> list[EventState]:
    ids = tuple(event.event_id for event in events)
    reply = await Sources(database).answer(SourcesRequest(project="p", event_ids=ids))
    return [status.state for status in reply.events]


@pytest.fixture
async def filled(ingest: Ingest, database: Database) -> Database:
    """A lake with two linked events and one that was refused."""
    await ingest.take([receipt(A), receipt(B), receipt(BAD)])
    return database


async def test_one_record_goes_and_the_others_stay(filled: Database, ingest: Ingest) -> None:
    reply = await forget(filled, source_refs=("a",))

    assert reply.removed["raw_events"] == 1
    assert reply.removed["outbox"] >= 1
    assert reply.kept_digests >= 2
    assert await states(filled, A, B, BAD) == [
        EventState.ERASED,
        EventState.PARSED,
        EventState.REJECTED,
    ]
    assert await ingest.take([receipt(A)]) == Stored(erased=(0,))
    edited = record("a", text="edited")
    assert (await ingest.take([receipt(edited)])).erased == (0,)
    assert await states(filled, edited) == [EventState.ERASED]


async def test_all_of_an_owner_goes_with_what_was_refused(filled: Database) -> None:
    reply = await forget(filled, source=None)

    assert reply.removed["raw_events"] == 3
    assert reply.removed["dead_letters"] == 1
    assert await states(filled, A, B, BAD) == [EventState.ERASED] * 3
    (source,) = (await Sources(filled).answer(SourcesRequest(project="p"))).sources
    assert (source.events, source.observations, source.rejected) == (0, 0, 0)


@pytest.mark.parametrize(
    "fields",
    [
        {"source_refs": ("a",), "owner": ("email:somebody@else.org",)},
        {"source_refs": ("a",), "source": "another"},
        {"source": "another"},
        {"until": from_epoch_ms(0)},
    ],
)
async def test_what_is_not_meant_stays(filled: Database, fields: dict[str, object]) -> None:
    reply = await forget(filled, **fields)
    assert not reply.removed.get("raw_events")
    assert await states(filled, A, B) == [EventState.PARSED] * 2


async def test_the_same_request_again_gets_the_same_answer(filled: Database) -> None:
    first = await forget(filled, source_refs=("a",))

    assert await forget(filled, source_refs=("a",)) == first
