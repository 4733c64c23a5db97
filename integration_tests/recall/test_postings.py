"""Postings follow from the rows of facts and episodes, whatever happens to these."""

import asyncio
from collections import Counter

from cortex_memory.lexical.bm25 import Bm25
from cortex_memory.lexical.documents import terms_of_episode
from cortex_memory.lexical.terms import query_terms, terms_of
from cortex_memory.read_backlog import read_backlog
from cortex_memory.recall.search import Search
from cortex_memory.store.candidates import find_episodes, find_facts
from cortex_memory.store.db import Pool, connection
from recall.rows import PROJECT, Rows

TEXTS = (
    "I went to the harbour with two friends.",
    "The harbour was closed, so we went to the museum.",
    "A museum of trains: engines, engines and more engines.",
    "Nothing happened.",
    "J'ai trouvé les clés près de l'école.",
)


async def expected(pool: Pool) -> tuple[Counter[tuple[str, str, str]], dict[str, tuple[int, int]]]:
    """What follows from the rows: how often which term is where, and the totals of each kind."""
    occurring: Counter[tuple[str, str, str]] = Counter()
    totals: dict[str, tuple[int, int]] = {}
    async with connection(pool) as transaction:
        rows = await (
            await transaction.execute(
                "SELECT 'episode', observation_id, terms FROM episode"
                " UNION ALL SELECT 'fact', id, terms FROM fact"
            )
        ).fetchall()
    for kind, id, terms in rows:
        words = str(terms or "").split(" ") if terms else []
        for word in words:
            occurring[str(kind), str(id), word] += 1
        if words:
            documents, length = totals.get(str(kind), (0, 0))
            totals[str(kind)] = (documents + 1, length + len(words))
    return occurring, totals


async def stored(pool: Pool) -> tuple[Counter[tuple[str, str, str]], dict[str, tuple[int, int]]]:
    async with connection(pool) as transaction:
        postings = await (
            await transaction.execute(
                "SELECT kind, document, term, frequency FROM posting"
                " JOIN lexical_scope ON lexical_scope.id = posting.scope"
            )
        ).fetchall()
        scopes = await (
            await transaction.execute(
                "SELECT kind, sum(documents), sum(posting.length) FROM lexical_scope"
                " LEFT JOIN (SELECT scope, sum(frequency) AS length FROM posting GROUP BY scope)"
                " AS posting ON posting.scope = lexical_scope.id GROUP BY kind"
                " HAVING sum(documents) > 0"
            )
        ).fetchall()
    occurring = Counter({(str(k), str(d), str(t)): int(str(f)) for k, d, t, f in postings})
    return occurring, {str(k): (int(str(n)), int(str(total))) for k, n, total in scopes}


async def test_postings_follow_every_change_of_the_rows(pool: Pool, rows: Rows) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    bob = await rows.person("bob@acme.com", "Bob")
    for text in TEXTS:
        await rows.episode(alice, text)
    await rows.fact(alice, "lives_in", "Lyon")
    await rows.fact(alice, "lives_in", "Rome", status="superseded")
    changes = (
        "UPDATE episode SET text = '', terms = '' WHERE text LIKE 'Nothing%'",
        "UPDATE fact SET status = 'superseded', terms = ''",
        "UPDATE fact SET status = 'active', terms = 'live rom' WHERE text LIKE '%Rome'",
        f"UPDATE episode SET subject = '{bob}' WHERE text LIKE 'A museum%'",
        "UPDATE episode SET terms = 'quai port port' WHERE text LIKE '%école%'",
        "UPDATE episode SET embeddable = false",
        "DELETE FROM episode WHERE text LIKE '%closed%'",
        "DELETE FROM fact",
        "DELETE FROM episode",
    )
    assert await stored(pool) == await expected(pool)
    for change in changes:
        async with connection(pool) as transaction:
            await transaction.execute(change.encode())
        assert await stored(pool) == await expected(pool), change
    assert await rows.count(b"SELECT count(*) FROM posting") == 0
    assert await rows.count(b"SELECT sum(documents + length) FROM lexical_scope") == 0


async def test_the_store_scores_as_bm25_in_memory(pool: Pool, rows: Rows) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    ids = [await rows.episode(alice, text) for text in TEXTS]
    bm25 = Bm25([terms_of_episode("Alice", text).split(" ") for text in TEXTS])
    for asked in ("When did we go to the museum of engines?", "harbour", "les clés", "unheard"):
        terms = query_terms(asked)
        search = Search(PROJECT, (alice,), None, asked, None, terms=terms)
        async with connection(pool) as transaction:
            found = {
                one.id: one.closeness.words for one in await find_episodes(transaction, search)
            }
        known = dict(zip(ids, bm25.scores(terms), strict=True))
        for id, score in known.items():
            assert abs(found.get(id, 0.0) - score) < 1e-9
        assert {id for id, score in known.items() if score > 0} <= set(found)


async def test_rarity_is_that_of_the_memory_asked(pool: Pool, rows: Rows) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    bob = await rows.person("bob@acme.com", "Bob")
    await rows.fact(alice, "likes", "tea")
    await rows.fact(alice, "likes", "rain")
    for number in range(5):
        await rows.fact(bob, f"likes_{number}", "tea")
    search = Search(PROJECT, (alice,), None, "the tea", None, terms=query_terms("the tea"))
    async with connection(pool) as transaction:
        (fact,) = await find_facts(transaction, search)
    likes_tea, likes_rain = (terms_of(f"likes {what}") for what in ("tea", "rain"))
    assert abs(fact.closeness.words - Bm25([likes_tea, likes_rain]).scores(["tea"])[0]) < 1e-9
    assert fact.subject == alice


async def test_what_was_stored_before_terms_were_is_read_once(pool: Pool, rows: Rows) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    for text in TEXTS:
        await rows.episode(alice, text)
    await rows.fact(alice, "lives_in", "Lyon")
    read = await expected(pool)
    async with connection(pool) as transaction:
        await transaction.execute("UPDATE episode SET terms = NULL")
        await transaction.execute("UPDATE fact SET terms = NULL")
    assert await rows.count(b"SELECT count(*) FROM posting") == 0
    await read_backlog(pool, asyncio.Event())
    assert await expected(pool) == read
    assert await stored(pool) == read
