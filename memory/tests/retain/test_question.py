"""What a model is asked about is spoken, bounded, and quoted."""

import json

from cortex_memory.retain.question import (
    MAX_CHARACTERS,
    Question,
    document_of,
    is_worth_asking,
)
from hypothesis import given
from hypothesis import strategies as st
from retain.observing import actor, observe
from roxabi_contracts.actor import ActorKind


@given(st.text(min_size=1, max_size=200))
def test_no_text_leaves_its_string(text: str) -> None:
    document = json.loads(document_of(Question(observe(at=1, ref="a", text=text), ())))
    assert document["observation"]["text"] == text
    assert document.keys() == {"observation", "known_facts"}


def test_of_a_long_text_the_beginning_is_shown_and_said_to_be_cut() -> None:
    text = "long " * MAX_CHARACTERS
    document = json.loads(document_of(Question(observe(at=1, ref="a", text=text), ())))
    assert document["observation"]["text"] == text[:MAX_CHARACTERS]
    assert document["observation"]["text_is_cut"] is True


def test_identifiers_of_actors_stay_at_home() -> None:
    ann = actor("ann@garden.org", name="Ann")
    document = document_of(Question(observe(at=1, ref="a", actors=[ann]), ()))
    assert "Ann" in document
    assert "ann@garden.org" not in document


def test_only_what_somebody_says_is_worth_asking_about() -> None:
    tool = actor("grep@tools.org", kind=ActorKind.TOOL)
    assert is_worth_asking(observe(at=1, ref="a"))
    assert not is_worth_asking(observe(at=1, ref="a", actors=[tool]))
    assert not is_worth_asking(observe(at=1, ref="a", text=""))
    assert not is_worth_asking(observe(at=1, ref="a", deleted=True))
