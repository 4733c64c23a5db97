"""Who has to do with whom or what: the relations that an observation of each category makes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from roxabi_contracts.actor import ActorKind, ActorRole
from roxabi_contracts.observation import Observation
from roxabi_contracts.payloads import (
    Artifact,
    ClaimAction,
    Decision,
    DecisionStatus,
    Finding,
    Interaction,
)

from cortex_memory.model import Identifier, IdentifierId
from cortex_memory.retain.resolve_actors import identifiers_of, named, strong_identifier
from cortex_memory.retain.validate import ExtractedFact
from cortex_memory.retain.values import keyed_digest

DECISION_STATUS = "decision_status"

_PARTAKING = (ActorRole.AUTHOR, ActorRole.RECIPIENT, ActorRole.PARTICIPANT)
_CONCERNED = (ActorRole.MENTIONED, ActorRole.RECIPIENT, ActorRole.OWNER)
_CONTAINERS = (ActorKind.PROJECT, ActorKind.GROUP)


class RelationKind(StrEnum):
    """What one end of a relation has to do with the other."""

    TALKS_TO = "talks_to"
    TAKES_PART_IN = "takes_part_in"
    CONCERNS = "concerns"
    FOUND_BY = "found_by"
    DECIDED = "decided"
    MADE = "made"
    MODIFIED = "modified"
    PART_OF = "part_of"


@dataclass(frozen=True, slots=True)
class Relation:
    """A directed edge between two identifiers, as one observation states it."""

    origin: Identifier
    kind: RelationKind
    target: Identifier


def relations_of(observation: Observation, project_key: bytes) -> tuple[Relation, ...]:
    """The relations that an observation makes, each once; a deleted one makes none."""
    if observation.deleted:
        return ()
    finder = _RelationFinder(observation, project_key)
    return tuple(dict.fromkeys(edge for edge in finder.edges() if edge.origin != edge.target))


def decision_facts(observation: Observation) -> tuple[ExtractedFact, ...]:
    """The status of a decision as a fact, which a later observation of the decision supersedes.

    It is about the project that the decision is for, else about the subject.
    """
    payload = observation.payload
    if not isinstance(payload, Decision):
        return ()
    kinds = [actor.kind for actor in observation.actors]
    about = kinds.index(ActorKind.PROJECT) if ActorKind.PROJECT in kinds else observation.subject
    status = ExtractedFact(
        about=about,
        predicate=DECISION_STATUS,
        value={"value": payload.status.value},
        qualifiers={"decision": payload.decision},
        action=ClaimAction.SUPERSEDE,
        evidence=payload.decision,
    )
    return (status,)


class _RelationFinder:
    """Finds the relations of one observation by its category."""

    def __init__(self, observation: Observation, project_key: bytes) -> None:
        self._observation = observation
        self._project_key = project_key

    def edges(self) -> Iterator[Relation]:
        match self._observation.payload:
            case Interaction() as interaction:
                yield from self._of_interaction(interaction)
            case Finding() as finding:
                yield from self._of_finding(finding)
            case Decision() as decision:
                yield from self._of_decision(decision)
            case Artifact() as artifact:
                yield from self._of_artifact(artifact)
            case _:
                return

    def _of_interaction(self, interaction: Interaction) -> Iterator[Relation]:
        for author in self._by_role(ActorRole.AUTHOR):
            for recipient in self._by_role(ActorRole.RECIPIENT):
                yield Relation(author, RelationKind.TALKS_TO, recipient)
        thread = interaction.thread or self._observation.correlation.trace_id
        if thread is not None:
            conversation = self._node("conversation", self._observation.source, thread)
            for partaker in self._by_role(*_PARTAKING):
                yield Relation(partaker, RelationKind.TAKES_PART_IN, conversation)

    def _of_finding(self, finding: Finding) -> Iterator[Relation]:
        found = self._node("finding", self._observation.source, self._observation.source_ref)
        finders = list(self._by_role(ActorRole.AUTHOR))
        if not finders and finding.tool is not None:
            finders.append(named(finding.tool, self._observation, self._project_key))
        for finder in finders:
            yield Relation(found, RelationKind.FOUND_BY, finder)
        for concerned in self._by_role(*_CONCERNED):
            yield Relation(found, RelationKind.CONCERNS, concerned)

    def _of_decision(self, decision: Decision) -> Iterator[Relation]:
        if decision.status is DecisionStatus.PROPOSED:
            return
        decided = self._node("decision", " ".join(decision.decision.split()).casefold())
        deciders: Iterable[Identifier] = (
            self._by_role(ActorRole.AUTHOR)
            if decision.decided_by is None
            else [self._actor(decision.decided_by)]
        )
        for decider in deciders:
            yield Relation(decider, RelationKind.DECIDED, decided)

    def _of_artifact(self, artifact: Artifact) -> Iterator[Relation]:
        made = self._artifact(artifact)
        is_new = artifact.action == "created"
        kind = RelationKind.MADE if is_new else RelationKind.MODIFIED
        for author in self._by_role(ActorRole.AUTHOR):
            yield Relation(author, kind, made)
        for index, actor in enumerate(self._observation.actors):
            if actor.kind in _CONTAINERS:
                yield Relation(made, RelationKind.PART_OF, self._actor(index))

    def _artifact(self, artifact: Artifact) -> Identifier:
        project = self._observation.project_id
        if artifact.uri is not None:
            return strong_identifier(project, "uri", artifact.uri, self._project_key)
        name = artifact.title or artifact.kind
        return named(name, self._observation, self._project_key)

    def _by_role(self, *roles: ActorRole) -> Iterator[Identifier]:
        for index, actor in enumerate(self._observation.actors):
            if actor.role in roles:
                yield self._actor(index)

    def _actor(self, index: int) -> Identifier:
        actor = self._observation.actors[index]
        return identifiers_of(actor, self._observation, self._project_key)[0]

    def _node(self, scheme: str, *value: str) -> Identifier:
        digest = keyed_digest(self._project_key, self._observation.project_id, scheme, *value)
        return Identifier(id=IdentifierId(digest), scheme=scheme, value=value[-1])
