"""Who is who: identifiers, links and the entities they make."""

from itertools import permutations

from cortex_memory.model import (
    Identifier,
    IdentifierId,
    IdentityLink,
    JournalId,
    LinkRelation,
    LinkStatus,
    ProjectId,
)
from cortex_memory.retain.resolve_actors import (
    CONFIGURED_RULE,
    RECORD_RULE,
    EntityMap,
    entities_of,
    identifiers_of,
    is_strong,
    links_of,
)
from retain.observing import ANN, KEY, actor, observe
from roxabi_contracts.actor import ActorRef, ActorRole
from roxabi_contracts.observation import Origin

SAME, DISTINCT = LinkRelation.SAME, LinkRelation.DISTINCT
AUTO, CANDIDATE = LinkStatus.AUTOMATIC, LinkStatus.CANDIDATE
CONFIRMED, REJECTED, REVOKED = LinkStatus.CONFIRMED, LinkStatus.REJECTED, LinkStatus.REVOKED


def link(
    pair: str,
    status: LinkStatus = AUTO,
    *,
    relation: LinkRelation = SAME,
    at: int = 1,
    rule: str = RECORD_RULE,
) -> IdentityLink:
    """A link between two identifiers of one letter each."""
    return IdentityLink(
        id=JournalId(f"{pair}-{relation}-{status}-{at}-{rule}"),
        at=at,
        project=ProjectId("garden"),
        first=IdentifierId(pair[0]),
        second=IdentifierId(pair[1]),
        relation=relation,
        status=status,
        rule=rule,
        rule_version=1,
    )


def resolved(letters: str, *links: IdentityLink, owners: str = "", platform: str = "") -> EntityMap:
    """Entities of one-letter identifiers; those in `platform` are accounts of one platform."""
    identifiers = [
        Identifier(
            id=IdentifierId(letter),
            scheme="account:forge" if letter in platform else "email",
            value=letter,
        )
        for letter in letters
    ]
    return entities_of(identifiers, links, {IdentifierId(owner) for owner in owners})


def groups(entities: EntityMap) -> list[str]:
    return ["".join(entity.members) for entity in entities.entities]


class TestIdentifiers:
    def test_a_strong_key_is_the_same_however_it_is_spelled(self) -> None:
        observation = observe(at=1, ref="a")
        one = identifiers_of(actor("email:Ann@Garden.org "), observation, KEY)
        other = identifiers_of(ANN, observe(at=9, ref="b", trace="elsewhere"), KEY)

        assert one[0].id == other[0].id
        assert is_strong(one[0])

    def test_phone_numbers_are_compared_by_digits(self) -> None:
        observation = observe(at=1, ref="a")
        spelled = [actor("phone:+47 22 33-44"), actor("phone:+47223344")]
        ids = {identifiers_of(one, observation, KEY)[0].id for one in spelled}

        assert len(ids) == 1

    def test_one_value_under_two_schemes_is_two_identifiers(self) -> None:
        observation = observe(at=1, ref="a")
        known = identifiers_of(actor("account:forge:ann", "account:chat:ann"), observation, KEY)

        assert known[0].id != known[1].id

    def test_a_bare_name_counts_inside_its_trace(self) -> None:
        zoe = actor(name="Zoe")
        here = identifiers_of(zoe, observe(at=1, ref="a", trace="one"), KEY)[0]
        again = identifiers_of(actor(name="ZOE "), observe(at=2, ref="b", trace="one"), KEY)[0]
        there = identifiers_of(zoe, observe(at=1, ref="a", trace="two"), KEY)[0]

        assert here.id == again.id != there.id
        assert not is_strong(here)

    def test_without_a_trace_a_name_counts_inside_its_observation(self) -> None:
        zoe = actor(name="Zoe")
        ids = [
            identifiers_of(zoe, observe(at=1, ref=ref, trace=None), KEY)[0].id for ref in ("a", "b")
        ]

        assert ids[0] != ids[1]


class TestLinks:
    def test_a_trusted_record_links_the_keys_it_states(self) -> None:
        bob = actor("bob@garden.org", "account:forge:7", role=ActorRole.MENTIONED)
        [found] = links_of(observe(at=1, ref="a", actors=[ANN, bob]), KEY)

        assert (found.rule, found.status, found.relation) == (RECORD_RULE, AUTO, SAME)

    def test_the_owners_keys_are_configured(self) -> None:
        owner: ActorRef = actor("ann@garden.org", "account:forge:7")
        [found] = links_of(observe(at=1, ref="a", actors=[owner]), KEY)

        assert found.rule == CONFIGURED_RULE

    def test_other_origins_link_nothing(self) -> None:
        owner = actor("ann@garden.org", "account:forge:7")
        observation = observe(at=1, ref="a", actors=[owner], origin=Origin.SEMI_TRUSTED)

        assert links_of(observation, KEY) == ()


class TestEntities:
    def test_the_id_is_the_smallest_members(self) -> None:
        entities = resolved("cab", link("cb"))

        assert groups(entities) == ["a", "bc"]
        assert entities.entity_of(IdentifierId("c")) == "b"

    def test_an_unknown_identifier_is_an_entity_of_its_own(self) -> None:
        assert resolved("a").entity_of(IdentifierId("z")) == "z"

    def test_links_reach_through_others_in_any_order(self) -> None:
        links = [link("ab"), link("bc"), link("cd")]

        assert {tuple(groups(resolved("abcd", *order))) for order in permutations(links)} == {
            ("abcd",)
        }

    def test_a_candidate_joins_nothing(self) -> None:
        assert groups(resolved("ab", link("ab", CANDIDATE))) == ["a", "b"]

    def test_a_persons_row_comes_before_an_automatic_one(self) -> None:
        for status in (REJECTED, REVOKED):
            assert groups(resolved("ab", link("ab", status, at=1), link("ba", at=9))) == ["a", "b"]

    def test_of_a_persons_rows_the_latest_holds(self) -> None:
        said = [link("ab", CONFIRMED, at=2), link("ab", REVOKED, at=3), link("ab", CONFIRMED, at=4)]

        assert groups(resolved("ab", *said)) == ["ab"]
        assert groups(resolved("ab", *said[:2])) == ["a", "b"]

    def test_revoking_splits_exactly_what_it_joined(self) -> None:
        links = [link("ab"), link("bc"), link("cd"), link("bc", REVOKED, at=2)]

        assert groups(resolved("abcd", *links)) == ["ab", "cd"]

    def test_a_persons_distinct_refuses_the_whole_component(self) -> None:
        apart = link("ac", CONFIRMED, relation=DISTINCT)
        links = [link("ab", CONFIRMED), link("bc"), link("cd"), apart]

        assert groups(resolved("abcd", *links)) == ["ab", "c", "d"]

    def test_a_revoked_distinct_refuses_nothing(self) -> None:
        apart = link("ac", CONFIRMED, relation=DISTINCT)
        lifted = link("ac", REVOKED, relation=DISTINCT, at=5)

        assert groups(resolved("abc", link("ab"), link("bc"), apart, lifted)) == ["abc"]

    def test_two_accounts_of_one_platform_are_refused(self) -> None:
        links = [link("ab"), link("bc")]

        assert groups(resolved("abc", *links, platform="ac")) == ["a", "b", "c"]
        assert groups(resolved("abc", *links, platform="a")) == ["abc"]

    def test_a_person_may_confirm_two_accounts(self) -> None:
        assert groups(resolved("ab", link("ab", CONFIRMED), platform="ab")) == ["ab"]

    def test_an_oversized_component_is_refused(self) -> None:
        letters = "".join(chr(0x4E00 + number) for number in range(65))
        chain = [link(letters[number : number + 2]) for number in range(64)]

        assert len(resolved(letters, *chain).entities) == 65
        assert len(resolved(letters[:64], *chain[:63]).entities) == 1

    def test_nothing_automatic_joins_who_owns_a_memory(self) -> None:
        assert groups(resolved("abc", link("ab"), link("bc"), owners="a")) == ["a", "b", "c"]

    def test_the_owners_configuration_and_persons_do(self) -> None:
        configured = link("ab", rule=CONFIGURED_RULE)

        assert groups(resolved("ab", configured, owners="a")) == ["ab"]
        assert groups(resolved("ab", configured, link("ab"), owners="a")) == ["ab"]
        assert groups(resolved("ab", link("ab", CONFIRMED), owners="a")) == ["ab"]
