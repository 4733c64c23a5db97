"""A bare first name is proposed for the only attendee of its trace who bears it, or nobody."""

from itertools import permutations

from cortex_memory.model import EntityId, IdentifierId
from cortex_memory.retain.name_attendees import FIRST_NAME_RULE, Attendance
from cortex_memory.retain.propose_links import KnownKey, Proposal, propose
from cortex_memory.retain.resolve_actors import identifiers_of, named_in_trace
from retain.observing import KEY, actor, journal, memory, observe
from roxabi_contracts.observation import Observation

PLACE = ("garden", "notes")


def bare(name: str, trace: str) -> KnownKey:
    """A name that is said in a trace, as an observation there names it."""
    said: Observation = observe(at=1, ref="a", trace=trace)
    [found] = identifiers_of(actor(name=name), said, KEY)
    return KnownKey(found, EntityId(found.id), frozenset({name}), frozenset({"person"}))


def person(key: str, *names: str, entity: str | None = None) -> KnownKey:
    """Somebody with a key."""
    [found] = identifiers_of(actor(key), observe(at=1, ref="a"), KEY)
    return KnownKey(found, EntityId(entity or found.id), frozenset(names), frozenset({"person"}))


def in_trace(trace: str, *keys: KnownKey) -> list[Attendance]:
    return [Attendance(*PLACE, trace, key.identifier.id) for key in keys]


def called(keys: list[KnownKey], attending: list[Attendance]) -> list[Proposal]:
    found = propose(keys, [], attending, KEY)
    return [one for one in found if one.rule == FIRST_NAME_RULE]


ANNA = person("x17@garden.org", "Anna Bee")
OTHER = person("y18@forest.org", "Anna Cole")
BOB = person("z19@forest.org", "Bob Roux")
SAID = bare("Anna", "standup")


def test_the_only_attendee_of_that_first_name_is_proposed() -> None:
    for keys in permutations([SAID, ANNA, BOB]):
        [found] = called(list(keys), in_trace("standup", BOB, ANNA))
        assert {found.first, found.second} == {SAID.identifier.id, ANNA.identifier.id}
        assert 0 < found.score < 1
        assert "anna" in found.evidence[0]


def test_two_of_one_first_name_are_none() -> None:
    assert called([SAID, ANNA, OTHER], in_trace("standup", ANNA, OTHER)) == []


def test_who_attends_under_two_keys_is_one() -> None:
    keys = [person("x17@garden.org", "Anna Bee", entity="anna")]
    keys.append(person("account:chat:17", "Anna Bee", entity="anna"))

    assert len(called([SAID, *keys], in_trace("standup", *keys))) == 1


def test_nobody_is_proposed_who_attends_elsewhere() -> None:
    assert called([SAID, ANNA], in_trace("retro", ANNA)) == []
    assert called([SAID, ANNA], []) == []
    elsewhere = [Attendance("garden", "mail", "standup", ANNA.identifier.id)]
    assert called([SAID, ANNA], elsewhere) == []


def test_a_first_name_is_matched_as_it_is_compared_and_alone() -> None:
    spelled = person("x17@garden.org", "Bee, ANNA")
    assert len(called([SAID, spelled], in_trace("standup", spelled))) == 1
    assert called([bare("Bee", "standup"), ANNA], in_trace("standup", ANNA)) == []
    assert called([SAID, person("x17@a.org", "Anna")], in_trace("standup", ANNA)) == []


def test_a_proposal_joins_nobody() -> None:
    anna = actor("x17@garden.org", name="Anna Bee")
    meeting = observe(at=1, ref="a", actors=[anna, actor(name="Anna")], trace="standup")
    state = memory(journal(meeting))

    assert len(state.entities) == 2


def test_the_id_of_a_name_in_a_trace_is_that_of_who_is_named_there() -> None:
    in_place = named_in_trace(*PLACE, "standup", "ANNA", KEY)
    assert in_place == SAID.identifier.id
    assert in_place != IdentifierId(named_in_trace(*PLACE, "retro", "Anna", KEY))
