"""What an observation asserts, where it is placed, and what it weighs."""

import pytest
from cortex_memory.model import Assertion, EntityId, IdentifierId
from cortex_memory.retain.assertions import assertions_of, weighed
from cortex_memory.retain.extract import extract_claims
from retain.observing import (
    ANN,
    BOB,
    BOB_NAMED,
    CATALOGUE,
    KEY,
    OWNER,
    actor,
    alone,
    claim,
    observe,
)
from roxabi_contracts.actor import ActorKind, ActorRef, ActorRole
from roxabi_contracts.observation import Observation, Origin
from roxabi_contracts.payloads import ClaimAction


def asserted(observation: Observation) -> list[Assertion]:
    facts = extract_claims(observation).facts
    made = assertions_of(observation, facts, project_key=KEY, catalogue=CATALOGUE, entity_of=alone)
    return list(made)


def only(observation: Observation) -> Assertion:
    [assertion] = asserted(observation)
    return assertion


class TestId:
    def test_survives_an_edit_elsewhere_in_the_message(self) -> None:
        before = only(observe(claim("lives_in", "Oslo"), at=1, ref="a"))
        after = only(
            observe(
                claim("lives_in", " OSLO ", confidence=0.7),
                at=1,
                ref="a",
                revision=5,
                parser=9,
                text="words and more",
            )
        )

        assert after.id == before.id

    @pytest.mark.parametrize(
        "other",
        [
            observe(claim("lives_in", "Oslo"), at=1, ref="b"),
            observe(claim("lives_in", "Oslo"), at=1, ref="a", source="mail"),
            observe(claim("residence", "Oslo"), at=1, ref="a"),
            observe(claim("lives_in", "Rome"), at=1, ref="a"),
            observe(claim("lives_in", "Oslo", action=ClaimAction.SUPERSEDE), at=1, ref="a"),
            observe(claim("lives_in", "Oslo", begin=1), at=1, ref="a"),
            observe(claim("lives_in", "Oslo", until=9), at=1, ref="a"),
            observe(claim("lives_in", "Oslo", qualifiers={"season": "winter"}), at=1, ref="a"),
            observe(claim("lives_in", "Oslo", about=1), at=1, ref="a", actors=[ANN, BOB_NAMED]),
            observe(claim("lives_in", "Oslo"), at=1, ref="a", actors=[ANN, BOB], subject=1),
        ],
    )
    def test_tells_what_was_said_where(self, other: Observation) -> None:
        assert only(other).id != only(observe(claim("lives_in", "Oslo"), at=1, ref="a")).id

    def test_of_two_that_say_the_same_the_more_confident_counts(self) -> None:
        low, high = claim("lives_in", "Oslo", confidence=0.6), claim("lives_in", "oslo")
        for claims in ([low, high], [high, low]):
            kept = only(observe(*claims, at=1, ref="a"))
            assert kept.confidence == 1.0
            assert kept.value.texts == ('"oslo"',)

    def test_of_two_that_are_equally_sure_the_content_decides(self) -> None:
        one, other = claim("lives_in", "Oslo"), claim("lives_in", "oslo")
        said = [only(observe(*claims, at=1, ref="a")) for claims in ([one, other], [other, one])]

        assert said[0].value == said[1].value

    def test_depends_on_the_project_key(self) -> None:
        observation = observe(claim("lives_in", "Oslo"), at=1, ref="a")
        [other] = assertions_of(
            observation,
            extract_claims(observation).facts,
            project_key=b"another",
            catalogue=CATALOGUE,
            entity_of=alone,
        )

        assert other.id != only(observation).id


class TestPlace:
    def test_a_replacement_is_a_retract_and_a_create_at_one_time(self) -> None:
        retract, create = asserted(
            observe(claim("lives_in", "Rome", replaces="Oslo", begin=40), at=5, ref="a")
        )

        assert (retract.action, create.action) == (ClaimAction.RETRACT, ClaimAction.CREATE)
        assert (retract.time, create.time) == (40, 40)
        assert retract.order < create.order

    def test_an_edit_keeps_the_place_of_the_original(self) -> None:
        first = only(observe(claim("lives_in", "Oslo"), at=5, ref="a"))
        edit = only(observe(claim("lives_in", "Oslo"), at=5, ref="a", revision=90))

        assert edit.order == first.order

    def test_a_deleted_message_asserts_nothing(self) -> None:
        assert asserted(observe(claim("lives_in", "Oslo"), at=1, ref="a", deleted=True)) == []

    def test_a_name_is_an_actor_of_its_trace(self) -> None:
        said = [
            only(
                observe(
                    claim("lives_in", "Oslo", about="Zoe"),
                    at=1,
                    ref=ref,
                    trace=trace,
                    text="words Zoe",
                )
            )
            for ref, trace in [("a", "one"), ("b", "one"), ("c", "two")]
        ]

        assert said[0].about == said[1].about != said[2].about


TOOL = actor(kind=ActorKind.TOOL, name="scanner")
AGENT = actor(kind=ActorKind.AGENT, name="helper")
NAMELESS = actor(name="Zoe")


class TestAuthority:
    @pytest.mark.parametrize(
        ("actors", "about", "origin", "authority"),
        [
            ([ANN], 0, Origin.TRUSTED, 3),
            ([ANN], 0, Origin.THIRD_PARTY, 3),
            ([ANN], 0, Origin.UNTRUSTED, 0),
            ([ANN, BOB_NAMED], 1, Origin.TRUSTED, 2),
            ([OWNER, BOB], 1, Origin.THIRD_PARTY, 2),
            ([OWNER, BOB], 0, Origin.THIRD_PARTY, 1),
            ([OWNER, NAMELESS], 1, Origin.THIRD_PARTY, 1),
            ([OWNER, AGENT], 0, Origin.SEMI_TRUSTED, 2),
            ([OWNER, AGENT], 0, Origin.THIRD_PARTY, 1),
            ([OWNER, AGENT], 0, Origin.UNTRUSTED, 0),
            ([OWNER, TOOL], 0, Origin.TRUSTED, 3),
            ([OWNER, TOOL], 0, Origin.SEMI_TRUSTED, 1),
            ([OWNER], 0, Origin.TRUSTED, 3),
        ],
    )
    def test_by_who_speaks_of_whom(
        self, actors: list[ActorRef], about: int, origin: Origin, authority: int
    ) -> None:
        observation = observe(
            claim("lives_in", "Oslo", about=about), at=1, ref="a", actors=actors, origin=origin
        )

        assert only(observation).authority == authority

    def test_follows_identity(self) -> None:
        home = actor("ann@home.org", role=ActorRole.AUTHOR)
        observation = observe(
            claim("lives_in", "Oslo", about=1),
            at=1,
            ref="a",
            actors=[OWNER, home],
            origin=Origin.THIRD_PARTY,
        )
        apart = only(observation)
        joined = weighed(apart, lambda _: EntityId("ann"))

        assert (apart.authority, joined.authority) == (2, 3)
        assert joined.id == apart.id
        assert weighed(joined, alone) == apart
        assert weighed(apart, alone) is apart

    def test_the_role_of_author_makes_the_author(self) -> None:
        recipient = actor("cat@garden.org", role=ActorRole.RECIPIENT)
        told = only(observe(claim("lives_in", "Oslo"), at=1, ref="a", actors=[ANN, recipient]))

        assert told.author == told.about
        assert told.author != IdentifierId("")
