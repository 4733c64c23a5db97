"""One workload for every calamity: what goes in, and all that has to come out of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cortex_local import accounts
from roxabi_contracts import subjects
from roxabi_contracts.event import RawEvent
from samples import note, notes
from stack import Stack

SAID: Final = (
    "I live in Paris.",
    "I use npm.",
    "My name is Ada.",
    "I moved to Berlin.",
    "My name is Grace.",
    "I no longer use npm.",
    "I work at Contoso.",
)
FROM_NOBODY: Final = note("Hello?").model_copy(update={"source": "carrier-pigeon"})
EVENTS: Final[Sequence[RawEvent]] = (*notes(*SAID), FROM_NOBODY)
NO_OBSERVATION: Final = b"\xff"


@dataclass(frozen=True)
class Outcome:
    """What has to be equal however the way there was."""

    dump: str
    refused_by_insight: frozenset[str]
    refused_by_memory: frozenset[str]


async def send_everything(stack: Stack) -> None:
    """Good events, and for each service something that it has to refuse."""
    await stack.publish(EVENTS)
    async with stack.connected(accounts.INSIGHT) as connection:
        await connection.client.jetstream().publish(subjects.OBSERVATIONS, NO_OBSERVATION)


async def outcome(stack: Stack) -> Outcome:
    """Wait for the end of the queues and take what came out."""
    await stack.drained()
    return Outcome(
        stack.dump(),
        frozenset(letter.sha256 for letter in await stack.rejected_events()),
        frozenset(letter.sha256 for letter in await stack.rejected_observations()),
    )
