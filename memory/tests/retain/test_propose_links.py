"""Candidates: what is proposed, why, and what is not."""

from itertools import permutations

import pytest
from cortex_memory.model import (
    EntityId,
    Identifier,
    IdentifierId,
    IdentityLink,
    JournalId,
    LinkRelation,
    LinkStatus,
    ProjectId,
)
from cortex_memory.retain.compare_people import LikenessRule
from cortex_memory.retain.link_identities import DECLARED_RULE, RECORD_RULE
from cortex_memory.retain.propose_links import KnownKey, Proposal, propose


def key(text: str, *names: str, entity: str | None = None, kind: str | None = "person") -> KnownKey:
    """A key by `scheme:value`, which is its id too, and what it is called."""
    scheme, _, value = text.rpartition(":")
    return KnownKey(
        Identifier(IdentifierId(text), scheme, value),
        EntityId(entity or text),
        frozenset(names),
        frozenset({kind} if names and kind else ()),
    )


def link(
    first: str,
    second: str,
    status: LinkStatus,
    *,
    rule: str = RECORD_RULE,
    relation: LinkRelation = LinkRelation.SAME,
) -> IdentityLink:
    return IdentityLink(
        JournalId(f"{first} {second} {status} {relation}"),
        1,
        ProjectId("garden"),
        IdentifierId(first),
        IdentifierId(second),
        relation,
        status,
        rule,
        1,
    )


def reasons(*keys: KnownKey) -> list[tuple[str, float]]:
    return [(found.rule, found.score) for found in propose(keys, [])]


ALIKE = [
    ("provider_alias", key("email:ann.bee@gmail.com"), key("email:annbee+x@googlemail.com")),
    (
        "same_name_and_domain",
        key("email:ann@garden.org", "Ann Bee"),
        key("email:a.b@garden.org", "Bee, Ann"),
    ),
    (
        "same_name_and_handle",
        key("email:annbee@gmail.com", "Ann Bee"),
        key("account:forge:17", "Ann Bee"),
    ),
    ("same_name", key("email:x1@gmail.com", "Ren\u00e9 Roux"), key("account:chat:3", "Rene Roux")),
    ("same_name", key("email:x1@gmail.com", "Ann Bee"), key("name:Ann Bee")),
    ("handle_spells_name", key("email:ann.bee@gmail.com"), key("account:chat:17", "Ann Bee")),
    (
        "similar_name",
        key("email:ann@garden.org", "Annette Bee"),
        key("email:bee@garden.org", "Anette Bee"),
    ),
    (
        "similar_name",
        key("email:x@garden.org", "Ann Bee"),
        key("email:y@garden.org", "A. Bee"),
    ),
    ("same_number", key("phone:+4722334455"), key("phone:22 33 44 55")),
    ("same_handle", key("slug:gardenann"), key("account:forge:GardenAnn")),
]

APART = [
    (key("email:ann@garden.org", "Ann"), key("email:ann@forest.org", "Ann")),
    (key("email:ann@garden.org"), key("email:bob@garden.org")),
    (key("email:ann.bee@garden.org", "Ann Bee"), key("email:annbee@garden.com", "Bob Cole")),
    (key("email:ann+x@garden.org"), key("email:ann@garden.org")),
    (key("email:x@gmail.com", "Annette Bee"), key("email:y@gmail.com", "Anette Bee")),
    (key("email:info@garden.org", "Ann Bee"), key("account:chat:17", "Ann Bee")),
    (key("email:x@garden.org", "Ann Bee"), key("account:c:7", "Ann Bee", kind="bot")),
    (key("email:x@garden.org", "Ann Bee [bot]"), key("account:c:7", "Ann Bee")),
    (key("account:chat:1", "Ann Bee"), key("account:chat:2", "Ann Bee")),
    (key("email:x@g.org", "\u0410nn Bee"), key("account:chat:2", "\u0410nn Bee")),
    (key("name:Ann Bee"), key("name:Bee, Ann")),
    (key("name:Ann"), key("email:ann@garden.org", "Ann")),
    (key("slug:gardenann", "Ann Bee"), key("account:forge:gardenann", "Bob Cole")),
    (key("account:chat:T1/U7"), key("account:work:T1/U7")),
    (key("source:notes"), key("slug:notes")),
]


@pytest.mark.parametrize(("rule", "one", "other"), ALIKE)
def test_each_reason_has_its_case(rule: str, one: KnownKey, other: KnownKey) -> None:
    for keys in permutations([one, other]):
        [found] = propose(keys, [])
        assert found.rule == LikenessRule(rule)
        assert {found.first, found.second} == {one.identifier.id, other.identifier.id}
        assert all(found.evidence)


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_says_nothing_proposes_nothing(one: KnownKey, other: KnownKey) -> None:
    assert propose([one, other], []) == []


def test_a_name_that_many_bear_is_no_reason() -> None:
    many = [key(f"email:x{number}@p{number}.org", "John Smith") for number in range(6)]

    assert len(propose(many[:5], [])) == 10
    assert propose(many, []) == []
    assert reasons(*many, key("email:x9@p0.org", "John Smith")) == [("same_name_and_domain", 0.9)]


def test_of_two_entities_only_the_best_reason_is_shown() -> None:
    ann = [
        key("email:ann.bee@gmail.com", "Ann Bee", entity="ann"),
        key("account:chat:17", "Ann Bee", entity="ann"),
    ]
    other = key("email:annbee@gmail.com", "Ann Bee")
    [found] = propose([*ann, other], [])

    assert found.rule == LikenessRule.PROVIDER_ALIAS


def test_a_key_is_called_what_its_entity_is() -> None:
    ann = [key("email:x1@gmail.com", entity="ann"), key("account:chat:17", "Ann Bee", entity="ann")]

    assert len(propose([*ann, key("email:other@gmail.com", "Ann Bee")], [])) == 1


def test_the_likeliest_comes_first() -> None:
    keys = [
        key("email:ann.bee@gmail.com", "Ann Bee"),
        key("email:annbee@gmail.com"),
        key("account:forge:77", "Ann Bee"),
    ]
    scores = [found.score for found in propose(keys, [])]

    assert scores == sorted(scores, reverse=True)
    assert len(scores) > 1


ONE, OTHER = key("email:x1@gmail.com", "Ann Bee"), key("account:chat:3", "Ann Bee")
PAIR = (ONE.identifier.id, OTHER.identifier.id)


def test_what_a_person_has_judged_is_not_proposed_again() -> None:
    same, distinct = LinkRelation.SAME, LinkRelation.DISTINCT
    for status in (LinkStatus.REJECTED, LinkStatus.REVOKED):
        assert propose([ONE, OTHER], [link(*PAIR, status, relation=same)]) == []
    assert propose([ONE, OTHER], [link(*PAIR, LinkStatus.CONFIRMED, relation=distinct)]) == []
    assert len(propose([ONE, OTHER], [link(*PAIR, LinkStatus.REVOKED, relation=distinct)])) == 1


def test_a_judgement_on_two_keys_holds_for_the_entities_that_they_become() -> None:
    one = [ONE, key("email:x2@gmail.com", "Ann Bee", entity=ONE.entity)]
    rejected = link(*PAIR, LinkStatus.REJECTED)

    assert propose([*one, OTHER], [rejected]) == []


def test_what_a_record_states_and_does_not_join_is_proposed() -> None:
    apart = [key("email:x1@gmail.com"), key("account:chat:3")]
    [declared] = propose(apart, [link(*PAIR, LinkStatus.CANDIDATE, rule=DECLARED_RULE)])
    [refused] = propose(apart, [link(*PAIR, LinkStatus.AUTOMATIC)])

    assert (declared.rule, refused.rule) == (DECLARED_RULE, RECORD_RULE)
    assert refused.score > declared.score


def test_no_order_shows() -> None:
    keys = [one for _, *pair in ALIKE for one in pair if isinstance(one, KnownKey)]
    unlike = {one.identifier.id: one for one in keys}
    found: set[tuple[Proposal, ...]] = {
        tuple(propose(order, []))
        for order in (list(unlike.values()), list(reversed(unlike.values())))
    }

    assert len(found) == 1
