"""From an observation to candidates: what the payload claims, each with its evidence."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pydantic import JsonValue, ValidationError
from roxabi_contracts.actor import ActorRole
from roxabi_contracts.observation import Observation

from cortex_memory.retain.relations import decision_facts
from cortex_memory.retain.validate import ExtractedFact, parts_of

CLAIMS_EXTRACTOR = "claims"
CLAIMS_VERSION = 1
MODEL_EXTRACTOR = "openai"
"""What a model found is recorded beside the payload's claims, and never stands for them."""
MAX_PROPOSED = 20
"""The most that a model may propose of one observation."""

_FIRST_PERSON = re.compile(
    r"\b(?:i|i['’](?:m|ve|d|ll)|me|my|mine|myself|we|our|ours"
    r"|je|moi|mon|ma|mes|mien|mienne|nous|notre|nos)\b|\b[jm]['’]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Rejected:
    """A candidate that was refused; `index` is its place in the proposal."""

    index: int
    reason: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """What an extractor found in an observation, and what was refused of it."""

    facts: tuple[ExtractedFact, ...]
    rejected: tuple[Rejected, ...]


def extract_claims(observation: Observation) -> Extraction:
    """The candidates that the payload itself states, the status of a decision among them."""
    claims = observation.payload_typed.get("claims", [])
    stated = admit(observation, claims if isinstance(claims, list) else [])
    return Extraction(stated.facts + decision_facts(observation), stated.rejected)


def admit(
    observation: Observation, proposed: Iterable[JsonValue], limit: int | None = None
) -> Extraction:
    """Validate raw candidates one by one: a bad one is refused with a reason, the rest stays."""
    facts: list[ExtractedFact] = []
    rejected: list[Rejected] = []
    words = _Words.of(observation)
    for index, raw in enumerate(proposed):
        if limit is not None and len(facts) + len(rejected) >= limit:
            rejected.append(Rejected(index, f"more than {limit} candidates"))
            continue
        try:
            fact = ExtractedFact.model_validate(raw, extra="ignore")
        except ValidationError as error:
            rejected.append(Rejected(index, _reason(error)))
            continue
        if (reason := _objection(fact, observation, words)) is not None:
            rejected.append(Rejected(index, reason))
        else:
            facts.extend(parts_of(fact))
    return Extraction(tuple(facts), tuple(rejected))


@dataclass(frozen=True, slots=True)
class _Words:
    """All that an observation says beside its claims, white space evened out."""

    said: str
    folded: str

    @classmethod
    def of(cls, observation: Observation) -> "_Words":
        payload = {k: v for k, v in observation.payload_typed.items() if k != "claims"}
        said = "\n".join(_even(text) for text in _texts(payload))
        return cls(said, said.casefold())


def _texts(part: JsonValue | Mapping[str, JsonValue]) -> Iterator[str]:
    match part:
        case str():
            yield part
        case list():
            for item in part:
                yield from _texts(item)
        case dict():
            for item in part.values():
                yield from _texts(item)
        case _:
            return


def _even(text: str) -> str:
    return " ".join(text.split())


def _objection(fact: ExtractedFact, observation: Observation, words: _Words) -> str | None:
    evidence = _even(fact.evidence)
    if not evidence or evidence not in words.said:
        return "the evidence does not occur in the observation"
    match fact.about:
        case None:
            return _objection_to_author(evidence, observation)
        case int(index):
            return None if index < len(observation.actors) else f"there is no actor {index}"
        case str(name):
            occurs = bool(name.strip()) and _even(name).casefold() in words.folded
            return None if occurs else "the name does not occur in the observation"


def _objection_to_author(evidence: str, observation: Observation) -> str | None:
    if all(actor.role is not ActorRole.AUTHOR for actor in observation.actors):
        return "nobody is named, and the observation has no author"
    if not _FIRST_PERSON.search(evidence):
        return "nobody is named, and the evidence is not in the first person"
    return None


def _reason(error: ValidationError) -> str:
    """Where and what, without the offending content."""
    problems = (
        f"{'.'.join(map(str, problem['loc'])) or 'candidate'}: {problem['type']}"
        for problem in error.errors(include_url=False, include_input=False, include_context=False)
    )
    return "; ".join(problems)
