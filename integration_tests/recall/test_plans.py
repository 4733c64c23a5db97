"""The hot queries read what they should: the covering index, and no more rows than the bound."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace

import numpy as np
import pytest
from cortex_memory.lexical.terms import query_terms
from cortex_memory.recall.search import PER_ARM, Meaning, Search
from cortex_memory.store.candidates import find_episodes, find_facts, parameters_of
from cortex_memory.store.db import SEARCHING, Pool, connection, open_pool, reading
from cortex_memory.store.queries import query
from recall.plans import plan_for_any
from recall.synthetic import DIMENSIONS, PROJECT, Person, fill

SCOPES, FACTS = 8, 200


def vector(seed: int) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.random.default_rng(seed).standard_normal(DIMENSIONS).astype(np.float32)


def search(person: Person, query: str = "badar kefen") -> Search:
    return Search(PROJECT, (person.id,), None, query, Meaning(1, vector(3)))


def fused(person: Person, query: str = "badar kefen") -> Search:
    return replace(search(person, query), terms=query_terms(query))


@pytest.fixture
async def filled(database: str) -> AsyncIterator[tuple[Pool, Person]]:
    people = [Person(f"person{number}@acme.com") for number in range(SCOPES)]
    fill(database, people, FACTS, FACTS)
    async with open_pool(database, size=2) as pool:
        yield pool, people[0]


async def plan(pool: Pool, name: str, asked: Search) -> str:
    async with connection(pool) as transaction:
        statement = b"EXPLAIN " + query(name)
        parameters = parameters_of(asked, "fact" if name.endswith("facts") else "episode")
        cursor = await transaction.execute(statement, parameters, prepare=False)
        return "\n".join(str(row[0]) for row in await cursor.fetchall())


async def test_the_vectors_of_a_scope_are_read_from_the_covering_index_alone(
    filled: tuple[Pool, Person],
) -> None:
    pool, person = filled
    facts = await plan(pool, "candidates.facts", search(person))
    episodes = await plan(pool, "candidates.episodes", search(person))
    assert "Index Only Scan using fact_embedding_key" in facts
    assert "Index Only Scan using episode_embedding_key" in episodes


async def test_words_are_looked_up_in_their_index(filled: tuple[Pool, Person]) -> None:
    pool, person = filled
    assert "fact_search" in await plan(pool, "candidates.facts", search(person))
    assert "episode_search" in await plan(pool, "candidates.episodes", search(person))


async def test_words_are_looked_up_in_the_memories_that_are_asked_and_in_no_other(
    filled: tuple[Pool, Person],
) -> None:
    pool, person = filled
    asked = Search(PROJECT, (person.id,), None, "badar", Meaning(1, vector(3)))
    for name, index in (("facts", "fact_search"), ("episodes", "episode_search")):
        lines = (await plan(pool, f"candidates.{name}", asked)).splitlines()
        looked_up = [
            lines[number + 1]
            for number, line in enumerate(lines)
            if f"Bitmap Index Scan on {index}" in line and "asked.subject" in lines[number + 1]
        ]
        assert looked_up, "\n".join(lines)


async def test_rare_words_are_read_from_their_postings_alone(
    filled: tuple[Pool, Person],
) -> None:
    pool, person = filled
    for name in ("fusion.facts", "fusion.episodes"):
        shown = await plan(pool, name, fused(person))
        assert "Index Only Scan using posting_key" in shown
        assert "Seq Scan on posting" not in shown


async def test_all_that_is_found_is_read_by_its_key(filled: tuple[Pool, Person]) -> None:
    pool, person = filled
    facts = await plan(pool, "fusion.facts", fused(person))
    episodes = await plan(pool, "fusion.episodes", fused(person))
    assert "Index Only Scan using fact_embedding_key" in facts
    assert "Index Only Scan using episode_embedding_key" in episodes
    assert "Index Scan using fact_key" in facts
    assert "Index Scan using episode_key" in episodes
    assert "episode_by_trace" in episodes


async def test_a_plan_for_any_request_is_as_good(filled: tuple[Pool, Person]) -> None:
    pool, _ = filled
    facts = await plan_for_any(pool, "fusion.facts")
    episodes = await plan_for_any(pool, "fusion.episodes")
    for shown, kind in ((facts, "fact"), (episodes, "episode")):
        assert "Index Only Scan using posting_key" in shown
        assert f"Index Scan using {kind}_key" in shown
        read = [line for line in shown.splitlines() if f" on {kind}_embedding" in line]
        assert all("Index" in line for line in read), read
    assert re.search(r"on fact_search .*\n *Index Cond: .*subject = asked\w*\.subject", facts)


async def test_a_search_is_planned_once_for_all_requests(
    database: str, filled: tuple[Pool, Person]
) -> None:
    _, person = filled
    async with open_pool(database, size=1, planning=SEARCHING) as pool, reading(pool) as session:
        for number in range(3):
            await find_facts(session, fused(person, f"badar kefen {number}"))
        cursor = await session.execute(
            "SELECT sum(generic_plans), sum(custom_plans) FROM pg_prepared_statements"
            " WHERE statement LIKE '%%lexical_scope%%'"
        )
        assert await cursor.fetchone() == (3, 0)


async def test_where_the_nearest_are_retired_all_are_looked_through(
    database: str, filled: tuple[Pool, Person]
) -> None:
    pool, person = filled
    async with connection(pool) as transaction:
        asked = fused(person, query="nothing of the vocabulary")
        nearest = [fact.id for fact in await find_facts(transaction, asked)]
        await transaction.execute(
            "UPDATE fact SET status = 'superseded', terms = '' WHERE id IN ("
            " SELECT id FROM fact_embedding WHERE subject = %(subject)s"
            " ORDER BY (vector <=> %(vector)s::halfvec) + 0, id LIMIT 170)",
            {"subject": person.id, **parameters_of(asked, "fact")},
        )
        found = await find_facts(transaction, asked)
    assert len(found) == FACTS - 170
    assert not {fact.id for fact in found} & set(nearest)


async def test_the_search_is_exact_and_returns_all_that_it_may(
    filled: tuple[Pool, Person],
) -> None:
    pool, person = filled
    asked = search(person, query="nothing of the vocabulary")
    async with connection(pool) as transaction:
        found = await find_facts(transaction, asked)
        cursor = await transaction.execute(
            "SELECT id FROM fact_embedding WHERE project = %(project)s"
            " AND subject = ANY(%(subjects)s)"
            " ORDER BY (vector <=> %(vector)s::halfvec) + 0, id LIMIT 64",
            parameters_of(asked, "fact"),
        )
        nearest = {str(row[0]) for row in await cursor.fetchall()}
    assert {fact.id for fact in found} == nearest
    assert len(found) == PER_ARM


async def test_a_request_considers_a_bounded_number_of_rows(
    filled: tuple[Pool, Person],
) -> None:
    pool, person = filled
    async with connection(pool) as transaction:
        facts = await find_facts(transaction, search(person, query="notes"))
        episodes = await find_episodes(transaction, search(person, query="badar or kefen or ligil"))
    assert PER_ARM < len(facts) <= 2 * PER_ARM
    assert PER_ARM < len(episodes) <= 2 * PER_ARM


async def test_vectors_of_another_model_are_never_compared(filled: tuple[Pool, Person]) -> None:
    pool, person = filled
    other = Search(PROJECT, (person.id,), None, "nothing", Meaning(2, vector(3)))
    async with connection(pool) as transaction:
        assert await find_facts(transaction, other) == []
        named = Search(PROJECT, (person.id,), None, "notes", Meaning(2, vector(3)))
        assert {fact.closeness.cosine for fact in await find_facts(transaction, named)} == {None}
