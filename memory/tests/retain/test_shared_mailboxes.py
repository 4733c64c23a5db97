"""A mailbox of two people: what records state of it joins them in no order, and a person may."""

from collections.abc import Sequence
from dataclasses import replace

from cortex_memory.model import (
    EntityId,
    IdentifierId,
    IdentityLink,
    JournalId,
    LinkRelation,
    LinkStatus,
    ProjectId,
)
from cortex_memory.retain.journal import JournalState
from cortex_memory.retain.resolve_actors import identifiers_of
from hypothesis import given
from hypothesis import strategies as st
from retain.observing import KEY, OWNER, actor, claim, content, journal, memory, observe
from roxabi_contracts.actor import ActorRef
from roxabi_contracts.observation import Observation, Origin

MAILBOXES = [
    "jane.and.john@couple.example",
    "jane&john@couple.example",
    "familie.dahl@couple.example",
    "thedahls@couple.example",
]
JANE, JOHN = "account:chat:1", "account:forge:2"


def identifier(key: str) -> IdentifierId:
    """The id of a strong key."""
    return identifiers_of(actor(key), observe(at=1, ref="a"), KEY)[0].id


def states(*keys: str, ref: str) -> Observation:
    """A record that is trusted states keys of somebody."""
    return observe(at=1, ref=ref, actors=[OWNER, actor(*keys)])


def writes(who: ActorRef, town: str, at: int) -> Observation:
    """Somebody says in the owner's memory where they live."""
    third = Origin.THIRD_PARTY
    said = claim("lives_in", town, about=0)
    return observe(said, at=at, ref=town, actors=[who, OWNER], subject=1, origin=third)


def confirmed(first: str, second: str) -> IdentityLink:
    """A person says that two keys are of one."""
    return IdentityLink(
        id=JournalId(f"{first} {second}"),
        at=9,
        project=ProjectId("garden"),
        first=identifier(first),
        second=identifier(second),
        relation=LinkRelation.SAME,
        status=LinkStatus.CONFIRMED,
        rule="person",
        rule_version=1,
    )


def told(mailbox: str) -> list[Observation]:
    """Both have their own address, and an account that is registered with the one they share."""
    return [
        states(JANE, mailbox, ref="chat"),
        states(JOHN, mailbox, ref="forge"),
        states(JANE, "jane@work.example", ref="jane"),
        states(JOHN, "john@work.example", mailbox, ref="john"),
        writes(actor(JANE), "Oslo", 2),
        writes(actor(JOHN), "Rome", 3),
        writes(actor(mailbox), "Bern", 4),
    ]


def people(state: JournalState) -> list[set[IdentifierId]]:
    """The keys of each entity that has several."""
    return [set(entity.members) for entity in state.entities if len(entity.members) > 1]


def lives(state: JournalState) -> dict[str, EntityId]:
    """Of whom each town is said."""
    return {str(content(fact)): fact.slot.about for fact in state.facts}


@st.composite
def tellings(draw: st.DrawFn) -> tuple[str, Sequence[Observation]]:
    """What is told of a mailbox, in any order, some of it twice."""
    mailbox = draw(st.sampled_from(MAILBOXES))
    known = told(mailbox)
    again = draw(st.lists(st.sampled_from(known), max_size=2))
    return mailbox, draw(st.permutations([*known, *again]))


@given(tellings())
def test_in_no_order_do_records_join_who_shares_a_mailbox(
    telling: tuple[str, Sequence[Observation]],
) -> None:
    mailbox, seen = telling
    state = memory(journal(*seen))
    jane = {identifier(JANE), identifier("jane@work.example")}
    john = {identifier(JOHN), identifier("john@work.example")}

    assert sorted(map(sorted, people(state))) == sorted(map(sorted, [jane, john]))
    assert lives(state)["Bern"] == EntityId(identifier(mailbox))
    assert len({*lives(state).values()}) == 3


@given(tellings())
def test_in_every_order_a_person_may_say_whose_it_is(
    telling: tuple[str, Sequence[Observation]],
) -> None:
    mailbox, seen = telling
    found = lives(memory(replace(journal(*seen), links=(confirmed(mailbox, JANE),))))

    assert found["Bern"] == found["Oslo"] != found["Rome"]
