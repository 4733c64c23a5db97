"""What the rules read from sentences, and that they never read more."""

import time
from datetime import UTC, datetime

import pytest
from cortex_insight.enrich.port import SpeechContext
from cortex_insight.enrich.rules import RuleEnricher, claims_in, english, french
from cortex_insight.enrich.rules.rule import Rule
from hypothesis import given, settings
from hypothesis import strategies as st
from roxabi_contracts import ActorKind, ActorRef, ActorRole, bundled_catalogue
from roxabi_contracts.payloads import TimePrecision

from .notation import described
from .sentences import SAID
from .unclaimed import UNCLAIMED

NOW = datetime(2026, 3, 11, 10, tzinfo=UTC)
"""A Wednesday."""


def read(text: str) -> list[str]:
    return [described(claim) for claim in claims_in(text, NOW)]


@pytest.mark.parametrize(("sentence", "expected"), SAID.items())
def test_a_sentence_claims_what_it_says(sentence: str, expected: list[str]) -> None:
    assert read(sentence) == expected


@pytest.mark.parametrize("sentence", UNCLAIMED)
def test_what_is_not_asserted_is_not_claimed(sentence: str) -> None:
    assert read(sentence) == []


@pytest.mark.parametrize("sentence", SAID)
def test_every_claim_is_of_the_catalogue_and_shows_its_evidence(sentence: str) -> None:
    for claim in claims_in(sentence, NOW):
        predicate = bundled_catalogue().lookup(claim.predicate)
        assert predicate is not None
        assert predicate.name == claim.predicate
        assert set(claim.qualifiers) == set(predicate.qualifiers)
        assert claim.kind is predicate.kind
        assert claim.evidence in sentence
        assert 0.5 < claim.confidence < 1
        assert claim.about is None or str(claim.about) in claim.evidence


@pytest.mark.parametrize(
    "one",
    [
        *english.INTRODUCTIONS,
        *english.RULES,
        *french.INTRODUCTIONS,
        *french.RULES,
    ],
    ids=lambda one: one.name,
)
def test_every_rule_speaks_the_names_of_the_catalogue(one: Rule) -> None:
    for says in one.says:
        predicate = bundled_catalogue().lookup(says.predicate)
        assert predicate is not None
        assert predicate.name == says.predicate


@given(st.lists(st.sampled_from([*SAID, *UNCLAIMED]), min_size=1, max_size=4))
@settings(deadline=None)
def test_sentences_on_lines_of_their_own_do_not_disturb_each_other(sentences: list[str]) -> None:
    plain = [one for one in sentences if not one.startswith(("```", "~~~"))]
    expected = [claim for one in plain for claim in read(one)]
    assert read("\n".join(plain)) == expected


@given(st.text(max_size=400))
@settings(max_examples=300, deadline=None)
def test_no_text_makes_it_fail(text: str) -> None:
    for claim in claims_in(text, NOW):
        assert claim.evidence in text


FRAGMENTS = st.sampled_from(
    ["I ", "we ", "live in ", "use ", "prefer ", "to ", "over ", "Paris", "npm", ", ", "and ",
     ". ", "?", "\n", "`", '"', "«", "»", "since ", "31 February 2024", "until ", "2024-13-45",
     "je ", "j'", "n'utilise plus ", "habite à ", "préfère ", "au ", "always ", "Never ", "'",
     "’", "moved to ", "was born ", "on 30 February 1990", "\u00a0", "\ufffc", "<", "\t", "0"]
)  # fmt: skip


@given(st.lists(FRAGMENTS, max_size=30).map("".join))
@settings(max_examples=500, deadline=None)
def test_evidence_is_a_verbatim_part_of_what_resembles_speech(text: str) -> None:
    for claim in claims_in(text, NOW):
        assert claim.evidence in text
        for value in claim.value.values():
            assert isinstance(value, str)
            assert value.strip()


@pytest.mark.parametrize(
    "unit",
    ["I live in Paris and ", "“", '"', "`", "'", " ", "a", ", I ", "I prefer a to b over ", "<",
     "I use Vim, ", "je préfère ", "since ", "\n", "ha", ".", "~~~\n", "1 ",
     "I live in Paris and live in Rome ", "my friend Tom ", "Last month, ", "as a nurse, I ",
     "use it in every ", "rewrite this ", "from 2010 to ", "je joue ", "and speak ", "{\n"],
)  # fmt: skip
def test_time_grows_with_the_length_and_no_faster(unit: str) -> None:
    eighth, whole = (_cost(unit * (length // len(unit))) for length in (8_192, 65_536))

    assert whole < 24 * max(eighth, 0.01), "eight times the text may not cost its square"


def _cost(text: str) -> float:
    """Seconds of processor time that the rules take over the text."""
    started = time.process_time()
    claims_in(text, NOW)
    return time.process_time() - started


def test_agents_claim_nothing_by_rules() -> None:
    agent = ActorRef(kind=ActorKind.AGENT, role=ActorRole.AUTHOR, name="assistant")
    person = agent.model_copy(update={"kind": ActorKind.PERSON})
    said = SpeechContext(said_at=NOW, zone=None)
    assert RuleEnricher().claims("I live in Paris", agent, said) == ()
    assert len(RuleEnricher().claims("I live in Paris", person, said)) == 1


@pytest.mark.parametrize(
    ("words", "start", "end", "precision"),
    [
        ("since 2021", "2021-01-01", None, TimePrecision.YEAR),
        ("since March 2024", "2024-03-01", None, TimePrecision.MONTH),
        ("since March", "2026-03-01", None, TimePrecision.MONTH),
        ("since June", "2025-06-01", None, TimePrecision.MONTH),
        ("since 5 June 2023", "2023-06-05", None, TimePrecision.DAY),
        ("since June 5th, 2023", "2023-06-05", None, TimePrecision.DAY),
        ("since 2023-06-05", "2023-06-05", None, TimePrecision.DAY),
        ("from Monday", "2026-03-16", None, TimePrecision.DAY),
        ("until Friday", None, "2026-03-14", TimePrecision.DAY),
        ("until Wednesday", None, "2026-03-19", TimePrecision.DAY),
        ("until tomorrow", None, "2026-03-13", TimePrecision.DAY),
        ("until June", None, "2026-07-01", TimePrecision.MONTH),
        ("until February", None, "2027-03-01", TimePrecision.MONTH),
        ("until December 2026", None, "2027-01-01", TimePrecision.MONTH),
        ("from 2024 until 2025", "2024-01-01", "2026-01-01", TimePrecision.YEAR),
        ("from 2025 until 2023", None, None, None),
        ("since 31 February 2024", None, None, None),
        ("depuis le 3 mai 2023", "2023-05-03", None, TimePrecision.DAY),
        ("depuis 2021", "2021-01-01", None, TimePrecision.YEAR),
        ("à partir de juin", "2026-06-01", None, TimePrecision.MONTH),
        ("jusqu'au 1er avril", None, "2026-04-02", TimePrecision.DAY),
        ("for ten years", None, None, None),
        ("depuis 5 ans", None, None, None),
    ],
)
def test_validity(
    words: str, start: str | None, end: str | None, precision: TimePrecision | None
) -> None:
    (claim,) = claims_in(f"I live in Paris {words}", NOW)
    valid = claim.valid
    assert (valid.valid_from.date().isoformat() if valid and valid.valid_from else None) == start
    assert (valid.valid_until.date().isoformat() if valid and valid.valid_until else None) == end
    assert (valid.precision if valid else None) == precision
