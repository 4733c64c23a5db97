"""What the user told ChatGPT of themself once for all, and what their account states."""

from collections.abc import Iterator
from typing import Final

from roxabi_contracts import (
    ActorRef,
    ActorRole,
    Claim,
    Correlation,
    RawEvent,
    Statement,
    TimeNote,
)
from roxabi_contracts.payloads import (
    Cardinality,
    ClaimAction,
    ClaimKind,
    SpeechAct,
    Volatility,
)

from cortex_insight.event_time import resolve_time
from cortex_insight.parser import Draft, ParseContext
from cortex_insight.parsers.chatgpt.frame import CHATGPT
from cortex_insight.parsers.chatgpt.record import Instructions
from cortex_insight.parsers.records import capped, moment_of

PREDICATE: Final = "custom_instructions"
_NONE_ANY_MORE: Final = "There are no custom instructions any more."
_TRACE: Final = "custom-instructions"


def instruction_drafts(
    instructions: Instructions, event: RawEvent, owner: ActorRef, context: ParseContext
) -> Iterator[Draft]:
    """What the user says of themself, and how they want to be answered from then on."""
    stated = moment_of(instructions.fields.get("create_time"))
    timestamp, note = resolve_time([stated] if stated else [], context.received_at)
    ref = f"{instructions.conversation}/{instructions.node}"[:1000]
    if instructions.about_user:
        text, cut = capped(instructions.about_user)
        payload = Statement(text=text, time=note)
        yield _draft(payload, f"{ref}#about-user", timestamp, owner, cut, speaks=True)
    payload = _rule(instructions.about_model, note)
    yield _draft(payload, f"{ref}#about-model", timestamp, owner, {}, speaks=False)


def _rule(about_model: str | None, time: TimeNote) -> Statement:
    """The instructions as one claim, which takes the place of the one before it."""
    text, _ = capped(about_model or _NONE_ANY_MORE)
    claim = Claim(
        about=0,
        predicate=PREDICATE,
        value={"value": text} if about_model else {},
        action=ClaimAction.SUPERSEDE if about_model else ClaimAction.RETRACT,
        cardinality=Cardinality.ONE,
        kind=ClaimKind.INSTRUCTION,
        volatility=Volatility.SLOW,
        evidence=text,
    )
    act = SpeechAct.INSTRUCTION if about_model else SpeechAct.ASSERTION
    return Statement(text=text, time=time, claims=(claim,), speech_act=act)


def _draft(
    payload: Statement, ref: str, timestamp: int, owner: ActorRef, notes: dict[str, str], *,
    speaks: bool,
) -> Draft:  # fmt: skip
    author = owner.model_copy(update={"role": ActorRole.AUTHOR})
    agent = CHATGPT.model_copy(update={"role": ActorRole.RECIPIENT})
    return Draft(
        payload=payload,
        source_ref=ref,
        timestamp=timestamp,
        actors=(author, agent),
        subject=0,
        speaker=0 if speaks else None,
        correlation=Correlation(trace_id=_TRACE, attributes=notes),
    )
