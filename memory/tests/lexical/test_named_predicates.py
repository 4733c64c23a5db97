import pytest
from cortex_memory.lexical.named_predicates import MOST, named_predicate_terms
from cortex_memory.lexical.terms import query_terms
from hypothesis import given
from hypothesis import strategies as st
from roxabi_contracts.predicates import Predicate, PredicateCatalogue, bundled_catalogue

CATALOGUE = PredicateCatalogue(
    [
        Predicate(name="lives_in", description="Where.", synonyms=("moved_to", "habite_a")),
        Predicate(name="former_residence", description="Before.", synonyms=("moved_away_from",)),
        Predicate(name="pet", description="Which.", synonyms=("dog", "animal_de_compagnie")),
        Predicate(name="of_the", description="Stop words alone."),
    ]
)


def named(question: str, catalogue: PredicateCatalogue = CATALOGUE) -> tuple[str, ...]:
    return named_predicate_terms(query_terms(question), catalogue)


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("Which city did I move to?", ("lives", "live")),
        ("Où est-ce que j'habite ?", ("lives", "live")),
        ("Is there a dog?", ("pet",)),
        ("Quel est mon animal de compagnie ?", ("pet",)),
        ("Quel animal ?", ()),
        ("What does the invoice say?", ()),
        ("Of the?", ()),
        ("", ()),
    ],
)
def test_a_predicate_is_named_by_all_the_words_of_one_of_its_names(
    question: str, terms: tuple[str, ...]
) -> None:
    assert named(question) == terms


def test_the_longest_names_come_first() -> None:
    assert named("moved away") == ("former", "residence", "resid", "lives", "live")


def test_what_the_question_says_itself_is_not_looked_for_twice() -> None:
    asked = query_terms("Where do I live?")
    assert "live" in asked
    assert not set(named("Where do I live?", bundled_catalogue())) & set(asked)


def test_a_project_has_its_own_names() -> None:
    own = PredicateCatalogue([Predicate(name="mooring", description="The quay.")])
    assert named("Which quay and mooring?", own) == ()
    more = PredicateCatalogue(
        [Predicate(name="mooring", description="The quay.", synonyms=("berth",))]
    )
    assert named("Which berth?", more) == ("mooring", "moor")


@given(st.lists(st.sampled_from([name for one in CATALOGUE for name in one.synonyms]), max_size=6))
def test_order_and_repetition_of_words_change_nothing_but_what_is_known(names: list[str]) -> None:
    question = " ".join(names).replace("_", " ")
    terms = named(question)
    assert set(terms) == set(named(" ".join(reversed(question.split()))))
    assert len(set(terms)) == len(terms)


def test_few_predicates_are_named_by_a_long_question() -> None:
    many = PredicateCatalogue(
        [Predicate(name=f"kind_{word}", description="A kind.", synonyms=(f"thing_{word}",))
         for word in ("oak", "elm", "ash", "fir", "yew", "box", "bay", "fig", "plum", "pear")]
    )  # fmt: skip
    terms = named("thing oak elm ash fir yew box bay fig plum pear", many)
    assert len([term for term in terms if term == "kind"]) == 1
    assert len(terms) <= 2 * (MOST + 1)
