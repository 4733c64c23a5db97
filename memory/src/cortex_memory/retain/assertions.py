"""From the candidates of a current observation to assertions."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeAlias

from roxabi_contracts.actor import ActorKind, ActorRole
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.ids import canonical_json
from roxabi_contracts.observation import Observation, Origin
from roxabi_contracts.payloads import ClaimAction
from roxabi_contracts.predicates import PredicateCatalogue, ValueType

from cortex_memory.model import (
    Assertion,
    AssertionId,
    Authority,
    EntityId,
    Identifier,
    IdentifierId,
    ObservationKey,
    OrderKey,
    ProjectId,
    Value,
)
from cortex_memory.retain.fold.order import assertion_order
from cortex_memory.retain.resolve_actors import (
    first_identifier,
    identifiers_of,
    is_strong,
    named,
    source_of,
)
from cortex_memory.retain.validate import ExtractedFact
from cortex_memory.retain.values import keyed_digest, value_of

EntityOf: TypeAlias = Callable[[IdentifierId], EntityId]


def observation_key(observation: Observation, project_key: bytes) -> ObservationKey:
    """What all revisions of an observation share."""
    subject = observation.actors[observation.subject]
    return ObservationKey(
        project=ProjectId(observation.project_id),
        subject=first_identifier(subject, observation, project_key),
        source=observation.source,
        source_ref=observation.source_ref,
    )


def assertions_of(
    observation: Observation,
    facts: Iterable[ExtractedFact],
    *,
    project_key: bytes,
    catalogue: PredicateCatalogue,
    entity_of: EntityOf,
) -> tuple[Assertion, ...]:
    """What a current observation asserts; one that its source deleted asserts nothing.

    Of candidates that say the same, the most confident counts.
    """
    if observation.deleted:
        return ()
    best: dict[AssertionId, tuple[Assertion, ExtractedFact]] = {}
    maker = _AssertionMaker(observation, project_key, catalogue, entity_of)
    for fact in facts:
        assertion = maker.make(fact)
        known = best.get(assertion.id)
        if known is None or _rank(fact) > _rank(known[1]):
            best[assertion.id] = (assertion, fact)
    return tuple(assertion for assertion, _ in best.values())


def _rank(fact: ExtractedFact) -> tuple[float, bytes]:
    return fact.confidence, canonical_json(fact.model_dump(mode="json"))


def weighed(assertion: Assertion, entity_of: EntityOf) -> Assertion:
    """The assertion with the author and the authority that identity, as now known, gives it."""
    author = entity_of(assertion.author)
    authority = authority_of(
        origin=assertion.origin,
        author_kind=assertion.author_kind,
        has_strong_key=assertion.author_has_strong_key,
        is_subject=entity_of(assertion.key.subject) == author,
        speaks_of_self=entity_of(assertion.about) == author,
    )
    if author == assertion.author_entity and authority is assertion.authority:
        return assertion
    return replace(assertion, author_entity=author, authority=authority)


def authority_of(
    *,
    origin: Origin,
    author_kind: ActorKind,
    has_strong_key: bool,
    is_subject: bool,
    speaks_of_self: bool,
) -> Authority:
    """What an author's word weighs: a tool's is a record, an agent's is its owner's agent's."""
    if origin is Origin.UNTRUSTED:
        return Authority.UNTRUSTED
    if author_kind is ActorKind.TOOL:
        return Authority.OWN if origin is Origin.TRUSTED else Authority.THIRD_PARTY
    if author_kind in (ActorKind.AGENT, ActorKind.BOT):
        is_own = origin in (Origin.TRUSTED, Origin.SEMI_TRUSTED)
        return Authority.CLOSE if is_own else Authority.THIRD_PARTY
    if is_subject:
        return Authority.OWN if speaks_of_self else Authority.CLOSE
    return Authority.CLOSE if speaks_of_self and has_strong_key else Authority.THIRD_PARTY


class _AssertionMaker:
    """Makes the assertions of one observation."""

    def __init__(
        self,
        observation: Observation,
        project_key: bytes,
        catalogue: PredicateCatalogue,
        entity_of: EntityOf,
    ) -> None:
        self._observation = observation
        self._project_key = project_key
        self._catalogue = catalogue
        self._entity_of = entity_of
        self._key = observation_key(observation, project_key)
        self._actors: dict[int, Identifier] = {}
        roles = [actor.role for actor in observation.actors]
        if ActorRole.AUTHOR in roles:
            author = roles.index(ActorRole.AUTHOR)
            self._author_kind = observation.actors[author].kind
            self._author = self._actor(author)
        else:
            self._author_kind = ActorKind.TOOL
            self._author = source_of(observation, project_key)
        self._author_entity = entity_of(self._author.id)
        self._is_subject = entity_of(self._key.subject) == self._author_entity

    def make(self, fact: ExtractedFact) -> Assertion:
        """Place a candidate in time, name it and weigh it."""
        entry = self._catalogue.lookup(fact.predicate)
        value_type = ValueType.OBJECT if entry is None else entry.value_type
        value = value_of(fact.value, self._project_key, value_type)
        qualifiers = value_of(fact.qualifiers, self._project_key, ValueType.OBJECT)
        begin, until = _validity(fact)
        about, said = self._about(fact), self._observation.timestamp
        time = _time(fact.action, said, begin, until)
        identity = self._id(about, fact, value, qualifiers)
        return Assertion(
            id=identity,
            key=self._key,
            observation_id=self._observation.id,
            about=about,
            predicate=fact.predicate,
            value=value,
            qualifiers=qualifiers,
            action=fact.action,
            valid_from=begin,
            valid_until=until,
            said=said,
            time=time,
            order=self._order(time, fact.action, identity),
            origin=self._observation.origin,
            author=self._author.id,
            author_kind=self._author_kind,
            author_has_strong_key=is_strong(self._author),
            author_entity=self._author_entity,
            authority=self._authority(about),
            confidence=fact.confidence,
            kind=fact.kind,
            volatility=fact.volatility,
            cardinality=fact.cardinality,
            evidence=fact.evidence,
        )

    def _about(self, fact: ExtractedFact) -> IdentifierId:
        match fact.about:
            case None:
                return self._author.id
            case str(name):
                return named(name, self._observation, self._project_key).id
            case index:
                return self._actor(index).id

    def _actor(self, index: int) -> Identifier:
        if index not in self._actors:
            actor = self._observation.actors[index]
            self._actors[index] = identifiers_of(actor, self._observation, self._project_key)[0]
        return self._actors[index]

    def _id(
        self, about: IdentifierId, fact: ExtractedFact, value: Value, qualifiers: Value
    ) -> AssertionId:
        key, (begin, until) = self._key, _validity(fact)
        where = (key.project, key.subject, key.source, key.source_ref, about, fact.predicate)
        what = (value.pairs, value.nulls, fact.action, qualifiers.pairs, qualifiers.nulls)
        return AssertionId(keyed_digest(self._project_key, where, what, begin, until))

    def _order(self, time: int, action: ClaimAction, identity: AssertionId) -> OrderKey:
        return assertion_order(
            time=time,
            said=self._observation.timestamp,
            trace=self._observation.correlation.trace_id,
            sequence=self._observation.sequence,
            key=self._key,
            action=action,
            assertion_id=identity,
        )

    def _authority(self, about: IdentifierId) -> Authority:
        return authority_of(
            origin=self._observation.origin,
            author_kind=self._author_kind,
            has_strong_key=is_strong(self._author),
            is_subject=self._is_subject,
            speaks_of_self=self._entity_of(about) == self._author_entity,
        )


def _time(action: ClaimAction, said: int, begin: int | None, until: int | None) -> int:
    """When an assertion takes effect."""
    if action is ClaimAction.RETRACT and until is not None:
        return until
    return said if begin is None else max(said, begin)


def _validity(fact: ExtractedFact) -> tuple[int | None, int | None]:
    valid = fact.valid
    if valid is None:
        return None, None
    begin, until = valid.valid_from, valid.valid_until
    return (
        None if begin is None else epoch_ms(begin),
        None if until is None else epoch_ms(until),
    )
