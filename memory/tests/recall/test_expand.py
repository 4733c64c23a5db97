from collections.abc import Callable

from cortex_memory.recall.candidate import FactCandidate
from cortex_memory.recall.expand import names_to_follow
from roxabi_contracts.context import PacketFact

Build = Callable[..., FactCandidate]


def say(fact: Build, text: str) -> PacketFact:
    return fact(about_name=None, value={"value": text}).served(stale=False)


def test_the_most_frequent_names_come_first_and_at_most_two(fact: Build) -> None:
    facts = [say(fact, text) for text in ("met Zoé and Carol", "Zoé and Bob", "Zoé, Bob and Dan")]
    assert names_to_follow(facts, "who is there") == ("Zoé", "Bob")


def test_equally_frequent_names_are_in_the_order_of_the_alphabet(fact: Build) -> None:
    assert names_to_follow([say(fact, "Dan and Carol and Bob")], "") == ("Bob", "Carol")


def test_words_of_the_query_are_left_out(fact: Build) -> None:
    assert names_to_follow([say(fact, "Bob met Carol")], "what about bob?") == ("Carol",)


def test_starts_of_sentences_and_short_words_are_no_names(fact: Build) -> None:
    assert names_to_follow([say(fact, "The plan. Dans Le Mans, Al and IBM")], "") == ("Mans",)


def test_a_fact_counts_a_name_once(fact: Build) -> None:
    facts = [say(fact, "Bob Bob Bob"), say(fact, "Carol"), say(fact, "Carol")]
    assert names_to_follow(facts, "") == ("Carol", "Bob")


def test_whom_a_fact_is_about_is_a_name_unless_the_memory_is_theirs(fact: Build) -> None:
    own = fact(about_name="Ada Moore", value={"value": "Zoé"}).served(stale=False)
    other = fact(about="bob", about_name="Bob", value={"value": "tea"}).served(stale=False)
    assert names_to_follow([own, own, other], "") == ("Zoé", "Bob")
