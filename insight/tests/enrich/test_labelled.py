"""What the rules make of the labelled texts, and that the set is what it should be."""

from collections import Counter
from datetime import UTC, datetime
from typing import Final

import pytest
from cortex_insight.enrich.rules import claims_in
from hypothesis import given, settings
from hypothesis import strategies as st
from roxabi_contracts import Claim, bundled_catalogue

from .labelled_set import Labelled, Part, labelled, score, table
from .notation import described

NOW: Final = datetime(2026, 3, 11, 10, tzinfo=UTC)
"""A Wednesday, from which relative dates of the set count."""
SET: Final = labelled()
LEAST_PRECISION: Final = 0.95
LEAST_RECALL: Final = 0.6


def read(item: Labelled) -> tuple[str, ...]:
    return tuple(described(claim) for claim in claims_in(item.text, NOW))


def test_the_set_is_large_and_of_both_languages_and_claims_nothing_in_many_texts() -> None:
    languages = Counter(item.language for item in SET)
    assert languages.keys() == {"english", "french"}
    assert min(languages.values()) > 0.35 * len(SET)
    assert len(SET) >= 1_000
    assert sum(not item.claims for item in SET) >= 0.4 * len(SET)
    assert len({item.text for item in SET}) == len(SET)


def test_a_third_of_the_set_is_held_out() -> None:
    held_out = sum(item.part == "held out" for item in SET)
    assert 0.3 < held_out / len(SET) < 0.37


def test_every_label_is_of_the_catalogue() -> None:
    names = {claim.partition("=")[0].partition(" ")[2] for item in SET for claim in item.claims}
    unknown = [name for name in names if bundled_catalogue().lookup(name) is None]
    assert unknown == []


@pytest.mark.parametrize("part", ["development", "held out"])
def test_what_is_claimed_is_right_and_most_is_found(part: Part) -> None:
    scores = score((item, read(item)) for item in SET if item.part == part)
    print(table(part, scores))

    assert scores["all"].precision >= LEAST_PRECISION
    assert scores["all"].recall >= LEAST_RECALL


@pytest.mark.parametrize("language", ["english", "french"])
@pytest.mark.parametrize("part", ["development", "held out"])
def test_neither_language_lags_behind(part: Part, language: str) -> None:
    of_it = (item for item in SET if item.part == part and item.language == language)
    whole = score((item, read(item)) for item in of_it)["all"]
    print(table(f"{part}, {language}", {"all": whole}))

    assert whole.precision >= LEAST_PRECISION
    assert whole.recall >= LEAST_RECALL


@pytest.mark.parametrize("item", [item for item in SET if item.claims], ids=lambda item: item.text)
def test_a_claim_is_of_the_catalogue_with_its_evidence_and_its_qualifiers(item: Labelled) -> None:
    for claim in claims_in(item.text, NOW):
        predicate = bundled_catalogue().lookup(claim.predicate)
        assert predicate is not None
        assert predicate.name == claim.predicate
        assert set(claim.qualifiers) == set(predicate.qualifiers)
        assert claim.kind is predicate.kind
        assert claim.evidence in item.text
        assert claim.about is None or str(claim.about) in claim.evidence


SAME: Final = (
    ("My favourite colour is blue.", "Ma couleur préférée est le vert."),
    ("My favourite food is ramen.", "Mon plat préféré est le couscous."),
    ("My favourite movie is Alien.", "Mon film préféré est Playtime."),
    ("I prefer tea to coffee.", "Je préfère le thé au café."),
    ("I prefer tabs over spaces.", "Je préfère les espaces aux tabulations."),
    ("I prefer porridge for breakfast.", "Je préfère le cacao pour le petit-déjeuner."),
    ("I now live in Oslo.", "J'habite maintenant à Dijon."),
    ("I used to live in Rome.", "Avant, j'habitais à Reims."),
    ("I used to work at Nokia.", "Avant, je travaillais chez Peugeot."),
    ("I switched from npm to pnpm.", "Je suis passé de Chrome à Firefox."),
    ("I no longer use Slack.", "Je n'utilise plus Slack."),
    ("I don't like jazz anymore.", "Je n'aime plus le jazz."),
    ("I quit smoking in 2020.", "J'ai arrêté de fumer en 2020."),
    ("We decided to use Kafka.", "On a décidé d'utiliser Kafka."),
    ("I decided not to renew the lease.", "J'ai décidé de ne pas renouveler le bail."),
    ("I plan to learn the violin.", "J'ai l'intention d'apprendre le violon."),
    ("I promise to call the landlord.", "Je vous promets de rappeler le propriétaire."),
    ("I'm moving to Lisbon in May.", "Je vais déménager à Lorient en mai."),
    ("Tom lives in Leeds.", "Rachid habite à Pau."),
    ("My brother Tom is ill.", "Mon frère Gaël est malade."),
)
"""English and French that speak of one slot in the same way."""


@pytest.mark.parametrize(("english", "french"), SAME)
def test_both_languages_meet_in_one_slot(english: str, french: str) -> None:
    def slots(text: str) -> list[tuple[object, ...]]:
        return [
            (claim.predicate, claim.action, claim.kind, qualifiers(claim), claim.about is None)
            for claim in claims_in(text, NOW)
        ]

    assert slots(english)
    assert slots(english) == slots(french)


def qualifiers(claim: Claim) -> object:
    """Those that a language does not colour: a decision is its own words."""
    return None if claim.predicate == "decision_status" else claim.qualifiers


@given(st.sampled_from(SET))
@settings(deadline=None)
def test_what_is_quoted_or_fenced_is_not_claimed(item: Labelled) -> None:
    plain = item.text.replace("`", "").replace("~", "")
    assert claims_in(f"```\n{plain}\n```", NOW) == ()
    assert claims_in("\n".join(f"> {line}" for line in plain.splitlines()), NOW) == ()


@given(st.lists(st.sampled_from(SET), max_size=5))
@settings(deadline=None)
def test_the_same_text_claims_the_same_in_its_own_order(items: list[Labelled]) -> None:
    text = "\n\n".join(item.text for item in items)
    claims = claims_in(text, NOW)
    assert claims == claims_in(text, NOW)
    places = [text.index(claim.evidence) for claim in claims]
    assert all(place >= 0 for place in places)


@given(st.sampled_from(SET), st.integers(0, 200), st.text(max_size=5))
@settings(deadline=None)
def test_a_damaged_text_makes_nothing_fail(item: Labelled, place: int, junk: str) -> None:
    damaged = item.text[:place] + junk + item.text[place:]
    assert all(claim.evidence in damaged for claim in claims_in(damaged, NOW))
