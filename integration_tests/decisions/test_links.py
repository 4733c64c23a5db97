"""Who is who, as persons say it over the broker: entities change, and the facts follow."""

import pytest
from cortex_memory import answer_entities
from cortex_memory.rebuild import rebuild
from decisions.operator import ANN_KEY, BOB_KEY, Operator, shown
from memory.observing import ANN, BOB, PROJECT, actor, claim, observe
from roxabi_contracts.actor import ActorRef, ActorRole
from roxabi_contracts.errors import ErrorCode, RequestRefused
from roxabi_contracts.identities import EntitiesView, LinkAction
from roxabi_contracts.observation import Correlation, MadeBy, Observation, Origin
from roxabi_contracts.payloads import Interaction, TimeNote, TimePrecision, TimeSource

OWNER = actor(ANN_KEY, role=ActorRole.OWNER)
HOME = "email:ann.bee@gmail.com"
WORK = "account:chat:17"
LINK, UNLINK = LinkAction.LINK, LinkAction.UNLINK

SAID = [
    observe(claim("lives_in", "Oslo"), at=1, ref="a", actors=[ANN]),
    observe(
        claim("lives_in", "Paris", about=0),
        at=2,
        ref="b",
        actors=[actor(HOME, name="Ann Bee"), OWNER],
        subject=1,
        origin=Origin.THIRD_PARTY,
    ),
    observe(
        claim("lives_in", "Rome", about=0),
        at=3,
        ref="c",
        actors=[actor(WORK, name="Bee, Ann"), OWNER],
        subject=1,
        origin=Origin.THIRD_PARTY,
    ),
]
OTHERS = [
    observe(claim("pet", "cat"), at=4, ref="d", actors=[BOB]),
    observe(claim("pet", "dog"), at=5, ref="e", actors=[actor("rob@forest.org")]),
]


async def told(operator: Operator) -> list[bytes]:
    """The dump, which the reference has to agree with."""
    dump = await operator.warehouse.dump()
    assert dump == await operator.warehouse.reference()
    return dump


async def test_keys_that_are_linked_are_one_and_their_facts_are_folded_together(
    operator: Operator,
) -> None:
    await operator.warehouse.retain(SAID)
    before = await told(operator)
    assert await operator.shown() == {"Oslo": "active", "Paris": "active", "Rome": "active"}

    reply = await operator.link(LINK, HOME, WORK)

    assert reply.links == 1
    [entity] = reply.entities
    assert {key.value for key in entity.keys} == {"ann.bee@gmail.com", "17"}
    assert await operator.shown() == {"Oslo": "active", "Paris": "superseded", "Rome": "active"}
    assert await told(operator) != before


async def test_taking_a_link_back_is_as_if_it_had_never_been_made(operator: Operator) -> None:
    await operator.warehouse.retain(SAID)
    before = await told(operator)
    await operator.link(LINK, HOME, WORK, at=10)
    await operator.link(LINK, ANN_KEY, WORK, at=11)
    assert len(await operator.people()) == 1
    await told(operator)

    await operator.link(UNLINK, WORK, ANN_KEY, at=12)
    await operator.link(UNLINK, HOME, WORK, at=13)

    assert await told(operator) == before


async def test_two_memories_become_one_and_two_again(operator: Operator) -> None:
    await operator.warehouse.retain(OTHERS)
    before = await told(operator)
    await operator.link(LINK, BOB_KEY, "rob@forest.org", at=10)
    facts = (await operator.facts(subject="rob@forest.org")).facts
    assert shown(facts).keys() == {"cat", "dog"}
    await told(operator)

    await operator.link(UNLINK, BOB_KEY, "rob@forest.org", at=11)
    assert await told(operator) == before


async def test_a_link_waits_for_who_is_not_known_yet(operator: Operator) -> None:
    await operator.warehouse.retain(SAID[:2])
    await operator.link(LINK, HOME, WORK)
    await operator.warehouse.retain(SAID[2:])

    assert await operator.shown() == {"Oslo": "active", "Paris": "superseded", "Rome": "active"}
    await told(operator)


async def test_the_same_words_again_change_nothing(operator: Operator) -> None:
    await operator.warehouse.retain(SAID)
    await operator.link(LINK, HOME, WORK)
    dump = await told(operator)

    assert (await operator.link(LINK, WORK, HOME)).links == 0
    assert (await operator.link(UNLINK, WORK, HOME, at=101)).links == 1
    assert (await operator.link(UNLINK, WORK, HOME, at=102)).links == 0
    assert await told(operator) != dump


async def test_a_rebuild_keeps_what_persons_said(operator: Operator) -> None:
    warehouse = operator.warehouse
    await warehouse.retain(SAID, OTHERS)
    await operator.link(LINK, HOME, WORK)
    await operator.link(LINK, BOB_KEY, "rob@forest.org")
    dump = await told(operator)
    await rebuild(warehouse.parts, None, lambda done, total: None)

    assert await told(operator) == dump


async def test_what_a_record_states_is_joined_unless_a_person_says_otherwise(
    operator: Operator,
) -> None:
    both = actor(BOB_KEY, "account:chat:7", role=ActorRole.MENTIONED)
    await operator.warehouse.retain([observe(at=1, ref="a", actors=[ANN, both])])
    assert frozenset({BOB_KEY_SHOWN, "account:chat:7"}) in await operator.people()

    await operator.link(UNLINK, BOB_KEY, "account:chat:7")
    assert frozenset({BOB_KEY_SHOWN}) in await operator.people()
    await operator.warehouse.retain([observe(at=2, ref="b", actors=[ANN, both])])
    assert frozenset({BOB_KEY_SHOWN}) in await operator.people()
    await told(operator)


BOB_KEY_SHOWN = f"email:{BOB_KEY}"


async def test_distinct_keeps_two_apart_whatever_records_say(operator: Operator) -> None:
    keys = [BOB_KEY, "account:chat:7", "account:forge:9"]
    pairs = [actor(*keys[:2]), actor(*keys[1:])]
    seen = [
        observe(at=at, ref=str(at), actors=[ANN, pair]) for at, pair in enumerate(pairs, start=1)
    ]
    await operator.warehouse.retain(seen)
    assert len(await operator.people()) == 2

    await operator.link(LinkAction.DISTINCT, BOB_KEY, "account:forge:9", at=10)
    assert len(await operator.people()) == 4
    await told(operator)
    await operator.link(UNLINK, BOB_KEY, "account:forge:9", at=11)
    assert len(await operator.people()) == 2
    await told(operator)


async def test_a_rule_is_undone_as_a_whole(operator: Operator) -> None:
    records = [
        actor(f"p{number}@garden.org", f"account:chat:{number}", role=ActorRole.MENTIONED)
        for number in range(3)
    ]
    await operator.warehouse.retain([observe(at=1, ref="a", actors=[ANN, *records])])
    assert len(await operator.people()) == 4

    undone = await operator.link(LinkAction.UNDO_RULE, rule="one_record")

    assert undone.links == 3
    assert len(await operator.people()) == 7
    await told(operator)


async def test_the_owners_accounts_are_theirs_for_as_long_as_they_are_configured(
    operator: Operator,
) -> None:
    accounts = LinkAction.ACCOUNTS
    await operator.link(accounts, accounts=[[ANN_KEY, HOME, WORK]], at=1)
    await operator.warehouse.retain(SAID)
    await told(operator)
    assert await operator.shown() == {
        "Oslo": "superseded",
        "Paris": "superseded",
        "Rome": "active",
    }
    assert (await operator.link(accounts, accounts=[[ANN_KEY, HOME, WORK]], at=9)).links == 0

    assert (await operator.link(accounts, accounts=[[ANN_KEY, HOME]], at=10)).links == 1
    assert len(await operator.people()) == 2
    await told(operator)
    await operator.link(accounts, accounts=[], at=11)
    assert len(await operator.people()) == 3
    await told(operator)


async def test_candidates_are_shown_until_a_person_has_judged_them(operator: Operator) -> None:
    await operator.warehouse.retain(SAID)
    [found] = (await operator.entities(EntitiesView.CANDIDATES)).candidates
    assert found.rule == "same_name_and_handle"
    assert {found.first.value, found.second.value} == {"ann.bee@gmail.com", "17"}

    await operator.link(LinkAction.REJECT, found.first.id, found.second.id)
    assert (await operator.entities(EntitiesView.CANDIDATES)).candidates == ()

    await operator.link(LINK, HOME, WORK, at=101)
    undone = await operator.link(LinkAction.UNDO_RULE, rule="person", at=102)
    assert undone.links == 1


async def test_it_is_said_that_not_all_keys_were_compared(
    operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    await operator.warehouse.retain(SAID)
    whole = await operator.entities(EntitiesView.CANDIDATES)
    assert (whole.compared, len(whole.candidates)) == (None, 1)

    monkeypatch.setattr(answer_entities, "MOST_KEYS", 2)
    part = await operator.entities(EntitiesView.CANDIDATES)
    assert (part.compared, part.truncated, part.candidates) == (2, False, ())


async def test_a_confirmed_candidate_stands_under_its_rule(operator: Operator) -> None:
    await operator.warehouse.retain(SAID)
    await operator.link(LINK, HOME, WORK)
    shown = await operator.entities(EntitiesView.SHOW, HOME)

    [link] = shown.links
    assert (link.rule, link.status, link.joins) == ("same_name_and_handle", "confirmed", True)
    assert link.decided_by == "dora"
    assert {link.first, link.second} == {HOME, WORK}


def meets(ref: str, trace: str, *attendees: ActorRef) -> Observation:
    """Ann's record of who talked where."""
    note = TimeNote(precision=TimePrecision.SECOND, source=TimeSource.RECORD)
    return Observation.of(
        Interaction(text="words", time=note),
        project_id=PROJECT,
        source="notes",
        source_ref=ref,
        timestamp=1,
        actors=(OWNER, *attendees),
        subject=0,
        origin=Origin.TRUSTED,
        made_by=MadeBy(parser=1),
        correlation=Correlation(trace_id=trace),
    )


async def test_a_first_name_is_a_candidate_for_the_only_attendee_who_bears_it(
    operator: Operator,
) -> None:
    anna = actor("x17@forest.org", name="Anna Roux")
    another = actor("y18@forest.org", name="Anna Cole")
    said = actor(name="Anna", role=ActorRole.MENTIONED)
    await operator.warehouse.retain(
        [meets("a", "standup", anna, said), meets("b", "retro", anna, another, said)]
    )
    [found] = (await operator.entities(EntitiesView.CANDIDATES)).candidates
    assert found.rule == "first_name_in_trace"
    ends = {found.first.value: found.first.id, found.second.value: found.second.id}
    assert ends.keys() == {"Anna", "x17@forest.org"}
    assert all(len(keys) == 1 for keys in await operator.people())

    await operator.link(LINK, ends["Anna"], "x17@forest.org")
    people = await operator.people()
    assert people >= {frozenset({"name:Anna", "email:x17@forest.org"}), frozenset({"name:Anna"})}
    [link] = (await operator.entities(EntitiesView.SHOW, ends["Anna"])).links
    assert link.rule == "first_name_in_trace"
    await told(operator)


async def test_a_number_without_its_country_is_linked_by_its_id_alone(operator: Operator) -> None:
    caller = actor("phone:22 33 44 55")
    await operator.warehouse.retain([observe(at=1, ref="a", actors=[ANN, caller])], SAID[1:])
    with pytest.raises(RequestRefused, match="states no country") as refused:
        await operator.link(LINK, "phone:22334455", HOME)
    assert refused.value.reply.code is ErrorCode.INVALID_REQUEST

    [found] = (await operator.entities(EntitiesView.FIND, "22 33")).entities
    await operator.link(LINK, found.id, HOME)
    assert frozenset({HOME, "phone:22 33 44 55"}) in await operator.people()
    await told(operator)


async def test_what_a_stranger_states_of_themself_is_a_candidate(operator: Operator) -> None:
    claimed = actor(ANN_KEY, "eve@forest.org")
    await operator.warehouse.retain(
        SAID[:1],
        [observe(at=9, ref="z", actors=[OWNER, claimed], origin=Origin.THIRD_PARTY)],
    )
    assert len(await operator.people()) == 2
    [found] = (await operator.entities(EntitiesView.CANDIDATES)).candidates

    assert found.rule == "self_declared"
    await told(operator)


async def test_entities_are_found_by_a_part_of_a_name_or_a_key(operator: Operator) -> None:
    await operator.warehouse.retain(SAID)
    for text, names in [("bee", 2), ("GMAIL", 1), ("nobody", 0), ("garden.org", 1)]:
        assert len((await operator.entities(EntitiesView.FIND, text)).entities) == names
    limited = await operator.entities(EntitiesView.FIND, limit=2)
    assert (len(limited.entities), limited.truncated) == (2, True)
    [owner] = (await operator.entities(EntitiesView.SHOW, ANN_KEY)).entities
    assert owner.owns_memory


UNFIT = [
    (LINK, "nobody", WORK, ErrorCode.INVALID_REQUEST),
    (LINK, "ffffffff", WORK, ErrorCode.NOT_FOUND),
    (LINK, HOME, "Ann.Bee@gmail.com", ErrorCode.INVALID_REQUEST),
    (UNLINK, HOME, WORK, ErrorCode.INVALID_REQUEST),
    (LinkAction.UNDO_RULE, None, None, ErrorCode.INVALID_REQUEST),
]


async def test_what_cannot_be_said_is_refused_with_the_reason(operator: Operator) -> None:
    await operator.warehouse.retain(SAID)
    for action, first, second, code in UNFIT:
        with pytest.raises(RequestRefused) as refused:
            await operator.link(action, first, second, rule="hearsay")
        assert refused.value.reply.code is code


async def test_persons_may_not_contradict_each_other_unseen(operator: Operator) -> None:
    await operator.warehouse.retain(SAID)
    await operator.link(LINK, HOME, WORK, at=1)
    await operator.link(LINK, WORK, ANN_KEY, at=2)
    dump = await told(operator)
    with pytest.raises(RequestRefused, match="unlink these first"):
        await operator.link(LinkAction.DISTINCT, HOME, ANN_KEY, at=3)
    with pytest.raises(RequestRefused, match="unlink them"):
        await operator.link(LinkAction.REJECT, HOME, ANN_KEY, at=3)
    assert await told(operator) == dump

    await operator.link(UNLINK, WORK, HOME, at=4)
    await operator.link(LinkAction.DISTINCT, HOME, ANN_KEY, at=5)
    with pytest.raises(RequestRefused, match="distinct people"):
        await operator.link(LINK, WORK, HOME, at=6)
    with pytest.raises(RequestRefused, match="future"):
        await operator.link(LINK, WORK, HOME, at=10**12)
