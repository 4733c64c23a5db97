"""Which assertions an erasure covers, and what is left where content goes."""

from dataclasses import replace
from typing import Final

from roxabi_contracts.actor import ActorRef
from roxabi_contracts.observation import Correlation, Observation
from roxabi_contracts.payloads import (
    Artifact,
    Decision,
    DecisionStatus,
    Finding,
    Interaction,
    Payload,
    Statement,
)

from cortex_memory.model import Assertion, Erasure, Pairs
from cortex_memory.retain.values import blank

_ERASED: Final = "erased"


def covers(erasure: Erasure, assertion: Assertion) -> bool:
    """Whether the content of an assertion about the same goes, whenever it arrives."""
    return (
        assertion.said <= erasure.at
        and assertion.predicate in erasure.predicates
        and is_within(assertion.value.pairs, erasure)
    )


def is_within(pairs: Pairs, erasure: Erasure) -> bool:
    """Whether every part of a value was part of the erased fact."""
    return erasure.pairs.issuperset(pairs)


def without_content(assertion: Assertion) -> Assertion:
    """The assertion as it is kept after an erasure: what compares stays, what can be read goes."""
    return replace(
        assertion,
        value=blank(assertion.value),
        qualifiers=blank(assertion.qualifiers),
        evidence=None,
    )


def has_content(assertion: Assertion) -> bool:
    """Whether anything of it can still be read."""
    texts = (*assertion.value.texts, *assertion.qualifiers.texts, assertion.evidence)
    return any(text is not None for text in texts)


def residue(observation: Observation) -> Observation:
    """What is kept of an observation whose content goes: who, when and where, and no word.

    An actor without an identifier keeps its name, which alone tells it from others.
    """
    correlation = observation.correlation
    kept = Correlation(
        trace_id=correlation.trace_id,
        parent_obs_id=correlation.parent_obs_id,
        parent_ref=correlation.parent_ref,
        episode_id=correlation.episode_id,
    )
    fields = observation.model_dump(mode="json") | {
        "actors": [_nameless(actor).model_dump(mode="json") for actor in observation.actors],
        "topic": None,
        "sentiment": None,
        "payload_typed": _wordless(observation.payload).model_dump(mode="json"),
        "correlation": kept.model_dump(mode="json"),
    }
    return Observation.model_validate(fields)


def _nameless(actor: ActorRef) -> ActorRef:
    return actor.model_copy(update={"name": None}) if actor.identifiers else actor


def _wordless(payload: Payload) -> Payload:
    time = payload.time.model_copy(update={"local": None})
    match payload:
        case Interaction():
            return Interaction(
                text="", time=time, direction=payload.direction, thread=payload.thread
            )
        case Finding():
            return Finding(text="", time=time, tool=payload.tool, severity=payload.severity)
        case Decision():
            # A proposal relates nobody to a decision that can no longer be named.
            return Decision(text="", time=time, decision=_ERASED, status=DecisionStatus.PROPOSED)
        case Artifact():
            return Artifact(text="", time=time, kind=_ERASED, action=payload.action)
        case Statement():
            return Statement(text="", time=time, speech_act=payload.speech_act)
        case _:
            raise AssertionError(type(payload))
