"""What an earlier sanitiser let through is erased by the next one, wherever it had come to."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cortex_insight.configure import source_configs
from cortex_insight.ingest import Ingest
from cortex_insight.outbox import Receipt
from cortex_insight.reader import Reader
from cortex_insight.record_readings import ReadingRecorder
from cortex_insight.replay_report import total
from cortex_insight.sanitise import RULES, VERSION, Sanitiser
from cortex_insight.settings import ReadingSettings
from cortex_insight.store.db import Database
from cortex_insight.store.lake import open_lake
from cortex_local import accounts
from forget.scanning import places_of
from polling import NotYet, eventually
from roxabi_contracts import codec, subjects
from roxabi_contracts.client.upkeep import UpkeepClient
from roxabi_contracts.event import RawEvent
from roxabi_contracts.upkeep import ReplayCounts, ReplayRequest
from samples import FIRST_DAY, MESSAGE, PROJECT, note
from stack import Stack

TOKEN: Final = "ghp_" + "Zq7" * 12
LAKE: Final = {"insight: raw_event"}
"""The lake keeps what came as it came."""

FORGETFUL: Final = Sanitiser(
    VERSION - 1, tuple(rule for rule in RULES if rule.kind != "github_token")
)


async def take_in(stack: Stack, events: Sequence[RawEvent]) -> None:
    """Have the lake read events as it did before the upgrade."""
    today = source_configs(ReadingSettings())[MESSAGE]
    reader = Reader({MESSAGE: replace(today, sanitiser=FORGETFUL)})
    async with Database(stack.endpoints.insight) as database:
        await Ingest(open_lake(database), ReadingRecorder(reader)).take(
            [
                Receipt(subjects.events(MESSAGE, PROJECT), codec.encode(event), FIRST_DAY)
                for event in events
            ]
        )
    await stack.drained()


async def replayed(stack: Stack) -> ReplayCounts:
    """What reading the lake with today's sanitiser changes."""
    asked = ReplayRequest(project=PROJECT, source=MESSAGE)
    async with stack.connected() as connection:
        pages = [page.counts async for page in UpkeepClient(connection).replay(asked)]
    return total(pages)


async def only_in_the_lake(stack: Stack) -> None:
    """Wait until nothing but the lake's own copy holds the token."""

    async def look() -> None:
        if (places := await places_of(stack, TOKEN)) != LAKE:
            raise NotYet(f"it is in {sorted(places)}\n{stack.memory.log()}")

    await eventually("the token nowhere else", look)


async def test_a_secret_that_slipped_through_is_erased_after_the_upgrade(stack: Stack) -> None:
    await stack.keep(subjects.STREAM_OBSERVATIONS)
    await take_in(
        stack,
        [
            note("I live in Paris.", name="paris"),
            note(f"I moved to Berlin. I use {TOKEN}.", name="said", day=1),
            note("I use Vim.", name=f"named {TOKEN}", day=2),
        ],
    )
    await stack.ask(f"do I use {TOKEN}?")

    async def everywhere() -> None:
        expected = {"insight: outbox", "MEMORY_OBSERVATIONS", "MEMORY_CHANGES", "dump"}
        expected |= {"memory: observation", "memory: fact", "memory: posting", "memory: trace"}
        if missing := expected - await places_of(stack, TOKEN):
            raise NotYet(f"it is not in {missing}")

    await eventually("the token everywhere", everywhere)
    leaked = await stack.messages(subjects.ACCOUNT_MEMORY, subjects.STREAM_OBSERVATIONS)

    await replayed(stack)
    await stack.drained()
    await only_in_the_lake(stack)
    values = {str(fact.value) for fact in await stack.facts(history=False)}
    assert {"{'value': 'Berlin'}", "{'value': 'Vim'}"} <= values
    after = stack.dump()

    async with stack.connected(accounts.INSIGHT) as connection:
        for message in leaked:
            await connection.client.jetstream().publish(subjects.OBSERVATIONS, message)
    await stack.drained()
    await only_in_the_lake(stack)
    assert stack.dump() == after
    stack.memory.run("rebuild")
    assert stack.dump() == after

    again = await replayed(stack)
    await stack.drained()
    assert (again.made, again.changed, again.withdrawn) == (0, 0, 0)
    assert stack.dump() == after
