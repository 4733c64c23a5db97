"""An export holds all that the journal has of one memory, and nothing of another."""

import json
from collections.abc import AsyncIterator, Iterable, Iterator

import pytest
from cortex_memory.obey_export import ExportObeyer
from cortex_memory.refusal import Refused
from cortex_memory.store.export import PAGE_BYTES, PAGE_RECORDS, SETS
from memory.observing import BOB, PROJECT, claim, observe
from memory.warehouse import Warehouse
from roxabi_contracts.base import JsonObject
from roxabi_contracts.errors import ErrorCode
from roxabi_contracts.observation import Observation
from roxabi_contracts.upkeep import ExportPage, ExportRequest

ANNS = ExportRequest(project=PROJECT, subject="ann@garden.org")


async def pages(warehouse: Warehouse, asked: ExportRequest = ANNS) -> AsyncIterator[ExportPage]:
    """Every page, as the client follows them."""
    while True:
        page = await ExportObeyer(warehouse.pool).export(asked)
        yield page
        if page.cursor is None:
            return
        asked = asked.model_copy(update={"cursor": page.cursor})


async def export(warehouse: Warehouse) -> list[JsonObject]:
    return [record async for page in pages(warehouse) for record in page.records]


def of(records: Iterable[JsonObject], name: str) -> Iterator[JsonObject]:
    return (record for record in records if record["set"] == name)


async def test_it_holds_the_key_and_every_set_of_the_journal_of_the_memory_alone(
    warehouse: Warehouse,
) -> None:
    paris = observe(claim("lives_in", "Paris"), at=1, ref="a")
    edited = observe(claim("lives_in", "Lyon"), at=1, ref="a", revision=1)
    bobs = observe(claim("lives_in", "Rome"), at=1, ref="b", actors=[BOB])
    await warehouse.retain([paris, edited, bobs])
    await warehouse.rows_without_answer(
        b"INSERT INTO predicate_verdict VALUES ('garden', 'v', 'a', 'b', true, null, 1)"
    )
    await warehouse.rows_without_answer(
        b"INSERT INTO identity_link SELECT 'garden', 'l', id, 'x', 'same', 'confirmed', "
        b"'person', 1, null, 1 FROM identifier WHERE value = 'ann@garden.org'"
    )
    for table in (b"decision", b"erasure"):
        columns = b"id, subject_identifier, kind, content"
        rest = {b"decision": b", decided_at, decided_by", b"erasure": b", erased_at"}[table]
        values = {b"decision": b", 1, 'ann'", b"erasure": b", 1"}[table]
        await warehouse.rows_without_answer(
            b"INSERT INTO " + table + b" (project, " + columns + rest + b") "
            b"SELECT 'garden', value, id, 'kind', '{}'" + values + b" FROM identifier"
        )

    records = await export(warehouse)

    assert {str(record["set"]) for record in records} == set(SETS)
    (key,) = await warehouse.rows(b"SELECT encode(digest_key, 'hex') FROM project")
    assert [record["digest_key"] for record in of(records, "project")] == [key[0]]
    said = {str(record["id"]): record for record in of(records, "observation")}
    assert said.keys() == {paris.id, edited.id}
    content = said[paris.id]["content"]
    assert isinstance(content, dict)
    again = Observation.model_validate(
        {**content, "id": paris.id, "made_by": paris.made_by.model_dump()}
    )
    assert again == paris
    found = {str(record["observation_id"]) for record in of(records, "candidate")}
    assert found == {edited.id} or found == {paris.id, edited.id}
    for name in ("decision", "erasure"):
        assert [record["id"] for record in of(records, name)] == ["ann@garden.org"]
    assert [page.total async for page in pages(warehouse)] == [len(records)] * 8
    json.dumps(records)


async def test_a_long_memory_comes_in_pages_that_lose_and_repeat_nothing(
    warehouse: Warehouse,
) -> None:
    said = [observe(at=number, ref=str(number)) for number in range(PAGE_RECORDS + 1)]
    await warehouse.retain(said)

    found = [page async for page in pages(warehouse)]

    ids = [record["id"] for page in found for record in of(page.records, "observation")]
    assert ids == sorted(each.id for each in said)
    assert max(len(page.records) for page in found) == PAGE_RECORDS
    assert found[0].total == sum(len(page.records) for page in found)


async def test_no_page_is_larger_than_a_message_may_be(warehouse: Warehouse) -> None:
    long = [observe(at=n, ref=str(n), text="x" * (PAGE_BYTES * 2 // 5)) for n in range(5)]
    huge = observe(at=9, ref="huge", text="y" * (3 * PAGE_BYTES))
    await warehouse.retain([*long, huge])

    sizes = [
        len(page.model_dump_json())
        async for page in pages(warehouse)
        if next(of(page.records, "observation"), None)
    ]

    assert sum(size > PAGE_BYTES for size in sizes) == 1
    assert len(sizes) >= 4


async def test_a_stranger_and_a_forged_cursor_are_refused(warehouse: Warehouse) -> None:
    await warehouse.retain([observe(at=1, ref="a")])
    for changes, code in (
        ({"subject": "nobody@garden.org"}, ErrorCode.UNKNOWN_SUBJECT),
        ({"cursor": "?"}, ErrorCode.INVALID_REQUEST),
        ({"cursor": '{"set": 99, "after": null, "total": 0}'}, ErrorCode.INVALID_REQUEST),
    ):
        with pytest.raises(Refused) as refused:
            await ExportObeyer(warehouse.pool).export(ANNS.model_copy(update=changes))
        assert refused.value.code is code
