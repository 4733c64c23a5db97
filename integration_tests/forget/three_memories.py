"""Three people said the same: of one a fact is forgotten, of one a source, of one all."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from forget.operator import Operator
from forget.scanning import places_of
from roxabi_contracts import subjects
from roxabi_contracts.event import RawEvent
from roxabi_contracts.upkeep import ForgetReceipt, ForgetRequest, ForgetScope
from samples import MESSAGE, note
from stack import Stack

CANARY: Final = "Zzyzxville"
OWNERS: Final = {
    ForgetScope.FACT: "ada@example.org",
    ForgetScope.SOURCE: "bob@example.org",
    ForgetScope.SUBJECT: "cleo@example.org",
}
SAID: Final[list[RawEvent]] = [
    note(text, name=name, day=day, email=email)
    for email in OWNERS.values()
    for name, day, text in (
        ("paris", 0, "I live in Paris."),
        ("canary", 1, f"I moved to {CANARY}. I work at Contoso."),
        ("vim", 2, "I use Vim."),
    )
]
SAID_LATER: Final = [
    note("I use Zig.", name="later", day=40, email=email) for email in OWNERS.values()
]
"""What is said after the moment of the requests, which forget nothing of it."""
_BY_THE_WAY: Final = {"messages", "lake_messages", "changes"}
"""Counts that a death may change: who dies after it overwrote a message, and before it noted that,
does not count it again; a change is removed only while it waits to be announced."""


@dataclass(frozen=True)
class Forgotten:
    """What has to be equal however the way there was."""

    dump: str
    removed: Mapping[ForgetScope, Mapping[str, int]]
    kept_digests: Mapping[ForgetScope, int]


async def fill(stack: Stack) -> None:
    """Have it said, and have every stream hold it, although it was taken in."""
    await stack.keep(subjects.STREAM_EVENTS, subjects.STREAM_OBSERVATIONS)
    await stack.publish(SAID)
    await stack.drained()


async def requests(operator: Operator) -> dict[ForgetScope, ForgetRequest]:
    """What is asked, of each memory something else."""
    owner = OWNERS[ForgetScope.FACT]
    fact = await operator.fact(CANARY, owner)
    targets = {ForgetScope.FACT: fact.id, ForgetScope.SOURCE: MESSAGE, ForgetScope.SUBJECT: None}
    return {
        scope: operator.request(scope, target, subject=OWNERS[scope])
        for scope, target in targets.items()
    }


async def outcome(stack: Stack, receipts: Mapping[ForgetScope, ForgetReceipt]) -> Forgotten:
    """Wait for the end of the queues; check that the word is nowhere, and take what came out."""
    await stack.drained()
    assert await places_of(stack, CANARY) == set()
    removed = {
        scope: {what: count for what, count in receipt.removed.items() if what not in _BY_THE_WAY}
        for scope, receipt in receipts.items()
    }
    kept = {scope: receipt.kept_digests for scope, receipt in receipts.items()}
    return Forgotten(stack.dump(), removed, kept)
