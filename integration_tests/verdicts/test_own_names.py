"""Projects of one memory, each with predicates of its own: no project hears of another's."""

import asyncio
from itertools import permutations
from pathlib import Path
from typing import Final

import pytest
from cortex_memory.answer_predicates import PredicateAnswerer
from cortex_memory.answer_query import QueryAnswerer
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.kept_folds import KeptFolds
from cortex_memory.notice_catalogues import notice_catalogues
from cortex_memory.obey_verdict import VerdictObeyer
from cortex_memory.rebuild import rebuild
from cortex_memory.refusal import Refused
from cortex_memory.retain_batch import BatchRetainer
from cortex_memory.store.db import Pool, connection
from cortex_memory.store.jobs import lease_jobs
from cortex_memory.store.projects import outdated_projects
from cortex_memory.trace_log import TraceLog
from memory.observing import claim, observe
from memory.warehouse import Warehouse
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.names import PredicateRecord, PredicatesRequest, VerdictRequest
from roxabi_contracts.observation import Observation
from roxabi_contracts.operations import FactsRequest, MemoryStats, StatsRequest
from roxabi_contracts.predicates import CatalogueLayer
from stack import Stack
from structlog.testing import capture_logs

OWN: Final = """
[mooring]
description = "Where the boat lies."
synonyms = ["amarrage"]

[projects.harbour.editor]
also = ["chosen_tool"]

[projects.harbour.hull_number]
description = "What is painted on the bow."

[projects.orchard.chosen_tool]
description = "What one prunes with."
cardinality = "many"
"""
PROJECTS: Final = ("harbour", "garden", "orchard")


@pytest.fixture
def warehouse(pool: Pool) -> Warehouse:
    """A warehouse whose operator has predicates of their own; every fold is kept."""
    return Warehouse(pool, catalogues=Catalogues.from_toml(OWN), folds=KeptFolds(large=2))


def says(name: str, value: str, at: int) -> list[Observation]:
    """The same in every project."""
    return [observe(claim(name, value), at=at, ref=f"{at}", project=each) for each in PROJECTS]


SAID: Final = [says("editor", "vim", 1), says("chosen_tool", "emacs", 2), says("editor", "ed", 3)]
FACTS: Final = [
    ("garden", "chosen_tool", "emacs", "active"),
    ("garden", "editor", "ed", "active"),
    ("garden", "editor", "vim", "superseded"),
    ("harbour", "editor", "ed", "active"),
    ("harbour", "editor", "emacs", "superseded"),
    ("harbour", "editor", "vim", "superseded"),
    ("orchard", "chosen_tool", "emacs", "active"),
    ("orchard", "editor", "ed", "active"),
    ("orchard", "editor", "vim", "superseded"),
]


async def facts(warehouse: Warehouse) -> list[tuple[str, ...]]:
    rows = await warehouse.rows(
        b"SELECT project, predicate, value::json ->> 'value', status FROM fact ORDER BY 1, 2, 3"
    )
    return [tuple(map(str, row)) for row in rows]


async def test_one_batch_is_folded_by_the_catalogue_of_each_project(warehouse: Warehouse) -> None:
    await warehouse.inbox.store([seen for batch in SAID for seen in batch])
    lease = await lease_jobs(warehouse.pool, 500, 300)
    assert {job.project for job in lease.jobs} == set(PROJECTS)
    await BatchRetainer(warehouse.parts).retain(lease)

    assert await facts(warehouse) == FACTS
    assert await warehouse.dump() == await warehouse.reference()


async def test_the_order_of_arrival_shows_nowhere(warehouse: Warehouse) -> None:
    """Batch after batch, so that folds are gone on with, late sayings too."""
    dumps: set[tuple[bytes, ...]] = set()
    for order in permutations(SAID):
        await warehouse.retain(*order)
        dumps.add(tuple(await warehouse.dump()))
        await warehouse.clear()
        warehouse.parts.folds.forget()

    assert len(dumps) == 1


async def test_a_fold_goes_on_under_the_catalogue_of_its_project(warehouse: Warehouse) -> None:
    await warehouse.retain(*SAID, says("chosen_tool", "nano", 4), says("chosen_tool", "joe", 5))

    active = [each[:3] for each in await facts(warehouse) if each[3] == "active"]
    assert active == [
        ("garden", "chosen_tool", "emacs"),  # contradicts the later: nobody has told what it is
        ("garden", "editor", "ed"),
        ("harbour", "editor", "joe"),
        ("orchard", "chosen_tool", "emacs"),
        ("orchard", "chosen_tool", "joe"),
        ("orchard", "chosen_tool", "nano"),
        ("orchard", "editor", "ed"),
    ]
    assert await warehouse.dump() == await warehouse.reference()


async def test_a_rebuild_changes_nothing(warehouse: Warehouse) -> None:
    await warehouse.retain(*SAID)
    before = await warehouse.dump()
    await warehouse.rows_without_answer(b"DELETE FROM assertion")
    await rebuild(warehouse.parts, None, lambda done, total: None)

    assert await warehouse.dump() == before


@pytest.mark.parametrize(("project", "tools"), [("harbour", ["emacs"]), ("garden", ["vim"])])
async def test_the_past_is_told_by_the_catalogue_of_its_project(
    warehouse: Warehouse, project: str, tools: list[str]
) -> None:
    await warehouse.retain(*SAID)
    with EmbeddingService(lambda: None) as no_model:
        traces = TraceLog(warehouse.pool)
        answerer = QueryAnswerer(warehouse.pool, warehouse.parts.catalogues, no_model, traces)
        reply = await answerer.facts(
            FactsRequest(project=project, subject="email:ann@garden.org", as_of=from_epoch_ms(2))
        )

    values = [fact.value for fact in reply.facts if fact.predicate == "editor"]
    assert values == [{"value": tool} for tool in tools]


async def test_a_person_may_join_what_only_another_projects_catalogue_has_as_one(
    warehouse: Warehouse,
) -> None:
    await warehouse.retain(*SAID)
    obeyer = VerdictObeyer(warehouse.pool, warehouse.clock, warehouse.parts.catalogues)

    def joined(project: str) -> VerdictRequest:
        return VerdictRequest(
            project=project,
            first="editor",
            second="chosen_tool",
            same=True,
            decided_by="dora",
            decided_at=from_epoch_ms(7),
        )

    with pytest.raises(Refused, match="one predicate by the catalogue"):
        await obeyer.judge(joined("harbour"))
    assert (await obeyer.judge(joined("garden"))).groups == 2
    await warehouse.drain()

    assert [each for each in await facts(warehouse) if each[0] == "garden"] == [
        ("garden", *each[1:]) for each in FACTS if each[0] == "harbour"
    ]
    assert await warehouse.dump() == await warehouse.reference()


async def listed(warehouse: Warehouse, project: str) -> dict[str, PredicateRecord]:
    answerer = PredicateAnswerer(warehouse.pool, warehouse.parts.catalogues)
    reply = await answerer.answer(PredicatesRequest(project=project))
    assert [each.name for each in reply.predicates] == sorted(
        each.name for each in reply.predicates
    )
    return {each.name: each for each in reply.predicates}


async def test_a_listing_tells_who_has_each_name_in_the_catalogue(warehouse: Warehouse) -> None:
    await warehouse.retain(*SAID)
    harbour, garden, orchard = [await listed(warehouse, project) for project in PROJECTS]

    of_all = {"mooring": CatalogueLayer.INSTALLATION, "amarrage": CatalogueLayer.INSTALLATION}
    assert {name: each.layers for name, each in harbour.items()} == {
        "editor": {"editor": CatalogueLayer.SHIPPED, "chosen_tool": CatalogueLayer.PROJECT},
        "hull_number": {"hull_number": CatalogueLayer.PROJECT},
        "mooring": of_all,
    }
    assert {name: each.layers for name, each in garden.items()} == {
        "chosen_tool": {},
        "editor": {"editor": CatalogueLayer.SHIPPED},
        "mooring": of_all,
    }
    assert orchard["chosen_tool"].layers == {"chosen_tool": CatalogueLayer.PROJECT}
    assert harbour["editor"].names == ("chosen_tool", "editor")
    assert (harbour["mooring"].names, harbour["mooring"].sayings) == ((), 0)


ONE_MORE_NAME: Final = '[projects.harbour.editor]\nalso = ["chosen_tool"]'


async def outdated(warehouse: Warehouse) -> list[str]:
    """Where the facts follow from another catalogue than the warehouse's."""
    async with connection(warehouse.pool) as transaction:
        return await outdated_projects(transaction, warehouse.parts.catalogues)


async def figures(warehouse: Warehouse, project: str) -> MemoryStats:
    with EmbeddingService(lambda: None) as no_model:
        traces = TraceLog(warehouse.pool)
        answerer = QueryAnswerer(warehouse.pool, warehouse.parts.catalogues, no_model, traces)
        return await answerer.stats(StatsRequest(project=project))


async def test_a_changed_catalogue_is_noticed_until_a_rebuild_has_applied_it(pool: Pool) -> None:
    """It gives what a memory with the changed one would have had from the beginning."""
    changed = Warehouse(pool, catalogues=Catalogues.from_toml(ONE_MORE_NAME))
    await changed.retain(*SAID)
    expected = await changed.dump()
    await changed.rows_without_answer(b"DELETE FROM project")
    await changed.clear()
    before = Warehouse(pool)
    await before.retain(*SAID)
    assert await before.dump() != expected

    assert await outdated(before) == []
    assert await outdated(changed) == ["harbour"]
    flags = [(await figures(changed, project)).catalogue_changed for project in PROJECTS]
    assert flags == [True, False, False]
    with capture_logs() as logs:
        await notice_catalogues(pool, changed.parts.catalogues, asyncio.Event())
    (told,) = logs
    assert (told["project"], told["remedy"]) == ("harbour", "cortex rebuild --project harbour")

    await rebuild(changed.parts, "harbour", lambda done, total: None)

    assert await outdated(changed) == []
    assert not (await figures(changed, "harbour")).catalogue_changed
    assert await outdated(before) == ["harbour"], "who still has the former catalogue notices, too"
    assert await changed.dump() == expected == await changed.reference()


@pytest.mark.parametrize(("former", "changed"), [("", ONE_MORE_NAME), (ONE_MORE_NAME, "")])
async def test_before_a_rebuild_what_is_said_is_retained_by_the_changed_catalogue(
    pool: Pool, former: str, changed: str
) -> None:
    later = [says("chosen_tool", "nano", 4), says("editor", "joe", 5)]
    await Warehouse(pool, catalogues=Catalogues.from_toml(former)).retain(*SAID)
    warehouse = Warehouse(pool, catalogues=Catalogues.from_toml(changed))
    await warehouse.retain(*later)

    assert await warehouse.rows(b"SELECT state, error FROM job") == []
    active = [each[1:3] for each in await facts(warehouse) if each[0] == "harbour"]
    assert ("editor", "joe") in active
    await rebuild(warehouse.parts, None, lambda done, total: None)
    assert await warehouse.dump() == await warehouse.reference()


async def test_a_rebuild_that_was_interrupted_has_not_applied_a_catalogue(pool: Pool) -> None:
    class Interrupted(Exception):
        pass

    def interrupt(done: int, total: int) -> None:
        if done:
            raise Interrupted

    await Warehouse(pool).retain(*SAID)
    changed = Warehouse(pool, catalogues=Catalogues.from_toml(ONE_MORE_NAME))
    with pytest.raises(Interrupted):
        await rebuild(changed.parts, "harbour", interrupt)

    assert await outdated(changed) == ["harbour"]


async def test_a_project_of_which_no_catalogue_is_known_is_noticed(warehouse: Warehouse) -> None:
    """As a former version has left it."""
    await warehouse.retain(*SAID)
    assert await outdated(warehouse) == []
    await warehouse.rows_without_answer(
        b"UPDATE project SET catalogue = NULL WHERE project = 'garden'"
    )
    assert await outdated(warehouse) == ["garden"]


async def test_a_broken_file_stops_both_services_and_says_where(
    idle_stack: Stack, tmp_path: Path
) -> None:
    own = tmp_path / "predicates.toml"
    own.write_text(OWN + '[projects.garden.den]\ndescription = "A."\nsynonyms = ["residence"]\n')
    said = f"{own}: project garden: [den] 'residence' is a name of [lives_in] already"
    for service in idle_stack.services:
        service.start(CORTEX_PREDICATES=str(own))
        assert await service.ended() == 1
        assert said in service.log()
