"""Who is who: identifiers, links and the entities they make."""

from itertools import permutations

import pytest
from cortex_memory.model import (
    Identifier,
    IdentifierId,
    IdentityLink,
    JournalId,
    LinkRelation,
    LinkStatus,
    ProjectId,
)
from cortex_memory.retain.entities import EntityMap, entities_of
from cortex_memory.retain.link_identities import (
    ADDRESS_RULE,
    CONFIGURED_RULE,
    DECLARED_RULE,
    RECORD_RULE,
    links_of,
)
from cortex_memory.retain.resolve_actors import first_identifier, identifiers_of, is_strong
from retain.observing import ANN, KEY, OWNER, actor, observe
from roxabi_contracts.actor import ActorKind, ActorRef, ActorRole
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


def resolved(
    letters: str,
    *links: IdentityLink,
    owners: str = "",
    platform: str = "",
    phones: str = "",
) -> EntityMap:
    """Entities of one-letter addresses, but for accounts of one platform and phones."""
    schemes = dict.fromkeys(platform, "account:forge") | dict.fromkeys(phones, "phone")
    identifiers = [
        Identifier(IdentifierId(letter), schemes.get(letter, "email"), letter) for letter in letters
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

    @pytest.mark.parametrize("number", ["22 33 44 55", "tel:22334455", "06 12 34 56 78"])
    def test_a_number_without_its_country_counts_inside_its_trace(self, number: str) -> None:
        caller = actor(f"phone:{number}")
        here = identifiers_of(caller, observe(at=1, ref="a", trace="one"), KEY)[0]
        again = identifiers_of(caller, observe(at=2, ref="b", trace="one"), KEY)[0]
        there = identifiers_of(caller, observe(at=3, ref="c", trace="two"), KEY)[0]

        assert here.id == again.id != there.id
        assert not is_strong(here)

    def test_the_number_of_who_owns_the_memory_is_theirs_everywhere(self) -> None:
        owner = actor("phone:22334455")
        seen = [observe(at=1, ref="a", actors=[owner], trace=trace) for trace in ("one", "two")]
        found = {identifiers_of(owner, one, KEY)[0].id for one in seen}

        assert found == {first_identifier(owner, seen[0], KEY)}

    @pytest.mark.parametrize("number", ["+47 22 33 44 55", "0047 22334455", "(+47) 22 33 44 55"])
    def test_a_number_with_its_country_is_one_everywhere(self, number: str) -> None:
        known = identifiers_of(actor("phone:+4722334455"), observe(at=1, ref="a"), KEY)[0]
        found = identifiers_of(actor(f"phone:{number}"), observe(at=1, ref="b", trace=None), KEY)

        assert [one.id for one in found] == [known.id]
        assert is_strong(found[0])

    def test_no_record_joins_a_number_without_its_country(self) -> None:
        bob = actor("bob@garden.org", "phone:22334455", role=ActorRole.MENTIONED)

        assert links_of(observe(at=1, ref="a", actors=[ANN, bob]), KEY) == ()

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

    def test_last_comma_first_is_the_same_bare_name(self) -> None:
        observation = observe(at=1, ref="a")
        spelled = [actor(name="Bee, Ann"), actor(name="Ann Bee"), actor(name="ANN  BEE")]

        assert len({identifiers_of(one, observation, KEY)[0].id for one in spelled}) == 1

    def test_the_name_beside_a_key_is_no_key(self) -> None:
        observation = observe(at=1, ref="a")
        one = actor("ann@garden.org", name="Bee, Ann")
        other = actor("ANN@garden.org", name="Ann Bee")

        assert identifiers_of(one, observation, KEY)[0].id == (
            identifiers_of(other, observation, KEY)[0].id
        )

    def test_two_people_of_one_name_with_two_addresses_stay_two(self) -> None:
        observation = observe(at=1, ref="a")
        one = actor("john@garden.org", name="John Smith")
        other = actor("john@forest.org", name="John Smith")

        assert identifiers_of(one, observation, KEY)[0].id != (
            identifiers_of(other, observation, KEY)[0].id
        )

    def test_under_the_address_of_a_list_speaks_the_one_that_is_named(self) -> None:
        observation = observe(at=1, ref="a", trace="thread")
        rewritten = actor("garden@lists.org", name="'Ann Bee' via garden-list")
        [found] = identifiers_of(rewritten, observation, KEY)

        assert found.id == identifiers_of(actor(name="Bee, Ann"), observation, KEY)[0].id
        assert not is_strong(found)


class TestLinks:
    def test_a_trusted_record_links_the_keys_it_states(self) -> None:
        bob = actor("bob@garden.org", "account:forge:7", role=ActorRole.MENTIONED)
        [found] = links_of(observe(at=1, ref="a", actors=[ANN, bob]), KEY)

        assert (found.rule, found.status, found.relation) == (RECORD_RULE, AUTO, SAME)

    def test_the_owners_keys_are_configured(self) -> None:
        owner: ActorRef = actor("ann@garden.org", "account:forge:7")
        [found] = links_of(observe(at=1, ref="a", actors=[owner]), KEY)

        assert found.rule == CONFIGURED_RULE

    def test_what_others_state_is_for_a_person_to_judge(self) -> None:
        owner = actor("ann@garden.org", "account:forge:7")
        for origin in (Origin.SEMI_TRUSTED, Origin.THIRD_PARTY):
            [found] = links_of(observe(at=1, ref="a", actors=[owner], origin=origin), KEY)
            assert (found.rule, found.status) == (DECLARED_RULE, CANDIDATE)
        assert links_of(observe(at=1, ref="a", actors=[owner], origin=Origin.UNTRUSTED), KEY) == ()

    def test_a_record_joins_the_keys_of_persons_alone(self) -> None:
        keys = ("dev@garden.org", "account:chat:7")
        for kind in (ActorKind.BOT, ActorKind.GROUP, ActorKind.ORGANISATION, ActorKind.TOOL):
            seen = observe(at=1, ref="a", actors=[OWNER, actor(*keys, kind=kind)])
            assert links_of(seen, KEY) == ()

    def test_a_shared_mailbox_is_no_person(self) -> None:
        bob = actor("info@garden.org", "account:chat:7", "bob@garden.org")
        seen = observe(at=1, ref="a", actors=[OWNER, bob])
        mailbox = identifiers_of(bob, seen, KEY)[0].id
        [found] = links_of(seen, KEY)

        assert mailbox not in (found.first, found.second)

    def test_an_address_of_github_states_its_account_whoever_writes(self) -> None:
        bob = actor("4711+bob@users.noreply.github.com")
        account = actor("account:github:4711")
        seen = observe(at=1, ref="a", actors=[OWNER, bob, account], origin=Origin.UNTRUSTED)
        [found] = links_of(seen, KEY)

        assert (found.rule, found.status) == (ADDRESS_RULE, AUTO)
        assert {found.first, found.second} == {
            identifiers_of(one, seen, KEY)[0].id for one in (bob, account)
        }


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

    def test_a_self_declared_key_does_not_enter_the_owners_entity(self) -> None:
        declared = link("ab", CANDIDATE, rule=DECLARED_RULE)

        assert groups(resolved("ab", declared, owners="a")) == ["a", "b"]
        assert groups(resolved("ab", declared)) == ["a", "b"]

    def test_a_candidate_never_hides_a_link_that_holds(self) -> None:
        declared = link("ab", CANDIDATE, at=9, rule=DECLARED_RULE)

        assert groups(resolved("ab", link("ab"), declared)) == ["ab"]

    def test_a_phone_that_records_say_of_two_people_joins_neither(self) -> None:
        family = [link("ap"), link("bp")]

        assert groups(resolved("abp", *family, phones="p")) == ["a", "b", "p"]
        assert groups(resolved("abp", *family, link("ab"), phones="p")) == ["abp"]
        assert groups(resolved("abp", link("ap"), phones="p")) == ["ap", "b"]

    def test_a_person_may_join_somebody_with_a_phone_that_others_use(self) -> None:
        family = [link("ap", CONFIRMED), link("bp")]

        assert groups(resolved("abp", *family, phones="p")) == ["ap", "b"]

    def test_what_is_refused_follows_from_the_whole_component_in_any_order(self) -> None:
        links = [
            link("ab"),
            link("bp"),
            link("cp"),
            link("cd"),
            link("ad", CONFIRMED, relation=DISTINCT),
        ]
        found = {
            tuple(groups(resolved("abcdp", *order, phones="p"))) for order in permutations(links)
        }

        assert found == {("ab", "cd", "p")}
