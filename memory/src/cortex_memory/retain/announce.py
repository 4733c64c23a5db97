"""What is announced of a change: the fact or conflict, and what happened to it."""

from dataclasses import dataclass
from typing import Final, Literal

from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.changes import Change
from roxabi_contracts.ids import content_id
from roxabi_contracts.operations import FactStatus

from cortex_memory.model import ConflictSet, Fact
from cortex_memory.retain.values import readable

_LIVE: Final = {FactStatus.ACTIVE, FactStatus.CANDIDATE}


@dataclass(frozen=True, slots=True)
class Gone:
    """A fact or a conflict that never was, as is now known."""

    what: Literal["fact", "conflict"]
    id: str
    project: str
    subject: str
    about: str
    predicate: str


def fact_change(fact: Fact, before: str | None, version: int) -> Change:
    """The announcement of a fact that differs from before.

    It tells the value of a fact that memory would serve, and of no other: who follows may believe
    what is announced, and asks for what is hidden, contested or retired by its id.

    Args:
        fact: As it is now.
        before: Its former status; null: it is new.
        version: The version of the memory that the change makes; it tells announcements apart.
    """
    is_live = fact.status in _LIVE
    was_live = before in _LIVE
    change: Literal["created", "updated", "retired"] = "updated"
    if was_live and not is_live:
        change = "retired"
    elif before is None:
        change = "created"
    occurred_at = fact.valid_to if change == "retired" else fact.last_confirmed
    return Change(
        id=content_id("fact", fact.slot.project, fact.id, version),
        project=fact.slot.project,
        subject=fact.slot.subject,
        version=version,
        what="fact",
        change=change,
        fact_id=fact.id,
        conflict_id=fact.conflict_set_id,
        predicate=fact.slot.predicate,
        about=fact.slot.about,
        value=readable(fact.value) if _is_served(fact) else None,
        status=fact.status.value,
        occurred_at=None if occurred_at is None else from_epoch_ms(occurred_at),
    )


def _is_served(fact: Fact) -> bool:
    return fact.status is FactStatus.ACTIVE and fact.conflict_set_id is None


def conflict_change(conflict: ConflictSet, *, was_open: bool, version: int) -> Change:
    """The announcement of a conflict set that differs from before."""
    change: Literal["opened", "extended", "settled"] = "extended"
    if conflict.closed_at is not None:
        change = "settled"
    elif not was_open:
        change = "opened"
    at = conflict.opened_at if conflict.closed_at is None else conflict.closed_at
    return Change(
        id=content_id("conflict", conflict.slot.project, conflict.id, version),
        project=conflict.slot.project,
        subject=conflict.slot.subject,
        version=version,
        what="conflict",
        change=change,
        conflict_id=conflict.id,
        predicate=conflict.slot.predicate,
        about=conflict.slot.about,
        occurred_at=from_epoch_ms(at),
        members=tuple(conflict.members),
    )


def gone_change(gone: Gone, version: int) -> Change:
    """The announcement that something of before is not there; nobody said when that became so."""
    is_fact = gone.what == "fact"
    return Change(
        id=content_id(gone.what, gone.project, gone.id, version),
        project=gone.project,
        subject=gone.subject,
        version=version,
        what=gone.what,
        change="retired" if is_fact else "settled",
        fact_id=gone.id if is_fact else None,
        conflict_id=None if is_fact else gone.id,
        predicate=gone.predicate,
        about=gone.about,
        occurred_at=None,
    )
