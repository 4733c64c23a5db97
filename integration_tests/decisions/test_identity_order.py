"""When somebody says who is who changes nothing, and what is taken back was never said."""

import asyncio
from collections.abc import Sequence

from cortex_memory.clock import now_ms
from cortex_memory.model import (
    IdentifierId,
    IdentityLink,
    JournalId,
    LinkRelation,
    LinkStatus,
    ProjectId,
)
from cortex_memory.obey_link import LinkObeyer
from cortex_memory.refold_job import Rules
from cortex_memory.retain.resolve_actors import strong_identifier
from cortex_memory.store.db import connection, open_pool
from cortex_memory.store.locks import lock_projects
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory.observing import ANN, BOB, PROJECT, actor, claim, observe
from memory.test_forget import forget
from memory.warehouse import Warehouse
from roxabi_contracts.actor import ActorRef, ActorRole, Identifier
from roxabi_contracts.observation import Observation, Origin
from roxabi_contracts.upkeep import ForgetScope

KEYS = [
    "ann@garden.org",
    "ann.home@gmail.com",
    "bob@garden.org",
    "account:chat:7",
    "account:chat:8",
    "phone:+4722334455",
]
NAMES = [None, "Ann Bee", "Bee, Ann", "Bob Cole", "Ann", "'Ann Bee' via garden-list"]
OWNERS = [actor("ann@garden.org", role=ActorRole.OWNER), actor("bob@garden.org")]


@st.composite
def actors(draw: st.DrawFn) -> ActorRef:
    """Somebody by one or two keys, or by a name alone."""
    keys = draw(st.lists(st.sampled_from(KEYS[1:]), max_size=2, unique=True))
    return actor(*keys, name=draw(st.sampled_from(NAMES)) if keys else "Ann Bee")


@st.composite
def observations(draw: st.DrawFn) -> Observation:
    """What somebody says of themself or of the owner, in one of two memories."""
    said = claim(
        draw(st.sampled_from(["lives_in", "name", "pet"])),
        draw(st.sampled_from(["red", "green"])),
        about=draw(st.integers(0, 1)),
    )
    return observe(
        said,
        at=draw(st.integers(1, 6)),
        ref=f"ref-{draw(st.integers(0, 5))}",
        actors=[draw(actors()), draw(st.sampled_from(OWNERS))],
        subject=1,
        origin=draw(st.sampled_from([Origin.TRUSTED, Origin.THIRD_PARTY])),
        revision=draw(st.integers(0, 1)),
    )


@st.composite
def words(draw: st.DrawFn) -> tuple[str, str, LinkRelation, LinkStatus, int]:
    """What a person says of two keys, and when."""
    first, second = draw(st.lists(st.sampled_from(KEYS), min_size=2, max_size=2, unique=True))
    relation = draw(st.sampled_from([*[LinkRelation.SAME] * 4, LinkRelation.DISTINCT]))
    confirmed = [LinkStatus.CONFIRMED] * 4
    status = draw(st.sampled_from([*confirmed, LinkStatus.REJECTED, LinkStatus.REVOKED]))
    return first, second, relation, status, draw(st.integers(1, 4))


def link_of(word: tuple[str, str, LinkRelation, LinkStatus, int], key: bytes) -> IdentityLink:
    first, second, relation, status, at = word
    return IdentityLink(
        id=JournalId(" ".join(map(str, word))),
        at=at,
        project=ProjectId(PROJECT),
        first=identifier(first, key),
        second=identifier(second, key),
        relation=relation,
        status=status,
        rule="person",
        rule_version=1,
    )


def identifier(text: str, key: bytes) -> IdentifierId:
    parsed = Identifier.parse(text)
    return strong_identifier(PROJECT, parsed.scheme, parsed.value, key).id


async def hear(warehouse: Warehouse, word: tuple[str, str, LinkRelation, LinkStatus, int]) -> None:
    """Take in what a person says."""
    parts = warehouse.parts
    async with connection(warehouse.pool) as transaction:
        keys = await parts.keys.of(transaction, {PROJECT})
        await lock_projects(transaction, [PROJECT], owned=True)
        obeyer = LinkObeyer(parts.pool, parts.clock, parts.catalogues, parts.keys)
        rules = Rules(keys, parts.catalogues, now_ms(parts.clock))
        await obeyer.record(transaction, [link_of(word, keys[PROJECT])], rules)


Item = Observation | tuple[str, str, LinkRelation, LinkStatus, int]


async def dump_after(
    database: str, items: Sequence[Item], drained: set[int], workers: int
) -> list[bytes]:
    """Deliver in this order; workers retain while persons speak. The reference has to agree."""
    async with open_pool(database, size=8) as pool:
        warehouse = Warehouse(pool)
        await warehouse.clear()
        for number, item in enumerate(items):
            at_work = warehouse.drain(workers if number in drained else 0)
            if isinstance(item, Observation):
                await asyncio.gather(at_work, warehouse.inbox.store([item]))
            else:
                await asyncio.gather(at_work, hear(warehouse, item))
        await warehouse.drain(workers)
        assert await warehouse.rows(b"SELECT observation_id, error FROM job") == []
        dump = await warehouse.dump()
        assert dump == await warehouse.reference()
        return dump


def test_whenever_somebody_says_who_is_who_the_dump_is_the_same(database: str) -> None:
    joined = 0

    @settings(
        max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
    )
    @given(st.data())
    def property_holds(data: st.DataObject) -> None:
        nonlocal joined
        said: list[Item] = [*data.draw(st.lists(observations(), min_size=4, max_size=8))]
        said += data.draw(st.lists(words(), min_size=2, max_size=5))
        # The last word on a pair, so that somebody is joined in nearly every case.
        first, second, *_ = data.draw(words())
        said.append((first, second, LinkRelation.SAME, LinkStatus.CONFIRMED, 5))
        calm = asyncio.run(dump_after(database, said, set(), 1))
        joined += sum(b'"members":["' in line and line.count(b'","') > 1 for line in calm)

        again = data.draw(st.lists(st.sampled_from(said), max_size=2))
        items = data.draw(st.permutations([*said, *again]))
        drained = data.draw(st.sets(st.integers(0, len(items) - 1), max_size=5))
        workers = data.draw(st.integers(1, 2))
        assert asyncio.run(dump_after(database, items, drained, workers)) == calm

    property_holds()
    assert joined > 10


def test_a_link_that_is_taken_back_is_as_if_it_had_never_been_made(database: str) -> None:
    @settings(
        max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
    )
    @given(st.data())
    def property_holds(data: st.DataObject) -> None:
        said: list[Item] = [*data.draw(st.lists(observations(), min_size=2, max_size=8))]
        first, second = data.draw(
            st.lists(st.sampled_from(KEYS), min_size=2, max_size=2, unique=True)
        )
        others = [
            word
            for word in data.draw(st.lists(words(), max_size=3))
            if {*word[:2]} != {first, second}
        ]
        same = LinkRelation.SAME
        stated = [item for item in said if isinstance(item, Observation) and _states(item, first)]
        never: list[Item] = [*said, *others]
        if any(_states(item, second) for item in stated):
            never.append((first, second, same, LinkStatus.REVOKED, 9))
        made = (first, second, same, LinkStatus.CONFIRMED, 8)
        revoked = (first, second, same, LinkStatus.REVOKED, 9)
        expected = asyncio.run(dump_after(database, never, set(), 1))

        position = data.draw(st.integers(0, len(said)))
        items = [*said[:position], made, *said[position:], *others, revoked]
        every = set(range(len(items)))
        assert asyncio.run(dump_after(database, items, every, 1)) == expected

    property_holds()


def _states(seen: Observation, key: str) -> bool:
    parsed = Identifier.parse(key)
    return any(parsed in one.identifiers for one in seen.actors)


async def test_what_was_erased_while_two_were_one_stays_erased(warehouse: Warehouse) -> None:
    home = actor("ann.home@gmail.com", name="Ann Bee")
    said = [
        observe(claim("lives_in", "Paris"), at=1, ref="a", actors=[ANN]),
        observe(claim("lives_in", "Rome"), at=2, ref="b", actors=[home, ANN], subject=1),
        observe(claim("pet", "cat"), at=3, ref="c", actors=[BOB]),
    ]
    await warehouse.retain(said)
    pair = ("ann@garden.org", "ann.home@gmail.com", LinkRelation.SAME)
    await hear(warehouse, (*pair, LinkStatus.CONFIRMED, 10))
    rows = await warehouse.rows(b"SELECT id FROM fact WHERE text = 'lives in Rome'")
    await forget(warehouse, ForgetScope.FACT, str(rows[0][0]))

    await hear(warehouse, (*pair, LinkStatus.REVOKED, 11))

    dump = await warehouse.dump()
    assert dump == await warehouse.reference()
    assert not any(b"Rome" in line for line in dump)
    facts = await warehouse.facts()
    assert ("lives_in", "Paris", "active") in facts
    assert [status for _, _, status in facts].count("erased") == 1
