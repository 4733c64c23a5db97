"""The order in which the events of a slot are folded."""

from typing import TypeAlias

from roxabi_contracts.payloads import ClaimAction

from cortex_memory.model import Assertion, Decision, Erasure, ObservationKey, OrderKey

Event: TypeAlias = Assertion | Decision | Erasure

_END, _ASSERTION, _DECISION, _ERASURE = range(4)
_ACTION_RANK = {ClaimAction.SUPERSEDE: 0, ClaimAction.RETRACT: 1, ClaimAction.CREATE: 2}


def assertion_order(
    *,
    time: int,
    said: int,
    trace: str | None,
    sequence: int | None,
    key: ObservationKey,
    action: ClaimAction,
    assertion_id: str,
) -> OrderKey:
    """The place of an assertion; what is null comes first."""
    return (
        time,
        _ASSERTION,
        (
            said,
            trace is not None,
            trace or "",
            sequence is not None,
            sequence or 0,
            key.source,
            key.source_ref,
            _ACTION_RANK[action],
            assertion_id,
        ),
    )


def order_of(event: Event) -> OrderKey:
    """The place of an event: at one time assertions, then decisions, then erasures."""
    if isinstance(event, Assertion):
        return event.order
    return (event.at, _ERASURE if isinstance(event, Erasure) else _DECISION, (event.id,))


def end_order(time: int) -> OrderKey:
    """The place of an end of validity: before all else of its time."""
    return (time, _END, ())


def said_before(first: Assertion, second: Assertion) -> bool:
    """Whether one assertion was said before another, whenever they take effect."""
    return first.order[2] < second.order[2]
