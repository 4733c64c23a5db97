"""The gate of the lake: which messages are events that may be stored."""

from dataclasses import dataclass

from roxabi_contracts import DecodeError, RawEvent, codec, subjects
from roxabi_contracts.errors import ContractError

from cortex_insight.outbox import Receipt
from cortex_insight.parser import Reject


@dataclass(frozen=True)
class Admitted:
    """A message that is an event, with its id."""

    receipt: Receipt
    event: RawEvent
    event_id: str


def admit(receipt: Receipt) -> Admitted | Reject:
    """Read a message; its subject, which the broker checked, overrules what it says of itself."""
    if receipt.refusal is not None:
        return receipt.refusal
    try:
        source, project = subjects.event_tokens(receipt.subject)
        event = codec.decode(receipt.data, RawEvent, codec.MAXIMUM_EVENT)
    except DecodeError as error:
        return Reject(error.code, f"{type(error).__name__}: {error}")
    except ContractError as error:
        return Reject("invalid_subject", str(error))
    if event.project != project:
        return Reject("project_mismatch", "subject and body name different projects")
    if event.source != source:
        return Reject("source_mismatch", "subject and body name different sources")
    return Admitted(receipt, event, event.event_id)
