"""The frozen base of every wire model, and the types of time and text they share."""

import re
from datetime import UTC, datetime
from typing import Annotated

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
)

CONTRACT_VERSION = 1
"""Version of the contract spoken here; raised only by a breaking change."""


_NUMBER = re.compile(r"\s*[+-]?[\d._]+\s*")


def _written_out(moment: object) -> object:
    """A bare number would be read as a count since 1970, and a mere year as half past midnight."""
    if isinstance(moment, int | float) or (isinstance(moment, str) and _NUMBER.fullmatch(moment)):
        raise ValueError("a moment is written in ISO 8601, not as a number")
    return moment


def _to_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("in UTC the moment lies outside of the years 1 to 9999") from error


UtcDatetime = Annotated[AwareDatetime, BeforeValidator(_written_out), AfterValidator(_to_utc)]
"""A moment with a zone, normalised to UTC; a naive time is refused, never guessed."""

EpochMs = Annotated[int, Field(ge=0, le=253_402_300_799_999)]
"""Milliseconds since 1970-01-01T00:00:00Z, up to the end of the year 9999."""

Confidence = Annotated[float, Field(ge=0, le=1)]

JsonObject = dict[str, JsonValue]


class Part(BaseModel):
    """A value inside a message: frozen, and strict about its fields when built in code."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Contract(Part):
    """A message: what crosses the broker by itself and says which version it speaks."""

    contract_version: int = Field(default=CONTRACT_VERSION, ge=1, strict=True)


def epoch_ms(moment: datetime) -> int:
    """Milliseconds since 1970 of a moment with a zone; negative before 1970.

    Raises:
        ValueError: the moment has no zone.
    """
    if moment.tzinfo is None:
        raise ValueError("a moment without a zone has no place in time")
    delta = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return delta.days * 86_400_000 + delta.seconds * 1_000 + delta.microseconds // 1_000


def from_epoch_ms(milliseconds: int) -> datetime:
    """The UTC moment of a count of milliseconds since 1970, exact to the millisecond."""
    seconds, remainder = divmod(milliseconds, 1_000)
    return datetime.fromtimestamp(seconds, tz=UTC).replace(microsecond=remainder * 1_000)
