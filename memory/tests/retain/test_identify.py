"""Which names are one predicate."""

from cortex_memory.model import JournalId, PredicateVerdict, ProjectId
from cortex_memory.retain.identify import group_of, name_components, standing_verdicts
from retain.building import said
from retain.observing import CATALOGUE
from roxabi_contracts.payloads import Cardinality, ClaimKind, Volatility
from roxabi_contracts.predicates import ChangeRule


def verdict(
    first: str, second: str, *, same: bool = True, at: int = 1, model: str | None = "minilm"
) -> PredicateVerdict:
    name = JournalId(f"{first}-{second}-{same}-{at}-{model}")
    return PredicateVerdict(name, at, ProjectId("garden"), first, second, same, model)


def components(names: set[str], *verdicts: PredicateVerdict) -> set[frozenset[str]]:
    return set(name_components(names, standing_verdicts(verdicts), CATALOGUE))


def test_other_names_are_other_predicates() -> None:
    assert components({"pet", "car"}) == {frozenset({"pet"}), frozenset({"car"})}


def test_synonyms_of_the_catalogue_are_one() -> None:
    assert components({"residence", "habite_a"}) == {frozenset({"residence", "habite_a"})}


def test_a_positive_verdict_joins_two_names() -> None:
    assert components({"pet", "animal"}, verdict("animal", "pet")) == {frozenset({"pet", "animal"})}


def test_a_negative_verdict_does_not() -> None:
    assert len(components({"pet", "animal"}, verdict("pet", "animal", same=False))) == 2


def test_a_verdict_with_the_catalogues_name_reaches_its_synonyms() -> None:
    assert components({"residence", "dwells_in"}, verdict("dwells_in", "lives_in")) == {
        frozenset({"residence", "dwells_in"})
    }


def test_names_that_are_not_present_join_nothing() -> None:
    chain = [verdict("pet", "animal"), verdict("animal", "creature")]

    assert len(components({"pet", "creature"}, *chain)) == 2
    assert len(components({"pet", "animal", "creature"}, *chain)) == 1


def test_a_person_revokes_a_verdict_whenever_it_was_computed() -> None:
    computed = [verdict("pet", "animal", at=1), verdict("pet", "animal", at=9)]
    revoked = verdict("animal", "pet", same=False, at=5, model=None)

    assert len(components({"pet", "animal"}, *computed, revoked)) == 2


def test_of_two_verdicts_of_one_kind_the_latest_holds() -> None:
    first, second = verdict("pet", "animal", at=1), verdict("pet", "animal", same=False, at=2)

    assert len(components({"pet", "animal"}, second, first)) == 2


def test_a_model_never_joins_two_predicates_of_the_catalogue() -> None:
    bridge = [verdict("lives_in", "place"), verdict("place", "likes")]
    confirmed = verdict("lives_in", "spot", model=None)
    names = {"lives_in", "place", "likes", "spot"}

    assert components(names, *bridge, confirmed) == {
        frozenset({"lives_in", "spot"}),
        frozenset({"place"}),
        frozenset({"likes"}),
    }


def test_a_person_may_join_two_predicates_of_the_catalogue() -> None:
    assert len(components({"lives_in", "likes"}, verdict("likes", "lives_in", model=None))) == 1


def test_the_canonical_name_is_the_catalogues() -> None:
    said_as = [said("Oslo", 1, predicate="dwells_in"), said("Oslo", 2, predicate="residence")]
    group = group_of(frozenset({"dwells_in", "residence"}), said_as, CATALOGUE)

    assert group.canonical == "lives_in"
    assert group.rules.change is ChangeRule.LATEST


def test_else_that_of_the_earliest_assertion() -> None:
    said_as = [said("Rex", 2, predicate="animal"), said("Rex", 1, predicate="pet")]

    assert group_of(frozenset({"animal", "pet"}), said_as, CATALOGUE).canonical == "pet"


def test_one_saying_of_many_makes_the_predicate_many() -> None:
    said_as = [said("Rex", 1, predicate="pet"), said("Tom", 2, predicate="pet")]
    many = said("Kit", 9, predicate="pet", cardinality=Cardinality.MANY)

    assert group_of(frozenset({"pet"}), said_as, CATALOGUE).cardinality is Cardinality.ONE
    assert group_of(frozenset({"pet"}), [*said_as, many], CATALOGUE).cardinality is Cardinality.MANY


def test_a_catalogue_name_takes_no_cardinality_from_a_saying() -> None:
    many = said("Oslo", 1, cardinality=Cardinality.MANY)

    assert group_of(frozenset({"lives_in"}), [many], CATALOGUE).cardinality is Cardinality.ONE


def test_kind_and_volatility_are_the_catalogues() -> None:
    rules = group_of(frozenset({"prefers"}), [], CATALOGUE).rules

    assert (rules.kind, rules.volatility) == (ClaimKind.PREFERENCE, Volatility.SLOW)
