"""What the account in an export states of its owner."""

from collections.abc import Mapping

from roxabi_contracts import ActorRef, ActorRole, Claim, Correlation, RawEvent, Statement
from roxabi_contracts.base import JsonObject
from roxabi_contracts.ids import content_id
from roxabi_contracts.payloads import TimeSource

from cortex_insight.event_time import resolve_time
from cortex_insight.parser import Draft, ParseContext
from cortex_insight.parsers.message_events import FILE_TIME
from cortex_insight.parsers.records import as_text, read_time


def account_draft(
    account: JsonObject,
    named: str,
    told: Mapping[str, str],
    event: RawEvent,
    owner: ActorRef,
    context: ParseContext,
) -> Draft | None:
    """How the user is called and can be reached; null: the account does not say.

    Args:
        account: As it was exported.
        named: The field of its id.
        told: The field that holds what is said as a predicate.
        event: With the time of the file.
        owner: Whose account it is.
        context: Of the parse.
    """
    stated = {
        name: value.strip()[:500]
        for name, field in told.items()
        if (value := as_text(account.get(field)))
    }
    if not stated:
        return None
    file_time = read_time(event.attributes.get(FILE_TIME), TimeSource.FILE)
    timestamp, note = resolve_time([file_time] if file_time else [], context.received_at)
    claims = tuple(
        Claim(about=0, predicate=name, value={"value": value}, evidence=value)
        for name, value in stated.items()
    )
    text = "\n".join(f"{name.replace('_', ' ')}: {value}" for name, value in stated.items())
    id = as_text(account.get(named)) or content_id(dict(account))
    return Draft(
        payload=Statement(text=text, time=note, claims=claims),
        source_ref=f"user/{id}"[:1024],
        timestamp=timestamp,
        actors=(owner.model_copy(update={"role": ActorRole.AUTHOR}),),
        subject=0,
        correlation=Correlation(trace_id="user"),
    )
