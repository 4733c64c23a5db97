"""What an observation yields, and what is refused of it."""

import pytest
from cortex_memory.retain.extract import (
    MAX_PROPOSED,
    Rejected,
    admit,
    extract_claims,
)
from pydantic import JsonValue
from retain.observing import ANN, OWNER, claim, observe
from roxabi_contracts.observation import Observation
from roxabi_contracts.payloads import ClaimAction, ClaimKind

HOME: dict[str, JsonValue] = {
    "predicate": "lives_in",
    "value": "Oslo",
    "about": 0,
    "evidence": "living in Oslo",
}


def text(words: str) -> Observation:
    return observe(at=1, ref="a", text=words)


def reasons(observation: Observation, *raw: JsonValue) -> list[str]:
    return [rejected.reason for rejected in admit(observation, raw).rejected]


def test_claims_of_the_payload_are_candidates() -> None:
    [fact] = extract_claims(observe(claim("lives_in", "Oslo"), at=1, ref="a")).facts

    assert (fact.predicate, fact.value, fact.about) == ("lives_in", {"value": "Oslo"}, 0)


def test_a_replacement_becomes_a_retract_and_a_create() -> None:
    observation = observe(
        claim("lives_in", "Rome", replaces="Oslo", begin=5, until=9), at=1, ref="a"
    )
    retract, create = extract_claims(observation).facts

    assert (retract.action, retract.value) == (ClaimAction.RETRACT, {"value": "Oslo"})
    assert (create.action, create.value) == (ClaimAction.CREATE, {"value": "Rome"})
    assert retract.replaces is None
    assert create.replaces is None
    assert retract.valid is not None
    assert retract.valid.valid_until is None
    assert create.valid is not None
    assert create.valid.valid_until is not None


def test_evidence_has_to_occur() -> None:
    assert reasons(text("I am living in Rome"), HOME) == [
        "the evidence does not occur in the observation"
    ]
    assert reasons(text("I am living  in\nOslo"), HOME) == []


def test_evidence_is_not_found_in_the_claims_themselves() -> None:
    observation = observe(claim("lives_in", "Oslo", evidence="invented"), at=1, ref="a")

    assert extract_claims(observation).facts == ()


def test_evidence_may_occur_in_any_part_of_the_payload() -> None:
    assert reasons(observe(at=1, ref="a"), {**HOME, "evidence": "second"}) == []


@pytest.mark.parametrize(
    "evidence",
    ["I'm living in Oslo", "i moved", "My home", "J’habite Oslo", "chez moi", "m'appelle"],
)
def test_the_author_is_meant_in_the_first_person(evidence: str) -> None:
    assert reasons(text(evidence), {**HOME, "about": None, "evidence": evidence}) == []


@pytest.mark.parametrize("evidence", ["lives in Oslo", "Image of it", "habite Oslo"])
def test_nobody_is_meant_in_the_third_person(evidence: str) -> None:
    assert reasons(text(evidence), {**HOME, "about": None, "evidence": evidence}) == [
        "nobody is named, and the evidence is not in the first person"
    ]


def test_without_an_author_somebody_has_to_be_named() -> None:
    observation = observe(at=1, ref="a", actors=[OWNER], text="my home")

    assert reasons(observation, {**HOME, "about": None, "evidence": "my home"}) == [
        "nobody is named, and the observation has no author"
    ]


def test_a_named_actor_has_to_occur() -> None:
    observation = text("Zoe is living in Oslo")

    assert reasons(observation, {**HOME, "about": "zoe"}) == []
    assert reasons(observation, {**HOME, "about": "Max"}) == [
        "the name does not occur in the observation"
    ]
    assert len(reasons(observation, {**HOME, "about": " "})) == 1


def test_an_index_has_to_be_an_actors() -> None:
    assert reasons(text("living in Oslo"), {**HOME, "about": 3}) == ["there is no actor 3"]


def test_an_unknown_member_of_a_closed_set_falls_back() -> None:
    odd: JsonValue = {
        **HOME,
        "action": "upsert",
        "kind": ["?"],
        "volatility": "gaseous",
        "cardinality": 7,
        "valid": {"from": "2024-01-01T00:00:00Z", "precision": "fortnight"},
        "mood": "new field",
    }
    [fact] = admit(text("living in Oslo"), [odd]).facts

    assert (fact.action, fact.kind) == (ClaimAction.CREATE, ClaimKind.ATTRIBUTE)
    assert (fact.volatility, fact.cardinality) == (None, None)
    assert fact.valid is not None
    assert fact.valid.precision is None


@pytest.mark.parametrize(
    "raw",
    [
        None,
        "lives in Oslo",
        [],
        {},
        {**HOME, "predicate": "Lives In"},
        {**HOME, "confidence": 1.5},
        {**HOME, "about": -1},
        {**HOME, "value": None},
        {**HOME, "evidence": ""},
        {**HOME, "action": "retract", "replaces": {"value": "Rome"}},
        {**HOME, "valid": {"from": "2024-01-01"}},
    ],
)
def test_an_invalid_candidate_is_refused_and_the_rest_stays(raw: JsonValue) -> None:
    extraction = admit(text("living in Oslo"), [raw, HOME])

    assert len(extraction.facts) == 1
    assert [rejected.index for rejected in extraction.rejected] == [0]


def test_a_reason_names_the_fault_and_not_the_content() -> None:
    [reason] = reasons(text("x"), {**HOME, "confidence": "a secret"})

    assert "confidence" in reason
    assert "secret" not in reason


def test_a_model_may_propose_so_many() -> None:
    extraction = admit(text("living in Oslo"), [HOME] * (MAX_PROPOSED + 2), MAX_PROPOSED)

    assert len(extraction.facts) == MAX_PROPOSED
    assert extraction.rejected == tuple(
        Rejected(index, "more than 20 candidates") for index in (20, 21)
    )


def test_an_observation_without_claims_yields_nothing() -> None:
    assert extract_claims(observe(at=1, ref="a", actors=[ANN])).facts == ()
