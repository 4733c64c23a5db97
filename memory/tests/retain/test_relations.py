"""Relations by category, and the status of decisions."""

from cortex_memory.retain.extract import extract_claims
from cortex_memory.retain.journal import Journal, fold_journal
from cortex_memory.retain.relations import Relation, RelationKind, relations_of
from cortex_memory.retain.resolve_actors import identifiers_of
from retain.observing import ANN, KEY, OWNER, actor, candidates, memory
from roxabi_contracts.actor import ActorKind, ActorRef, ActorRole
from roxabi_contracts.observation import Correlation, MadeBy, Observation, Origin
from roxabi_contracts.payloads import (
    Artifact,
    Decision,
    DecisionStatus,
    Finding,
    Interaction,
    Payload,
    Statement,
    TimeNote,
    TimePrecision,
    TimeSource,
)
from roxabi_contracts.predicates import bundled_catalogue

NOTE = TimeNote(precision=TimePrecision.SECOND, source=TimeSource.RECORD)
BOB = actor("bob@garden.org", role=ActorRole.RECIPIENT)
SHED = actor("slug:shed", role=ActorRole.MENTIONED, kind=ActorKind.PROJECT)


def observed(
    payload: Payload, *actors: ActorRef, at: int = 1, deleted: bool = False
) -> Observation:
    return Observation.of(
        payload,
        project_id="garden",
        source="chat",
        source_ref=f"ref-{at}",
        timestamp=at,
        actors=actors,
        subject=0,
        origin=Origin.TRUSTED,
        made_by=MadeBy(parser=1),
        correlation=Correlation(trace_id="talk"),
        deleted=deleted,
    )


def named(edge: Relation) -> tuple[str, str, str]:
    return (edge.origin.value, edge.kind.value, edge.target.value)


def related(payload: Payload, *actors: ActorRef) -> set[tuple[str, str, str]]:
    edges = relations_of(observed(payload, *actors), KEY)
    assert len(edges) == len(set(edges))
    return {named(edge) for edge in edges}


def test_an_interaction_has_talkers_and_a_conversation() -> None:
    assert related(Interaction(text="hi", time=NOTE, thread="plans"), ANN, BOB) == {
        ("ann@garden.org", "talks_to", "bob@garden.org"),
        ("ann@garden.org", "takes_part_in", "plans"),
        ("bob@garden.org", "takes_part_in", "plans"),
    }


def test_a_conversation_without_a_thread_is_the_trace() -> None:
    assert ("ann@garden.org", "takes_part_in", "talk") in related(
        Interaction(text="hi", time=NOTE), ANN
    )


def test_nobody_talks_to_themself() -> None:
    assert related(Statement(text="hi", time=NOTE), ANN, BOB) == set()
    own = actor("ann@garden.org", role=ActorRole.RECIPIENT)
    assert not any(
        kind == "talks_to" for _, kind, _ in related(Interaction(text="hi", time=NOTE), ANN, own)
    )


def test_a_finding_concerns_somebody_and_is_found_by_a_tool() -> None:
    finding = Finding(text="leak", time=NOTE, tool="Scanner")

    assert related(finding, OWNER, SHED) == {
        ("ref-1", "found_by", "Scanner"),
        ("ref-1", "concerns", "ann@garden.org"),
        ("ref-1", "concerns", "shed"),
    }
    assert ("ref-1", "found_by", "ann@garden.org") in related(finding, ANN)


def test_a_decision_has_a_decider_unless_it_is_proposed() -> None:
    def decided(status: DecisionStatus, by: int | None = None) -> set[tuple[str, str, str]]:
        payload = Decision(text="x", time=NOTE, decision="Paint it", status=status, decided_by=by)
        return related(payload, ANN, BOB)

    assert decided(DecisionStatus.ACCEPTED) == {("ann@garden.org", "decided", "paint it")}
    assert decided(DecisionStatus.REJECTED, 1) == {("bob@garden.org", "decided", "paint it")}
    assert decided(DecisionStatus.PROPOSED) == set()


def test_an_artifact_is_made_modified_and_part_of_a_project() -> None:
    made = Artifact(text="x", time=NOTE, kind="file", uri="file:///bench", action="created")
    gone = Artifact(text="x", time=NOTE, kind="file", title="Bench", action="deleted")

    assert related(made, ANN, SHED) == {
        ("ann@garden.org", "made", "file:///bench"),
        ("file:///bench", "part_of", "shed"),
    }
    assert related(gone, ANN) == {("ann@garden.org", "modified", "Bench")}


def test_an_artifact_with_a_uri_is_the_actor_of_that_uri() -> None:
    made = Artifact(text="x", time=NOTE, kind="file", uri="file:///bench", action="created")
    seen = observed(made, ANN)
    [edge] = relations_of(seen, KEY)
    bench = actor("uri:file:///bench", kind=ActorKind.ARTIFACT)

    assert edge.kind is RelationKind.MADE
    assert edge.target == identifiers_of(bench, seen, KEY)[0]


def test_what_was_deleted_relates_nobody() -> None:
    talk = Interaction(text="hi", time=NOTE, thread="plans")

    assert relations_of(observed(talk, ANN, BOB, deleted=True), KEY) == ()


def test_the_status_of_a_decision_is_a_fact_that_a_later_one_supersedes() -> None:
    def decision(status: DecisionStatus, at: int) -> Observation:
        payload = Decision(text="Paint it", time=NOTE, decision="Paint it", status=status)
        return observed(payload, ANN, at=at)

    seen = (decision(DecisionStatus.PROPOSED, 1), decision(DecisionStatus.ACCEPTED, 2))
    known = Journal(observations=seen, candidates=candidates(*seen))
    facts = fold_journal(known, catalogue=bundled_catalogue(), project_key=KEY, now=9).facts

    assert sorted((fact.value.texts[0], fact.status.value) for fact in facts) == [
        ('"accepted"', "active"),
        ('"proposed"', "superseded"),
    ]
    assert memory(known).facts


def test_a_decision_is_about_its_project() -> None:
    payload = Decision(text="x", time=NOTE, decision="x", status=DecisionStatus.ACCEPTED)

    assert [fact.about for fact in extract_claims(observed(payload, ANN, SHED)).facts] == [1]
    assert [fact.about for fact in extract_claims(observed(payload, ANN)).facts] == [0]


def test_a_decision_is_found_once() -> None:
    payload = Decision(text="Oak.", time=NOTE, decision="Oak", status=DecisionStatus.ACCEPTED)

    [found] = extract_claims(observed(payload, ANN)).facts
    assert found.predicate == "decision_status"
