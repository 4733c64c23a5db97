"""Adds to a draft what can be read from the words of the person who speaks in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from roxabi_contracts import Claim, PredicateCatalogue, Statement
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.ids import canonical_json
from roxabi_contracts.payloads import Cardinality, ClaimKind, SpeechAct

from cortex_insight.enrich.model.question import Question, question_about
from cortex_insight.enrich.port import Enricher, SpeechContext
from cortex_insight.parser import Draft


@dataclass(frozen=True)
class ModelAnswer:
    """What a model answered to a question, once and for all."""

    version: int
    """Of the prompt that it answered."""
    claims: tuple[Claim, ...]


Answers = Mapping[bytes, ModelAnswer]
"""By the digest of the question, the one of the highest version."""


@dataclass(frozen=True)
class Enriched:
    """A draft with its claims, and what is left to ask about it."""

    draft: Draft
    question: Question | None = None
    """Null: nothing is to be asked any more, or ever."""
    answered: int = 0
    """The version of the prompt whose answer is in the draft; 0: none is."""


def enrich(
    draft: Draft,
    rules: Enricher | None,
    catalogue: PredicateCatalogue,
    prompt: int | None = None,
    answers: Answers | None = None,
) -> Enriched:
    """Read claims by rules, and take over what a model has answered.

    Args:
        draft: Sanitised.
        rules: Null: none.
        catalogue: Of the draft's project: what a claim of the model repeats or contradicts.
        prompt: The version of the prompt by which a model is asked; null: it is not.
        answers: What it has answered so far.
    """
    by_rules = _with_claims(draft, () if rules is None else _claims_by_rules(draft, rules))
    question = None if prompt is None else question_about(draft)
    if prompt is None or question is None:
        return Enriched(by_rules)
    answer = (answers or {}).get(question.digest)
    if answer is None:
        return Enriched(by_rules, question)
    added = tuple(_not_said_yet(answer.claims, by_rules.payload.claims, catalogue))
    outdated = answer.version < prompt
    return Enriched(_with_claims(by_rules, added), question if outdated else None, answer.version)


def _claims_by_rules(draft: Draft, rules: Enricher) -> tuple[Claim, ...]:
    if draft.speaker is None:
        return ()
    speaker = draft.speaker
    said = SpeechContext(from_epoch_ms(draft.timestamp), draft.payload.time.zone)
    claims = rules.claims(draft.payload.text, draft.actors[speaker], said)
    # The source has named it in its own words: under another name it would be another fact.
    stated = {_value_of(_by_speaker(claim, speaker)) for claim in draft.payload.claims}
    found = (_by_speaker(claim, speaker) for claim in claims)
    return tuple(claim for claim in found if _value_of(claim) not in stated)


def _value_of(claim: Claim) -> tuple[int | str | None, str]:
    return claim.about, canonical_json(claim.value).decode().casefold()


def _with_claims(draft: Draft, found: tuple[Claim, ...]) -> Draft:
    if not found:
        return draft
    payload = draft.payload
    changes: dict[str, object] = {"claims": (*payload.claims, *found)}
    if isinstance(payload, Statement):
        changes["speech_act"] = _speech_act(payload.speech_act, found)
    return replace(draft, payload=payload.model_copy(update=changes))


def _not_said_yet(
    proposed: tuple[Claim, ...], stated: tuple[Claim, ...], catalogue: PredicateCatalogue
) -> Iterator[Claim]:
    """Those that neither repeat nor contradict what needed no model: one text says one thing."""
    settled = {slot for claim in stated if (slot := _slot_of_one(claim, catalogue)) is not None}
    said = {_said(claim, catalogue) for claim in stated}
    for claim in proposed:
        is_settled = _slot_of_one(claim, catalogue) in settled
        if not is_settled and _said(claim, catalogue) not in said:
            yield claim


def _slot_of_one(claim: Claim, catalogue: PredicateCatalogue) -> bytes | None:
    """Where a single value holds at a time; null: many may, or the catalogue does not say."""
    predicate = catalogue.lookup(claim.predicate)
    if predicate is None or predicate.cardinality is not Cardinality.ONE:
        return None
    return canonical_json([claim.about, predicate.name, claim.qualifiers])


def _said(claim: Claim, catalogue: PredicateCatalogue) -> bytes:
    predicate = catalogue.lookup(claim.predicate)
    name = claim.predicate if predicate is None else predicate.name
    return canonical_json([claim.about, name, claim.qualifiers, claim.value, claim.action])


def _by_speaker(claim: Claim, speaker: int) -> Claim:
    """The claim with its speaker by place: an instruction has no first person in its words."""
    return claim.model_copy(update={"about": speaker}) if claim.about is None else claim


def _speech_act(stated: SpeechAct, claims: tuple[Claim, ...]) -> SpeechAct:
    """What the source states, else what all the claims are."""
    acts = {_act_of(claim) for claim in claims}
    if stated is not SpeechAct.ASSERTION or len(acts) > 1:
        return stated
    return acts.pop()


def _act_of(claim: Claim) -> SpeechAct:
    if claim.predicate == "commitment":
        return SpeechAct.COMMITMENT
    match claim.kind:
        case ClaimKind.ATTRIBUTE:
            return SpeechAct.ASSERTION
        case ClaimKind.PREFERENCE:
            return SpeechAct.PREFERENCE
        case ClaimKind.INSTRUCTION:
            return SpeechAct.INSTRUCTION
        case _:
            assert_never(claim.kind)
