"""Names are judged when they meet: by words, by a measured model, and above all by a person."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager

import numpy as np
import pytest
from cortex_memory.calibrate.limits import StoredLimit
from cortex_memory.embed.port import Embedder, Vector
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.judge_names import warn_if_unmeasured
from cortex_memory.obey_link import LinkObeyer
from cortex_memory.obey_verdict import VerdictObeyer
from cortex_memory.rebuild import rebuild
from cortex_memory.refusal import Refused
from cortex_memory.retain.name_verdicts import WORDS
from cortex_memory.store.db import Pool, connection
from cortex_memory.store.stats import measure
from decisions.operator import saying
from memory.observing import ANN, BOB, actor, claim, observe
from memory.test_growth import CountingFolds
from memory.warehouse import Warehouse
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.errors import ErrorCode
from roxabi_contracts.identities import LinkAction
from roxabi_contracts.names import VerdictReply, VerdictRequest
from roxabi_contracts.observation import Observation
from roxabi_contracts.payloads import ClaimAction
from structlog.testing import capture_logs

DIGEST = "0123456789abcdef"
LIMITS = [StoredLimit(name="small", digest=DIGEST, limit=0.05)]


class SmallModel:
    """Puts those texts together that it is told to, and counts what it is asked."""

    name = "small"
    digest = DIGEST
    dimensions = 4

    def __init__(self, meanings: Mapping[str, int]) -> None:
        self._meanings = meanings
        self.asked: list[str] = []

    def embed_query(self, text: str) -> Vector:
        self.asked.append(text)
        vector = np.zeros(self.dimensions, dtype=np.float32)
        vector[self._meanings[text]] = 1
        return vector

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        return [self.embed_query(text) for text in texts]


@asynccontextmanager
async def opened(embedder: Embedder | None) -> AsyncGenerator[EmbeddingService]:
    with EmbeddingService(lambda: embedder) as service:
        await service.open(asyncio.Event())
        yield service


def says(name: str, value: str, at: int, owner: str = "ann@garden.org") -> Observation:
    """The owner says a new value of something in their own memory."""
    return observe(
        claim(name, value, action=ClaimAction.SUPERSEDE),
        at=at,
        ref=f"{owner}-{at}",
        actors=[actor(owner)],
    )


async def verdicts(warehouse: Warehouse) -> Sequence[tuple[object, ...]]:
    return await warehouse.rows(
        b"SELECT first, second, same, model FROM predicate_verdict ORDER BY first, second, model"
    )


def word(
    first: str, second: str, *, same: bool, at: int = 7, project: str = "garden"
) -> VerdictRequest:
    return VerdictRequest(
        project=project,
        first=first,
        second=second,
        same=same,
        decided_by="dora",
        decided_at=from_epoch_ms(at),
    )


async def judge(warehouse: Warehouse, request: VerdictRequest) -> VerdictReply:
    obeyer = VerdictObeyer(warehouse.pool, warehouse.clock, Catalogues())
    return await obeyer.judge(request)


async def is_the_reference(warehouse: Warehouse) -> bool:
    return await warehouse.dump() == await warehouse.reference()


async def test_names_of_the_same_words_share_a_slot_at_once(warehouse: Warehouse) -> None:
    await warehouse.retain([says("yawl_count", "3", 1)], [says("number_of_yawls", "4", 2)])

    assert await warehouse.facts() == [
        ("yawl_count", "3", "superseded"),
        ("yawl_count", "4", "active"),
    ]
    assert await verdicts(warehouse) == [("number_of_yawls", "yawl_count", True, WORDS)]
    assert await is_the_reference(warehouse)


async def test_a_late_saying_under_the_other_name_renames_the_slot(warehouse: Warehouse) -> None:
    await warehouse.retain([says("yawl_count", "4", 5)], [says("number_of_yawls", "3", 2)])

    assert [name for name, _, _ in await warehouse.facts()] == ["number_of_yawls"] * 2
    assert await is_the_reference(warehouse)


async def test_a_name_that_says_what_the_catalogue_knows_joins_it(warehouse: Warehouse) -> None:
    await warehouse.retain([says("birth_date", "1990-05-01", 1)])
    await warehouse.retain([says("the_date_of_my_birth", "1991-05-01", 2)])

    assert [status for _, _, status in await warehouse.facts()] == ["superseded", "active"]
    assert await is_the_reference(warehouse)


async def test_what_is_said_of_others_or_elsewhere_is_not_joined(warehouse: Warehouse) -> None:
    bobs = observe(claim("number_of_yawls", "4"), at=2, ref="bob", actors=[BOB])
    of_bob = observe(
        claim("number_of_yawls", "5", about=1), at=3, ref="of-bob", actors=[ANN, BOB], subject=0
    )
    await warehouse.retain([says("yawl_count", "3", 1)], [bobs, of_bob])

    assert {status for _, _, status in await warehouse.facts()} == {"active"}
    assert await verdicts(warehouse) == []
    assert await is_the_reference(warehouse)


async def test_a_measured_model_joins_what_it_finds_near_and_is_asked_once(pool: Pool) -> None:
    model = SmallModel({"preferred berth": 1, "favourite mooring": 1, "favourite sail": 2})
    async with opened(model) as service:
        warehouse = Warehouse(pool, embedding=service, limits=LIMITS)
        await warehouse.retain(
            [says("preferred_berth", "north", 1), says("favourite_sail", "jib", 2)]
        )
        await warehouse.retain([says("favourite_mooring", "south", 3)])
    asked, decided = len(model.asked), await verdicts(warehouse)

    assert await warehouse.facts() == [
        ("favourite_sail", "jib", "active"),
        ("preferred_berth", "north", "superseded"),
        ("preferred_berth", "south", "active"),
    ]
    name = f"small@{DIGEST[:12]}"
    assert decided == [
        ("favourite_mooring", "favourite_sail", False, name),
        ("favourite_mooring", "preferred_berth", True, name),
        ("favourite_sail", "preferred_berth", False, name),
    ]
    async with opened(model) as service:  # which remembers nothing
        again = Warehouse(pool, embedding=service, limits=LIMITS)
        await again.retain([says("favourite_mooring", "east", 4), says("favourite_sail", "jib", 5)])
        await again.retain([says("favourite_sail", "spinnaker", 6, "bob@sea.org")])
        await again.retain([says("preferred_berth", "west", 7, "bob@sea.org")])
        await rebuild(again.parts, None, lambda done, total: None)
    assert (len(model.asked), await verdicts(again)) == (asked, decided)
    assert await is_the_reference(again)


async def test_a_model_that_was_not_measured_joins_nothing_and_is_not_asked(pool: Pool) -> None:
    model = SmallModel({"preferred berth": 1, "favourite mooring": 1})
    async with opened(model) as service:
        warehouse = Warehouse(pool, embedding=service)
        await warehouse.retain([says("preferred_berth", "north", 1)])
        await warehouse.retain([says("favourite_mooring", "south", 3)])

    assert {status for _, _, status in await warehouse.facts()} == {"active"}
    assert (model.asked, await verdicts(warehouse)) == ([], [])


def test_a_model_that_was_not_measured_is_named_at_the_start() -> None:
    model = SmallModel({})
    with capture_logs() as logs:
        warn_if_unmeasured(model, [])
        warn_if_unmeasured(model, LIMITS)
        warn_if_unmeasured(None, [])

    assert [(log["event"], log["model"]) for log in logs] == [("meaning_unmeasured", "small")]


async def test_names_wait_for_a_model_that_is_not_open(pool: Pool) -> None:
    with EmbeddingService(lambda: None, patience=0.0) as service:
        warehouse = Warehouse(pool, embedding=service, limits=LIMITS)
        await warehouse.retain([says("preferred_berth", "north", 1)])
        await warehouse.retain(
            [says("favourite_mooring", "south", 3), says("rope_of_2020", "red", 4)]
        )

        assert await warehouse.facts() == [
            ("preferred_berth", "north", "active"),
            ("rope_of_2020", "red", "active"),
        ]
        [(error,)] = await warehouse.rows(b"SELECT error FROM job")
        assert error == "pairs of names that wait for the embedding model's verdict: 1"
        await service.open(asyncio.Event())
        await warehouse.rows_without_answer(b"UPDATE job SET due_at = now()")
        await warehouse.drain()

    assert ("favourite_mooring", "south", "active") in await warehouse.facts()


async def test_a_persons_word_stands_over_what_words_say(warehouse: Warehouse) -> None:
    await warehouse.retain([says("yawl_count", "3", 1)], [says("number_of_yawls", "4", 2)])
    reply = await judge(warehouse, word("yawl_count", "number_of_yawls", same=False))
    await warehouse.drain()

    assert (reply.groups, reply.known, reply.still_joined) == (1, False, False)
    assert await warehouse.facts() == [
        ("number_of_yawls", "4", "active"),
        ("yawl_count", "3", "active"),
    ]
    assert await is_the_reference(warehouse)
    assert (await judge(warehouse, word("number_of_yawls", "yawl_count", same=False))).known

    again = await judge(warehouse, word("yawl_count", "number_of_yawls", same=True, at=8))
    await warehouse.drain()
    assert again.groups == 2
    assert len({name for name, _, _ in await warehouse.facts()}) == 1
    assert await is_the_reference(warehouse)


async def test_a_word_holds_in_every_memory_of_the_project_alone(warehouse: Warehouse) -> None:
    owners = ["ann@garden.org", "bob@garden.org"]
    said = [says(name, name, at, who) for who in owners for at, name in enumerate(["boat", "hull"])]
    elsewhere = [
        observe(claim(name, name), at=9, ref=name, project="orchard") for name in ("boat", "hull")
    ]
    await warehouse.retain([*said, *elsewhere])
    assert (await judge(warehouse, word("boat", "hull", same=True))).groups == 4
    await warehouse.drain()

    rows = await warehouse.rows(
        b"SELECT project, count(*) FROM fact WHERE status = 'active' GROUP BY 1 ORDER BY 1"
    )
    assert rows == [("garden", 2), ("orchard", 2)]
    assert await is_the_reference(warehouse)


@pytest.mark.parametrize(
    ("first", "second", "at", "code"),
    [
        ("boat", "boat", 7, ErrorCode.INVALID_REQUEST),
        ("lives_in", "residence", 7, ErrorCode.INVALID_REQUEST),
        ("boat", "lives_in", 2_000_000, ErrorCode.INVALID_REQUEST),
        ("boat", "raft", 7, ErrorCode.NOT_FOUND),
    ],
)
async def test_a_word_that_could_not_hold_is_refused(
    warehouse: Warehouse, first: str, second: str, at: int, code: ErrorCode
) -> None:
    await warehouse.retain([says("boat", "red", 1)])
    with pytest.raises(Refused) as refused:
        await judge(warehouse, word(first, second, same=True, at=at))

    assert refused.value.code is code
    assert await verdicts(warehouse) == []


async def test_parting_two_names_says_if_others_hold_them_together(warehouse: Warehouse) -> None:
    await warehouse.retain(
        [says(name, name, at) for at, name in enumerate(["boat", "hull", "keel"])]
    )
    for pair in (("boat", "hull"), ("hull", "keel"), ("boat", "keel")):
        await judge(warehouse, word(*pair, same=True))

    assert (await judge(warehouse, word("boat", "keel", same=False, at=8))).still_joined


async def test_a_name_that_parts_and_joins_another_before_it_is_folded_again(
    warehouse: Warehouse,
) -> None:
    await warehouse.retain([says("number_of_yawls", "3", 1), says("yawl_count", "4", 2)])
    await warehouse.retain([says("fleet", "5", 3)])
    await judge(warehouse, word("yawl_count", "number_of_yawls", same=False))
    await judge(warehouse, word("yawl_count", "fleet", same=True))
    await warehouse.drain()

    assert await warehouse.facts() == [
        ("number_of_yawls", "3", "active"),
        ("yawl_count", "4", "superseded"),
        ("yawl_count", "5", "active"),
    ]
    assert await is_the_reference(warehouse)


async def test_a_synonym_is_judged_as_its_predicate(warehouse: Warehouse) -> None:
    await warehouse.retain([says("residence", "Oslo", 1), says("berth", "Rome", 2)])
    reply = await judge(warehouse, word("berth", "habite_a", same=True))
    await warehouse.drain()

    assert {reply.first, reply.second} == {"berth", "lives_in"}
    assert await warehouse.facts() == [
        ("lives_in", "Oslo", "superseded"),
        ("lives_in", "Rome", "active"),
    ]


async def test_what_is_judged_and_not_folded_yet_is_counted_as_waiting(
    warehouse: Warehouse,
) -> None:
    async def waiting() -> dict[str, tuple[int | None, float | None]]:
        async with connection(warehouse.pool) as transaction:
            figures = await measure(transaction, "garden", None, "")
        return {each.name: (each.waiting, each.oldest_seconds) for each in figures.queues}

    await warehouse.retain([says("boat", "red", 1), says("hull", "blue", 2)])
    assert (await waiting())["refolds"] == (0, None)
    reply = await judge(warehouse, word("boat", "hull", same=True))
    assert reply.groups == 2
    assert (await waiting())["refolds"] == (2, None)

    await warehouse.drain()
    assert (await waiting())["refolds"] == (0, None)


async def test_a_fold_kept_in_mind_is_stale_once_names_are_judged(pool: Pool) -> None:
    folds = CountingFolds()
    warehouse = Warehouse(pool, folds=folds)
    await warehouse.retain([says("boat", "red", 1), says("hull", "blue", 2)])
    await judge(warehouse, word("boat", "hull", same=True))
    await warehouse.inbox.store([says("boat", "green", 3)])
    await warehouse.drain()
    await warehouse.retain([says("hull", "white", 4)])

    assert [s for _, _, s in await warehouse.facts()].count("active") == 1
    assert await is_the_reference(warehouse)
    taken = folds.taken
    await warehouse.retain([says("boat", "black", 5)])
    assert folds.taken == taken + 1, "a joined group goes on from its fold too"
    assert await is_the_reference(warehouse)


async def test_people_who_turn_out_to_be_one_bring_their_names_together(
    warehouse: Warehouse,
) -> None:
    await warehouse.retain(
        [says("yawl_count", "3", 1), says("number_of_yawls", "4", 2, "ann@sea.org")]
    )
    assert await verdicts(warehouse) == []
    linking = LinkObeyer(warehouse.pool, warehouse.clock, Catalogues(), warehouse.parts.keys)

    await linking.link(saying(LinkAction.LINK, "email:ann@garden.org", "email:ann@sea.org"))
    await warehouse.drain()

    assert await verdicts(warehouse) == [("number_of_yawls", "yawl_count", True, WORDS)]
    assert [status for _, _, status in await warehouse.facts()] == ["superseded", "active"]
    assert await is_the_reference(warehouse)
