"""Texts get their vectors in the background, whatever happens meanwhile."""

import asyncio
from collections.abc import Sequence

import pytest
from cortex_memory.answer_query import QueryAnswerer
from cortex_memory.embed.bundled import BundledEmbedder
from cortex_memory.embed.port import EmbedderUnavailable, EmbeddingFailed, Vector
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.embed_backlog import BATCH, BacklogEmbedder
from cortex_memory.store.db import Pool, connection
from cortex_memory.store.embeddings import register_model
from cortex_memory.waiting import pause
from recall.rows import DAY, PROJECT, EmbedAll, Rows, now_ms
from roxabi_contracts.operations import StatsRequest

FACT_VECTORS = b"SELECT count(*) FROM fact_embedding"
EPISODE_VECTORS = b"SELECT count(*) FROM episode_embedding"
WAITING = b"SELECT count(*) FROM embedding_backlog"


class Choosy:
    """The bundled model, but it fails on chosen texts, or altogether."""

    name, digest, dimensions = "choosy", "1", 384

    def __init__(self, model: BundledEmbedder) -> None:
        self._model = model
        self.is_down = False
        self.seen: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        if self.is_down or any("poison" in text for text in texts):
            raise EmbeddingFailed("no")
        self.seen += texts
        return self._model.embed_passages(texts)

    def embed_query(self, text: str) -> Vector:
        return self._model.embed_query(text)


async def test_facts_and_what_was_said_are_embedded_but_no_output_of_tools(
    rows: Rows, embed_all: EmbedAll
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    await rows.fact(alice, "lives_in", "Lyon")
    await rows.episode(alice, "I moved.")
    await rows.episode(alice, "0x00 0x01", embeddable=False)
    await embed_all()
    assert await rows.count(FACT_VECTORS) == 1
    assert await rows.count(EPISODE_VECTORS) == 1
    assert await rows.count(WAITING) == 0


async def test_the_newest_come_first(rows: Rows, pool: Pool, bundled: BundledEmbedder) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    for age in range(BATCH + 5):
        await rows.episode(alice, f"said {age} days ago", said_at=now_ms() - age * DAY)
    choosy = Choosy(bundled)
    with EmbeddingService(lambda: choosy) as service:
        service.embedder = choosy
        model = await models_number(pool, choosy)
        assert await BacklogEmbedder(pool, service).embed_batch(model) == BATCH
    assert set(choosy.seen) == {f"Alice: said {age} days ago" for age in range(BATCH)}
    assert await rows.count(WAITING) == 5


async def test_a_fact_that_is_retired_loses_its_vector(rows: Rows, embed_all: EmbedAll) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    fact = await rows.fact(alice, "lives_in", "Lyon")
    await embed_all()
    async with connection(rows.pool) as transaction:
        await transaction.execute("UPDATE fact SET status = 'superseded'")
        await transaction.execute(
            "INSERT INTO embedding_backlog VALUES (%s, %s, 'fact', %s, 0)", (PROJECT, alice, fact)
        )
    await embed_all()
    assert await rows.count(FACT_VECTORS) == 0
    assert await rows.count(WAITING) == 0


async def test_a_text_that_changes_while_it_is_embedded_is_embedded_again(
    rows: Rows, pool: Pool, bundled: BundledEmbedder
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    await rows.episode(alice, "first words")
    loop = asyncio.get_running_loop()

    class Rewriting(Choosy):
        def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
            if texts == ["Alice: first words"]:
                asyncio.run_coroutine_threadsafe(rewrite(), loop).result()
            return super().embed_passages(texts)

    async def rewrite() -> None:
        async with connection(pool) as transaction:
            await transaction.execute("UPDATE episode SET text = 'second words'")

    rewriting = Rewriting(bundled)
    with EmbeddingService(lambda: rewriting) as service:
        service.embedder = rewriting
        model = await models_number(pool, rewriting)
        backlog = BacklogEmbedder(pool, service)
        await backlog.embed_batch(model)
        assert await rows.count(EPISODE_VECTORS) == 0
        await backlog.embed_batch(model)
    assert rewriting.seen == ["Alice: first words", "Alice: second words"]
    assert await rows.count(EPISODE_VECTORS) == 1


async def test_one_text_that_cannot_be_embedded_holds_up_no_other(
    rows: Rows, pool: Pool, bundled: BundledEmbedder
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    await rows.episode(alice, "poison")
    for number in range(6):
        await rows.episode(alice, f"harmless {number}")
    choosy = Choosy(bundled)
    with EmbeddingService(lambda: choosy) as service:
        service.embedder = choosy
        model = await models_number(pool, choosy)
        backlog = BacklogEmbedder(pool, service)
        while await backlog.embed_batch(model):
            pass
    assert await rows.count(EPISODE_VECTORS) == 6
    assert await rows.count(WAITING) == 1


async def test_a_text_that_cannot_be_embedded_is_counted_until_it_or_the_model_changes(
    rows: Rows, pool: Pool, bundled: BundledEmbedder, queries: QueryAnswerer, embed_all: EmbedAll
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    await rows.episode(alice, "poison")
    choosy, stopping = Choosy(bundled), asyncio.Event()
    for _ in range(2):  # a restart tries nothing again
        with EmbeddingService(lambda: choosy) as service:
            running = asyncio.create_task(BacklogEmbedder(pool, service).run(stopping))
            async with asyncio.timeout(30):
                while (await embeddings_queue(queries)) != (0, 1):
                    await pause(stopping, 0.02)
            stopping.set()
            await running
            stopping.clear()
    assert await rows.count(b"SELECT count(*) FROM embedding_backlog WHERE failure = 'no'") == 1
    with EmbeddingService(lambda: bundled) as service:
        running = asyncio.create_task(BacklogEmbedder(pool, service).run(stopping))
        async with asyncio.timeout(30):
            while await rows.count(WAITING):
                await pause(stopping, 0.02)
        stopping.set()
        await running
    assert await rows.count(EPISODE_VECTORS) == 1


async def test_a_small_project_does_not_wait_for_a_large_one(
    rows: Rows, pool: Pool, bundled: BundledEmbedder
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    for number in range(BATCH + 5):
        await rows.episode(alice, f"of the large one {number}")
    small = Rows(pool, project="small")
    bob = await small.person("bob@acme.com", "Bob")
    for age in (100, 200):
        await small.episode(bob, f"of the small one, {age} days ago", said_at=now_ms() - age * DAY)
    choosy = Choosy(bundled)
    with EmbeddingService(lambda: choosy) as service:
        service.embedder = choosy
        model = await models_number(pool, choosy)
        assert await BacklogEmbedder(pool, service).embed_batch(model) == BATCH
    assert sum("of the small one" in text for text in choosy.seen) == 2


async def embeddings_queue(queries: QueryAnswerer) -> tuple[int | None, int | None]:
    """What waits for a vector, and what cannot have one."""
    stats = await queries.stats(StatsRequest(project=PROJECT))
    (queue,) = [one for one in stats.queues if one.name == "embeddings"]
    return queue.waiting, queue.failed


async def test_a_model_that_is_down_gives_nothing_up(
    rows: Rows, pool: Pool, bundled: BundledEmbedder
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    await rows.episode(alice, "words")
    choosy = Choosy(bundled)
    choosy.is_down = True
    with EmbeddingService(lambda: choosy) as service:
        service.embedder = choosy
        model = await models_number(pool, choosy)
        backlog = BacklogEmbedder(pool, service)
        with pytest.raises(EmbeddingFailed):
            await backlog.embed_batch(model)
        choosy.is_down = False
        assert await backlog.embed_batch(model) == 1
    assert await rows.count(WAITING) == 0


async def test_another_model_embeds_everything_anew_and_keeps_apart(
    rows: Rows, pool: Pool, bundled: BundledEmbedder, embed_all: EmbedAll
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    await rows.fact(alice, "lives_in", "Lyon")
    await rows.episode(alice, "I moved.")
    first = await embed_all()
    choosy, stopping = Choosy(bundled), asyncio.Event()
    with EmbeddingService(lambda: choosy) as service:
        running = asyncio.create_task(BacklogEmbedder(pool, service).run(stopping))
        async with asyncio.timeout(30):
            while await rows.count(FACT_VECTORS) + await rows.count(EPISODE_VECTORS) < 4:
                await pause(stopping, 0.05)
        stopping.set()
        await running
    assert await models_number(pool, choosy) != first


async def test_a_model_that_cannot_be_opened_is_said_and_ends_nothing(pool: Pool) -> None:
    def open_nothing() -> None:
        raise EmbedderUnavailable("no file")

    stopping = asyncio.Event()
    with EmbeddingService(open_nothing) as service:
        running = asyncio.create_task(BacklogEmbedder(pool, service).run(stopping))
        await asyncio.sleep(0.2)
        assert not running.done()
        with pytest.raises(EmbeddingFailed):
            await service.embed_query("hello")
        stopping.set()
        await running


async def test_a_fault_of_the_model_that_nobody_foresaw_ends_nothing(
    rows: Rows, pool: Pool, bundled: BundledEmbedder
) -> None:
    class Faulty(Choosy):
        def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
            raise ZeroDivisionError

    alice = await rows.person("alice@acme.com", "Alice")
    await rows.episode(alice, "words")
    faulty, stopping = Faulty(bundled), asyncio.Event()
    with EmbeddingService(lambda: faulty) as service:
        running = asyncio.create_task(BacklogEmbedder(pool, service).run(stopping))
        await asyncio.sleep(0.3)
        assert not running.done()
        stopping.set()
        await running


async def test_the_backlog_is_visible(rows: Rows, queries: QueryAnswerer) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    await rows.episode(alice, "words")
    stats = await queries.stats(StatsRequest(project=PROJECT))
    (waiting,) = [queue for queue in stats.queues if queue.name == "embeddings"]
    assert waiting.waiting == 1


async def test_a_repeated_query_is_embedded_once(bundled: BundledEmbedder) -> None:
    class Counting(Choosy):
        queries = 0

        def embed_query(self, text: str) -> Vector:
            self.queries += 1
            return super().embed_query(text)

    counting = Counting(bundled)
    with EmbeddingService(lambda: counting) as service:
        service.embedder = counting
        await service.embed_query("hello")
        await service.embed_query("hello")
    assert counting.queries == 1


async def models_number(pool: Pool, choosy: Choosy) -> int:
    async with connection(pool) as transaction:
        return await register_model(transaction, choosy.name, choosy.digest, choosy.dimensions)
