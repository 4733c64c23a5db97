"""Dense journals of one slot: few values, few authors, few moments."""

from collections.abc import Callable
from dataclasses import dataclass

from cortex_memory.model import (
    Assertion,
    Decision,
    Disable,
    Dispute,
    Enable,
    Erasure,
    FactReference,
    JournalId,
    Reject,
    Release,
    Resolve,
)
from cortex_memory.retain.fold.order import Event
from hypothesis import strategies as st
from pydantic import JsonValue
from retain.building import erasing, naming, said
from roxabi_contracts.actor import ActorKind
from roxabi_contracts.payloads import ClaimAction, ClaimKind

ACTIONS = st.sampled_from([ClaimAction.CREATE, *ClaimAction])
MOMENTS = st.integers(1, 12)
VALUES: st.SearchStrategy[JsonValue] = st.sampled_from(
    [
        "red",
        "green",
        "blue",
        {"city": "Oslo"},
        {"city": "Oslo", "zip": "1"},
        {"zip": "1"},
        {"zip": "2"},
        {"zip": None},
        {"value": None},
        {},
    ]
)


@dataclass(frozen=True)
class Manner:
    """How something is said; most of it plainly."""

    by: str = "ann"
    authority: int = 2
    confidence: float = 1.0
    kind: ClaimKind = ClaimKind.ATTRIBUTE
    author_kind: ActorKind = ActorKind.PERSON
    begin: int | None = None
    until: int | None = None


MANNERS = [
    *[Manner(by) for by in ("ann", "bob", "cat")],
    *[Manner(by, authority) for by in ("ann", "bob") for authority in (3, 1)],
    Manner("eve", 0),
    Manner(confidence=0.4),
    Manner("bob", confidence=0.7),
    Manner("bob", 1, kind=ClaimKind.INSTRUCTION),
    Manner("bot", author_kind=ActorKind.AGENT),
    *[Manner(begin=begin) for begin in (3, 6, 9)],
    *[Manner("bob", until=until) for until in (4, 8)],
    Manner("bob", 3, begin=5, until=10),
    Manner(begin=8, until=4),
    Manner(begin=7, until=7),
]

ON_ONE_FACT: list[Callable[[JournalId, int, FactReference], Decision]] = [
    Release,
    Release,
    Reject,
    Dispute,
    Disable,
    Enable,
]
SAYINGS = st.tuples(VALUES, MOMENTS, ACTIONS, st.sampled_from(MANNERS))


@st.composite
def assertions(draw: st.DrawFn) -> list[Assertion]:
    """Assertions of one slot, each of an observation of its own."""
    sayings = draw(st.lists(SAYINGS, min_size=1, max_size=9))
    return [
        said(
            value,
            at,
            ref=f"ref-{number}",
            action=action,
            by=manner.by,
            authority=manner.authority,
            confidence=manner.confidence,
            begin=manner.begin,
            until=manner.until,
            kind=manner.kind,
            author_kind=manner.author_kind,
            sequence=None if at % 2 else number % 3,
        )
        for number, (value, at, action, manner) in enumerate(sayings)
    ]


@st.composite
def decision_on(draw: st.DrawFn, known: list[Assertion], number: int) -> Decision:
    """A decision on facts behind which some of the assertions stand."""
    name, at = JournalId(f"decision-{number}"), draw(MOMENTS)
    some = st.lists(st.sampled_from(known), min_size=1, max_size=3)
    one = naming(*draw(some))
    if draw(st.booleans()):
        lose = tuple(naming(*draw(some)) for _ in range(draw(st.integers(0, 2))))
        return Resolve(name, at, draw(st.sampled_from([one, None])), lose)
    return draw(st.sampled_from(ON_ONE_FACT))(name, at, one)


@st.composite
def erasure_on(draw: st.DrawFn, known: list[Assertion]) -> Erasure:
    """The erasure of a fact behind which some of the assertions stand."""
    some = draw(st.lists(st.sampled_from(known), min_size=1, max_size=2))
    return erasing(draw(MOMENTS), *some)


@st.composite
def slot_events(draw: st.DrawFn) -> list[Event]:
    """All that may happen to one slot, in no particular order."""
    known = draw(assertions())
    events: list[Event] = [*known]
    events += [draw(decision_on(known, number)) for number in range(draw(st.integers(0, 3)))]
    if draw(st.integers(0, 3)) == 0:
        events.append(draw(erasure_on(known)))
    return draw(st.permutations(events))
