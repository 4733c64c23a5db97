"""What is forgotten counts as never said, or keeps its effect alone; whatever the order."""

import asyncio
from collections.abc import Sequence

import pytest
from cortex_memory.clock import now_ms
from cortex_memory.forget_job import ForgetJob
from cortex_memory.obey_decision import DecisionObeyer
from cortex_memory.rebuild import rebuild
from cortex_memory.refold_job import Rules
from cortex_memory.store import forgetting
from cortex_memory.store.db import connection
from cortex_memory.store.forgetting import FINISHED, Forgetting
from cortex_memory.store.traces import Account
from cortex_memory.trace_log import TraceLog
from memory.observing import BOB, PROJECT, claim, observe
from memory.warehouse import Warehouse
from roxabi_contracts.context import ContextRequest, ContextTrace, Status
from roxabi_contracts.observation import Observation
from roxabi_contracts.upkeep import ForgetMode, ForgetScope

PARIS = observe(claim("lives_in", "Paris"), at=1, ref="a", text="words of Paris")
ROME = observe(
    claim("lives_in", "Rome"),
    claim("works_at", "Acme"),
    at=2,
    ref="b",
    text="words of Rome",
)
VIM = observe(claim("uses", "Vim"), at=3, ref="c")
OTHERS = observe(claim("lives_in", "Rome"), at=4, ref="d", actors=[BOB])
SAID = [PARIS, ROME, VIM, OTHERS]


async def forget(
    warehouse: Warehouse,
    scope: ForgetScope,
    target: str | None,
    mode: ForgetMode = ForgetMode.ERASE,
    at: int = 100,
) -> Forgetting:
    """Carry out a request in memory's tables."""
    async with connection(warehouse.pool) as transaction:
        keys = await warehouse.parts.keys.of(transaction, [PROJECT])
        request = Forgetting(
            project=PROJECT,
            id=f"{mode}-{scope}-{at}",
            subject=await owner(warehouse),
            scope=scope,
            target=target,
            mode=mode,
            requested_by="tester",
            requested_at=at,
        )
        await forgetting.ask(transaction, request)
        catalogues = warehouse.parts.catalogues
        rules = Rules(keys, catalogues, now_ms(warehouse.clock))
        decisions = DecisionObeyer(warehouse.pool, warehouse.clock, catalogues)
        done = await ForgetJob(transaction, rules, request, decisions).run()
        await forgetting.advance(transaction, request, state=FINISHED, removed=done.removed)
    await warehouse.drain()
    return request


async def owner(warehouse: Warehouse) -> str:
    """Whose memory the first of the observations went to."""
    rows = await warehouse.rows(
        b"SELECT subject_identifier FROM observation WHERE source_ref IN ('a', 'b', 'c') LIMIT 1"
    )
    return str(rows[0][0])


async def target_of(warehouse: Warehouse, scope: ForgetScope) -> str | None:
    if scope is ForgetScope.FACT:
        subject = await owner(warehouse)
        rows = await warehouse.rows(
            b"SELECT id FROM fact WHERE text = 'lives in Rome' AND subject = '%b'"
            % subject.encode()
        )
        return str(rows[0][0])
    return {
        ForgetScope.OBSERVATION: ROME.id,
        ForgetScope.SOURCE: ROME.source,
        ForgetScope.SUBJECT: None,
    }[scope]


async def agreed_dump(warehouse: Warehouse) -> list[bytes]:
    """The dump, which the journal gives as well."""
    dump = await warehouse.dump()
    assert dump == await warehouse.reference()
    return dump


@pytest.mark.parametrize("scope", ForgetScope)
async def test_disabling_and_enabling_again_changes_nothing(
    warehouse: Warehouse, scope: ForgetScope
) -> None:
    await warehouse.retain(SAID)
    before = await agreed_dump(warehouse)
    target = await target_of(warehouse, scope)

    await forget(warehouse, scope, target, ForgetMode.DISABLE, at=100)
    disabled = await agreed_dump(warehouse)
    assert disabled != before
    await forget(warehouse, scope, target, ForgetMode.ENABLE, at=200)

    assert await agreed_dump(warehouse) == before


@pytest.mark.parametrize("scope", ForgetScope)
@pytest.mark.parametrize(
    "order", [SAID, SAID[::-1], [ROME, OTHERS, PARIS, VIM], [VIM, PARIS, OTHERS, ROME]]
)
async def test_late_duplicates_and_rebuilds_bring_nothing_back(
    warehouse: Warehouse, scope: ForgetScope, order: Sequence[Observation]
) -> None:
    await warehouse.retain(order)
    await forget(warehouse, scope, await target_of(warehouse, scope))
    after = await agreed_dump(warehouse)

    await warehouse.retain(SAID)
    assert await agreed_dump(warehouse) == after
    await rebuild(warehouse.parts, None, lambda done, total: None)
    assert await agreed_dump(warehouse) == after
    told = await warehouse.rows(b"SELECT DISTINCT project FROM lake_forget")
    assert told == [(PROJECT,)]


async def test_the_same_said_elsewhere_before_is_covered_when_it_arrives_late(
    warehouse: Warehouse,
) -> None:
    await warehouse.retain(SAID)
    await forget(warehouse, ForgetScope.FACT, await target_of(warehouse, ForgetScope.FACT))
    late = observe(claim("residence", "Rome"), at=2, ref="late", text="words of Rome")
    await warehouse.retain([late])

    rows = await warehouse.rows(b"SELECT content FROM observation WHERE source_ref = 'late'")
    assert "Rome" not in str(rows)
    await agreed_dump(warehouse)
    served = [fact for fact in await warehouse.facts() if fact[2] == "active"]
    assert [fact[1] for fact in served if fact[0] == "lives_in"] == ["Rome"], "of others alone"
    wanted = await warehouse.rows(b"SELECT source_ref FROM lake_forget ORDER BY source_ref")
    assert wanted == [("b",), ("late",)]


async def test_what_is_said_afterwards_is_new(warehouse: Warehouse) -> None:
    await warehouse.retain(SAID)
    await forget(warehouse, ForgetScope.SUBJECT, None)
    again = observe(claim("lives_in", "Rome"), at=101, ref="again")
    await warehouse.retain([again])

    assert [fact for fact in await warehouse.facts() if fact[2] == "active"] == [
        ("lives_in", "Rome", "active"),
        ("lives_in", "Rome", "active"),
    ]


async def test_an_erased_fact_leaves_the_others_of_its_observation(warehouse: Warehouse) -> None:
    await warehouse.retain(SAID)
    await forget(warehouse, ForgetScope.FACT, await target_of(warehouse, ForgetScope.FACT))

    facts = await warehouse.facts()
    assert ("works_at", "Acme", "active") in facts
    assert ("lives_in", "", "erased") in facts
    assert ("lives_in", "Paris", "superseded") in facts


async def test_a_question_is_forgotten_however_it_named_the_memory(warehouse: Warehouse) -> None:
    await warehouse.retain(SAID)
    about_ann = ("ann@garden.org", "email:ANN@Garden.org", "<ann@garden.org>", "ann@garden.org.")
    about_bob = "bob@garden.org"
    for reference in (*about_ann, await owner(warehouse), about_bob):
        await note_trace(warehouse, reference)
    request = await forget(
        warehouse, ForgetScope.FACT, await target_of(warehouse, ForgetScope.FACT)
    )
    kept = await warehouse.rows(b"SELECT request -> 'subjects' ->> 0 FROM trace")
    assert kept == [(about_bob,)]
    async with connection(warehouse.pool) as transaction:
        found = await forgetting.find(transaction, PROJECT, request.id)
    assert found is not None
    assert found.removed["traces"] == len(about_ann) + 1


async def note_trace(warehouse: Warehouse, reference: str) -> None:
    """A question about a memory was answered."""
    asked = ContextRequest(project=PROJECT, subjects=(reference,), query="Where in Rome?")
    trace = ContextTrace(
        trace_id=reference,
        project=PROJECT,
        asked_at=warehouse.clock.now(),
        request=asked,
        candidates=(),
        status=Status.OK,
    )
    traces = TraceLog(warehouse.pool)
    all_of_now = "9000000000000:9000000000000:"
    traces.note(Account(PROJECT, trace.trace_id, lambda: trace, all_of_now, is_of_now=False))
    assert await traces.store()


async def test_an_erased_fact_cannot_be_enabled(warehouse: Warehouse) -> None:
    await warehouse.retain(SAID)
    await forget(warehouse, ForgetScope.OBSERVATION, ROME.id)
    after = await agreed_dump(warehouse)
    await forget(warehouse, ForgetScope.SOURCE, ROME.source, ForgetMode.ENABLE, at=300)
    await warehouse.retain([ROME])

    assert await agreed_dump(warehouse) == after


async def test_what_is_disabled_is_taken_in_and_counts_when_it_is_enabled(
    warehouse: Warehouse,
) -> None:
    await warehouse.retain(SAID)
    everything = await agreed_dump(warehouse)
    await warehouse.clear()
    await warehouse.retain([PARIS])
    await forget(warehouse, ForgetScope.SUBJECT, None, ForgetMode.DISABLE)
    await asyncio.gather(*(warehouse.retain([seen]) for seen in SAID))
    assert await warehouse.facts() == [("lives_in", "Rome", "active")]
    await forget(warehouse, ForgetScope.SUBJECT, None, ForgetMode.ENABLE, at=200)

    assert await agreed_dump(warehouse) == everything
