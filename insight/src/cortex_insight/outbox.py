"""What leaves the lake: observations and dead letters as the exact messages to send."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from roxabi_contracts import Observation, RawEvent, codec, subjects
from roxabi_contracts.errors import ContractError
from roxabi_contracts.ids import content_id
from roxabi_contracts.operations import RejectedMessage

from cortex_insight.parser import Reject
from cortex_insight.sanitise import SANITISER


@dataclass(frozen=True)
class OutboxMessage:
    """A message to send, under the id that makes sending it again harmless."""

    message_id: str
    subject: str
    payload: bytes
    project: str | None
    source_ref: str | None
    """The record that it is about; null: unknown."""


@dataclass(frozen=True)
class Claimed:
    """A message of the outbox that this publisher alone may send for a while."""

    row: int
    message_id: str
    payload: bytes


@dataclass(frozen=True)
class Receipt:
    """A message as the broker handed it over."""

    subject: str
    data: bytes
    received_at: datetime
    """When the broker stored it; the same however often it is delivered."""
    sequence: int = 0
    """Its place in the stream; 0: it is in none any more."""
    refusal: Reject | None = None
    """Why it cannot be read, where that is known before; `data` says then what there was."""
    refused_id: str | None = None
    """What its producer calls the event that is refused."""


@dataclass(frozen=True)
class DeadLetter:
    """A message that was refused; `data` is null where the lake keeps it as an event."""

    rejected: RejectedMessage
    data: bytes | None


def observation_message(observation: Observation) -> OutboxMessage:
    """The message of an observation.

    Raises:
        ContractError: it is too large, too deep, or holds text that cannot be kept.
    """
    message_id = observation.message_id
    return OutboxMessage(
        message_id=message_id,
        subject=subjects.OBSERVATIONS,
        payload=codec.encode(observation, codec.headers_of(observation, message_id)),
        project=observation.project_id,
        source_ref=observation.source_ref,
    )


def dead_letter(receipt: Receipt, reject: Reject, event: RawEvent | None) -> DeadLetter:
    """The dead letter of a message; null event: it could not be read as one, or may not be."""
    source, project = _named_by(receipt.subject)
    digest = hashlib.sha256(receipt.data).hexdigest()
    rejected = RejectedMessage(
        id=content_id("dead_letter", receipt.subject, digest, reject.code),
        project=project,
        source=source,
        source_ref=None if event is None else SANITISER.reference(event.source_ref),
        event_id=receipt.refused_id if event is None else event.event_id,
        code=reject.code,
        reason=SANITISER.redact(reject.reason),
        received_at=receipt.received_at,
        size=len(receipt.data),
        sha256=digest,
    )
    return DeadLetter(rejected, receipt.data if event is None else None)


def rejected_message(rejected: RejectedMessage) -> OutboxMessage:
    """The message of a dead letter."""
    return OutboxMessage(
        message_id=rejected.id,
        subject=subjects.EVENTS_REJECTED,
        payload=codec.encode(rejected, codec.headers_of(rejected, rejected.id)),
        project=rejected.project,
        source_ref=rejected.source_ref,
    )


def _named_by(subject: str) -> tuple[str | None, str | None]:
    try:
        return subjects.event_tokens(subject)
    except ContractError:
        return None, None
