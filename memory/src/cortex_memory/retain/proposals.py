"""From a model's answer to candidates: it proposes, the observation decides the scope."""

from typing import Annotated, Final

from pydantic import BaseModel, Field, JsonValue, ValidationError
from roxabi_contracts.base import JsonObject
from roxabi_contracts.observation import Observation
from roxabi_contracts.predicates import PredicateCatalogue

from cortex_memory.retain.extract import MAX_PROPOSED, Extraction, Rejected, admit
from cortex_memory.retain.validate import ExtractedFact

_SCOPE: Final = {"subject", "project", "project_id"}


class Proposed(BaseModel):
    """The shape that a model is asked to answer in."""

    candidates: Annotated[list[ExtractedFact], Field(max_length=MAX_PROPOSED)]


class _Answer(BaseModel):
    """What is required of an answer as a whole; each candidate is judged by itself."""

    candidates: list[JsonValue]


class NoProposals(ValueError):
    """The answer is no JSON object with a list of candidates."""


def schema_of_answers() -> JsonObject:
    """The JSON schema of an answer, made from what a candidate must be."""
    return Proposed.model_json_schema()


def admit_answer(text: str, observation: Observation, catalogue: PredicateCatalogue) -> Extraction:
    """The candidates of an answer that pass, and why the others do not.

    Raises:
        NoProposals: the answer as a whole cannot be read.
    """
    try:
        proposed = _Answer.model_validate_json(text).candidates
    except ValidationError:
        # The cause is left out, since it quotes the answer.
        raise NoProposals from None
    within = [index for index, raw in enumerate(proposed) if not _names_a_scope(raw)]
    stated = [_stated(proposed[index], catalogue) for index in within]
    admitted = admit(observation, stated, MAX_PROPOSED)
    refused = [Rejected(within[each.index], each.reason) for each in admitted.rejected]
    trespassing = sorted(set(range(len(proposed))).difference(within))
    refused += [Rejected(index, "a candidate names its own scope") for index in trespassing]
    return Extraction(admitted.facts, tuple(refused))


def _names_a_scope(raw: JsonValue) -> bool:
    return isinstance(raw, dict) and not _SCOPE.isdisjoint(raw)


def _stated(raw: JsonValue, catalogue: PredicateCatalogue) -> JsonValue:
    """A candidate without empty fields, and without a say in what the catalogue settles."""
    if not isinstance(raw, dict):
        return raw
    stated: dict[str, JsonValue] = {name: part for name, part in raw.items() if part is not None}
    predicate = stated.get("predicate")
    if isinstance(predicate, str) and catalogue.lookup(predicate) is not None:
        stated.pop("cardinality", None)
    return stated
