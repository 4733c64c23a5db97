"""From a model's answer to claims: it proposes, the text and its actors decide what may stand."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

from pydantic import BaseModel, Field, JsonValue, ValidationError
from roxabi_contracts import Claim, JsonObject, PredicateCatalogue
from roxabi_contracts.payloads import (
    Cardinality,
    ClaimAction,
    ClaimKind,
    TimePrecision,
    Volatility,
)

from cortex_insight.enrich.model.question import Question

MAX_PROPOSED: Final = 20
"""The most that a model may propose of one text."""

_SCOPE: Final = {"subject", "project", "project_id"}
_CLOSED_SETS: Final[Mapping[str, type[StrEnum]]] = {
    "action": ClaimAction,
    "cardinality": Cardinality,
    "kind": ClaimKind,
    "volatility": Volatility,
}


class _Proposed(BaseModel):
    """The shape that a model is asked to answer in."""

    claims: Annotated[list[Claim], Field(max_length=MAX_PROPOSED)]


class _Answer(BaseModel):
    """What is required of an answer as a whole; each claim is judged by itself."""

    claims: list[JsonValue]


@dataclass(frozen=True)
class Proposals:
    """The claims that pass, and why the others do not; a reason quotes nothing."""

    claims: tuple[Claim, ...]
    refused: tuple[str, ...] = ()


class NoProposals(ValueError):
    """The answer is no JSON object with a list of claims."""


def schema_of_answers() -> JsonObject:
    """The JSON schema of an answer, made from what a claim must be."""
    return _Proposed.model_json_schema()


def admit_answer(answer: str, question: Question, catalogue: PredicateCatalogue) -> Proposals:
    """The claims of an answer that stand on the question's words.

    Raises:
        NoProposals: the answer as a whole cannot be read.
    """
    try:
        proposed = _Answer.model_validate_json(answer).claims
    except ValidationError:
        # The cause is left out, since it quotes the answer.
        raise NoProposals from None
    judged = [_judge(raw, question, catalogue) for raw in proposed[:MAX_PROPOSED]]
    refused = [verdict for verdict in judged if isinstance(verdict, str)]
    refused += [f"more than {MAX_PROPOSED} claims"] * (len(proposed) - len(judged))
    claims = tuple(verdict for verdict in judged if isinstance(verdict, Claim))
    return Proposals(claims, tuple(refused))


def _judge(raw: JsonValue, question: Question, catalogue: PredicateCatalogue) -> Claim | str:
    if not isinstance(raw, dict):
        return "a claim is no object"
    if not _SCOPE.isdisjoint(raw):
        return "a claim names its own scope"
    try:
        claim = Claim.model_validate(_stated(raw, catalogue), extra="ignore")
    except ValidationError as error:
        return _reason(error)
    if claim.replaces is not None and claim.action is ClaimAction.RETRACT:
        return "a retract replaces nothing"
    return _objection(claim, question) or claim


def _stated(raw: Mapping[str, JsonValue], catalogue: PredicateCatalogue) -> dict[str, JsonValue]:
    """A claim without empty or unknown members, and no say in what the catalogue settles."""
    stated: dict[str, JsonValue] = {
        name: part
        for name, part in raw.items()
        if part is not None and (name not in _CLOSED_SETS or _is_member(part, _CLOSED_SETS[name]))
    }
    predicate, valid = stated.get("predicate"), stated.get("valid")
    if isinstance(predicate, str) and catalogue.lookup(predicate) is not None:
        stated.pop("cardinality", None)
    if isinstance(valid, dict) and not _is_member(valid.get("precision"), TimePrecision):
        stated["valid"] = {name: part for name, part in valid.items() if name != "precision"}
    return stated


def _is_member(part: JsonValue, closed_set: type[StrEnum]) -> bool:
    return isinstance(part, str) and part in closed_set.__members__.values()


def _objection(claim: Claim, question: Question) -> str | None:
    said, evidence = _even(question.text), _even(claim.evidence)
    if not evidence or evidence not in said:
        return "the evidence does not occur in the text"
    match claim.about:
        case None:
            return "a claim does not say whom it is about"
        case int(index):
            known = index < len(question.actors)
            return None if known else f"there is no actor {index}"
        case str(name):
            occurs = bool(name.strip()) and _even(name).casefold() in said.casefold()
            return None if occurs else "the name does not occur in the text"


def _even(text: str) -> str:
    return " ".join(text.split())


def _reason(error: ValidationError) -> str:
    """Where and what, without the offending content."""
    problems = (
        f"{'.'.join(map(str, problem['loc'])) or 'claim'}: {problem['type']}"
        for problem in error.errors(include_url=False, include_input=False, include_context=False)
    )
    return "; ".join(problems)
