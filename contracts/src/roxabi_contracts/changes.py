"""What memory announces when its facts or conflicts change."""

from typing import Literal

from pydantic import Field

from roxabi_contracts.base import Contract, JsonObject, UtcDatetime
from roxabi_contracts.subjects import Token


class Change(Contract):
    """One change of one fact or conflict, at its event time."""

    id: str
    project: Token
    subject: str
    version: int = Field(ge=1)
    """Of the subject's memory, raised by every change: of two announcements the higher is newer."""
    what: Literal["fact", "conflict"]
    change: Literal["created", "updated", "retired", "opened", "extended", "settled"]
    fact_id: str | None = None
    conflict_id: str | None = None
    predicate: str
    about: str
    value: JsonObject | None = None
    """Of a fact that is active and contested by none; null: ask for it by its id."""
    status: str | None = None
    occurred_at: UtcDatetime | None
    members: tuple[str, ...] = Field(default=())
