"""Memory as a function of the journal, by example."""

from dataclasses import replace

from cortex_memory.model import (
    Erasure,
    FactReference,
    JournalId,
    LinkStatus,
    PredicateVerdict,
    ProjectId,
    Reject,
    Resolve,
    Withdrawal,
)
from cortex_memory.retain.assertions import assertions_of, observation_key
from cortex_memory.retain.extract import extract_claims
from cortex_memory.retain.journal import CandidateSet, Journal, fold_journal
from cortex_memory.retain.link_identities import links_of
from cortex_memory.retain.rebind import reference_to
from cortex_memory.retain.withdrawal import key_digest
from retain.observing import (
    ANN,
    BOB,
    BOB_NAMED,
    CATALOGUE,
    KEY,
    OWNER,
    actor,
    alone,
    candidates,
    claim,
    content,
    journal,
    memory,
    observe,
    shown,
)
from roxabi_contracts.actor import ActorRole
from roxabi_contracts.observation import Observation

OSLO = observe(claim("lives_in", "Oslo"), at=10, ref="a")
ROME = observe(claim("residence", "Rome"), at=20, ref="b")


def referring(observation: Observation, predicate: str) -> FactReference:
    facts = extract_claims(observation).facts
    made = assertions_of(observation, facts, project_key=KEY, catalogue=CATALOGUE, entity_of=alone)
    return FactReference(frozenset(reference_to(a) for a in made if a.predicate == predicate))


def withdrawing(observation: Observation, at: int, *, withdrawn: bool = True) -> Withdrawal:
    digest = key_digest(observation_key(observation, KEY), KEY)
    return Withdrawal(JournalId(f"withdraw-{at}"), at, digest, withdrawn)


def test_one_author_changes_one_slot_under_two_names() -> None:
    assert shown(memory(journal(OSLO, ROME))) == [
        ("lives_in", "Oslo", "superseded"),
        ("lives_in", "Rome", "active"),
    ]


def test_an_edit_replaces_what_the_message_said() -> None:
    edit = observe(claim("lives_in", "Bergen"), at=10, ref="a", revision=1)

    assert shown(memory(journal(OSLO, edit))) == [("lives_in", "Bergen", "active")]


def test_a_deleted_message_says_nothing() -> None:
    gone = observe(at=10, ref="a", revision=1, deleted=True)

    assert shown(memory(journal(OSLO, gone))) == []


def test_an_unchanged_reparse_counts_even_between_other_revisions() -> None:
    other = observe(claim("lives_in", "Bergen"), at=10, ref="a", parser=2)
    again = observe(claim("lives_in", "Oslo"), at=10, ref="a", parser=3)

    assert again.id == OSLO.id
    assert shown(memory(journal(OSLO, other, again))) == [("lives_in", "Oslo", "active")]


def test_a_message_in_two_mailboxes_is_two_memories() -> None:
    told = claim("lives_in", "Oslo", about=0)
    bobs = observe(told, at=10, ref="a", actors=[ANN, BOB_NAMED], subject=1)
    state = memory(journal(OSLO, bobs))

    assert len({fact.slot.subject for fact in state.facts}) == 2
    assert len({fact.slot.about for fact in state.facts}) == 1


def test_withdrawing_a_message_is_as_if_it_had_never_been_said() -> None:
    edit = observe(claim("residence", "Bergen"), at=20, ref="b", revision=3)
    known = replace(journal(OSLO, ROME, edit), erasures=(withdrawing(ROME, 50),))

    assert memory(known) == memory(journal(OSLO))


def test_a_withdrawal_can_be_lifted() -> None:
    rows = (withdrawing(ROME, 60, withdrawn=False), withdrawing(ROME, 50))

    assert memory(replace(journal(OSLO, ROME), erasures=rows)) == memory(journal(OSLO, ROME))


def test_the_highest_version_of_each_extractor_counts() -> None:
    claims = candidates(OSLO)[0]
    empty = CandidateSet(OSLO.id, "claims", 2, ())
    model = CandidateSet(OSLO.id, "openai", 1, candidates(ROME)[0].facts)
    known = Journal(observations=(OSLO,), candidates=(empty, claims))

    assert shown(memory(known)) == []
    assert shown(memory(replace(known, candidates=(claims, empty, model)))) == [
        ("lives_in", "Rome", "active")
    ]


def test_two_extractors_that_say_the_same_are_one_source() -> None:
    claims = candidates(OSLO)[0]
    known = Journal(observations=(OSLO,), candidates=(claims, replace(claims, extractor="openai")))
    [fact] = memory(known).facts

    assert (fact.count, len(fact.sources)) == (0, 1)


def test_a_verdict_joins_names_and_the_conflict_shows() -> None:
    rex = observe(claim("pet", "Rex"), at=1, ref="a")
    tom = observe(claim("animal", "Tom"), at=2, ref="b")
    verdict = PredicateVerdict(
        JournalId("v"), 3, ProjectId("garden"), "animal", "pet", same=True, model="minilm"
    )
    joined = memory(replace(journal(rex, tom), verdicts=(verdict,)))

    assert memory(journal(rex, tom)).conflicts == ()
    assert {fact.slot.predicate for fact in joined.facts} == {"pet"}
    assert len(joined.conflicts) == 1


def test_a_verdict_joins_nothing_said_about_different_people() -> None:
    rex = observe(claim("pet", "Rex"), at=1, ref="a")
    tom = observe(claim("animal", "Tom", about=1), at=2, ref="b", actors=[ANN, BOB_NAMED])
    verdict = PredicateVerdict(
        JournalId("v"), 3, ProjectId("garden"), "animal", "pet", same=True, model="minilm"
    )

    assert shown(memory(replace(journal(rex, tom), verdicts=(verdict,)))) == [
        ("animal", "Tom", "active"),
        ("pet", "Rex", "active"),
    ]


def test_a_link_joins_memories_and_revoking_it_splits_them() -> None:
    home = actor("ann@home.org")
    there = observe(claim("lives_in", "Rome"), at=20, ref="b", actors=[home])
    both = observe(at=1, ref="x", actors=[actor("ann@garden.org", "ann@home.org")])
    [configured] = links_of(both, KEY)
    confirmed = replace(configured, status=LinkStatus.CONFIRMED, at=5)
    revoked = replace(confirmed, id=JournalId("revoked"), status=LinkStatus.REVOKED, at=6)
    apart = memory(journal(OSLO, there))
    joined = memory(replace(journal(OSLO, there), links=(confirmed,)))
    split = memory(replace(journal(OSLO, there), links=(revoked, confirmed)))

    assert shown(joined) == [("lives_in", "Oslo", "superseded"), ("lives_in", "Rome", "active")]
    assert [entity.id for entity in joined.entities] == [min(e.id for e in apart.entities)]
    assert split == apart


def test_the_owners_configured_keys_are_one_entity() -> None:
    owner = actor("ann@garden.org", "account:forge:7", role=ActorRole.OWNER)
    forge = actor("account:forge:7")
    pushed = observe(claim("lives_in", "Rome", about=1), at=20, ref="b", actors=[owner, forge])
    state = memory(journal(OSLO, pushed))

    assert len(state.entities) == 1
    assert shown(state)[1] == ("lives_in", "Rome", "active")


def test_a_decision_outlives_a_renaming_reparse() -> None:
    cat = actor("cat@garden.org")
    rome = observe(claim("lives_in", "Rome"), at=20, ref="b", actors=[OWNER, BOB])
    oslo = observe(claim("lives_in", "Oslo"), at=21, ref="c", actors=[OWNER, cat])
    renamed = observe(claim("residence", "Rome"), at=20, ref="b", actors=[OWNER, BOB], parser=2)
    decision = Resolve(
        JournalId("d"), 50, referring(oslo, "lives_in"), (referring(rome, "lives_in"),)
    )
    expected = [("lives_in", "Oslo", "active"), ("lives_in", "Rome", "superseded")]

    assert len(memory(journal(rome, oslo)).conflicts) == 1
    for seen in ([rome, oslo], [rome, oslo, renamed]):
        assert shown(memory(replace(journal(*seen), decisions=(decision,)))) == expected


def test_a_decision_spares_an_equal_value_of_another_predicate() -> None:
    both = observe(claim("married", True), claim("vegetarian", True), at=1, ref="a")
    decision = Reject(JournalId("d"), 5, referring(both, "married"))

    assert shown(memory(replace(journal(both), decisions=(decision,)))) == [
        ("married", "True", "disabled"),
        ("vegetarian", "True", "active"),
    ]


def test_an_erasure_holds_for_the_same_person_under_any_identifier() -> None:
    key = observation_key(OSLO, KEY)
    [named] = referring(OSLO, "lives_in").assertions
    erasure = Erasure(
        id=JournalId("e"),
        at=50,
        project=key.project,
        subject=key.subject,
        about=key.subject,
        predicates=frozenset({"lives_in"}),
        pairs=frozenset(named.pairs),
    )
    again = observe(claim("lives_in", "oslo"), at=5, ref="z")
    state = memory(replace(journal(OSLO, again), erasures=(erasure,)))

    assert shown(state) == [("lives_in", "None", "erased")]
    assert "oslo" not in repr(state).casefold()


def test_facts_about_others_stay_in_the_subjects_memory() -> None:
    told = observe(claim("lives_in", "Oslo", about=1), at=1, ref="a", actors=[ANN, BOB_NAMED])
    [fact] = memory(journal(told)).facts

    assert content(fact) == "Oslo"
    assert fact.slot.subject != fact.slot.about


def test_as_of_a_moment_leaves_out_what_is_scheduled() -> None:
    plan = journal(observe(claim("lives_in", "Rome", begin=90), at=1, ref="a"))
    as_of = fold_journal(plan, catalogue=CATALOGUE, project_key=KEY, now=50, with_scheduled=False)

    assert as_of.facts == ()
    assert shown(memory(plan, now=50)) == [("lives_in", "Rome", "scheduled")]
    assert memory(plan, now=50).next_due == 90
