"""Takes the decisions of persons into the journal and folds what they speak of anew."""

from collections.abc import Mapping, Sequence

from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.decisions import DecisionReply, DecisionRequest
from roxabi_contracts.errors import ErrorCode
from roxabi_contracts.operations import DecisionAction, FactStatus

from cortex_memory.clock import Clock, now_ms
from cortex_memory.find_fact import facts_in_memory, memory_of
from cortex_memory.model import Assertion, JournalId
from cortex_memory.refold_job import RefoldJob, Rules
from cortex_memory.refusal import Refused
from cortex_memory.retain.decide import (
    DecidedFact,
    UnfitDecision,
    check_decision,
    decision_id,
    decision_of,
)
from cortex_memory.retain.group import facts_of
from cortex_memory.store import facts
from cortex_memory.store.db import Connection, Pool, connection
from cortex_memory.store.decisions import (
    JournaledDecision,
    NamedFact,
    add_decision,
    assertions_behind,
    decisions_of_id,
    groups_of_decision,
    members_of_conflict,
    named_facts,
)
from cortex_memory.store.identities import entities_by_identifier
from cortex_memory.store.locks import lock_projects, lock_subjects
from cortex_memory.store.projects import project_keys


class DecisionObeyer:
    """Obeys what persons decide about facts."""

    def __init__(self, pool: Pool, clock: Clock, catalogues: Catalogues) -> None:
        self._pool = pool
        self._clock = clock
        self._catalogues = catalogues

    async def decide(self, request: DecisionRequest) -> DecisionReply:
        """Journal a decision and let it bite; one that is known already changes nothing.

        Raises:
            Refused: a subject or fact is not known, or the decision cannot be of these facts.
            StoreUnavailable: nothing was changed.
        """
        async with connection(self._pool) as transaction:
            await lock_projects(transaction, [request.project], owned=False)
            memory = await memory_of(transaction, request.project, request.subject)
            await lock_subjects(transaction, {(request.project, memory)})
            identity = decision_id(request)
            known = bool(await decisions_of_id(transaction, request.project, [identity]))
            if not known:
                await self._take(transaction, request, memory, identity)
            meant = await named_facts(
                transaction, request.project, {request.fact_id, *request.lose}
            )
            shown = {fact.id for fact in meant.values()}
            return DecisionReply(
                decision_id=identity,
                known=known,
                facts=tuple(await facts.records(transaction, request.project, shown)),
            )

    async def record(self, transaction: Connection, journaled: JournaledDecision) -> bool:
        """Append a decision to the journal and let it bite; false: it was there already.

        It may speak of what is not said yet: it bites as soon as that is.
        """
        project = journaled.project
        await lock_projects(transaction, [project], owned=False)
        await _lock_memories(transaction, journaled)
        if not await add_decision(transaction, journaled):
            return False
        keys = await project_keys(transaction, [project])
        rules = Rules(keys, self._catalogues, now_ms(self._clock))
        touched = await groups_of_decision(transaction, journaled.decision)
        if touched:
            await RefoldJob(transaction, rules).refold(touched)
        return True

    async def _take(
        self, transaction: Connection, request: DecisionRequest, memory: str, identity: JournalId
    ) -> None:
        fact, losers = await _facts_meant(transaction, request, memory)
        try:
            check_decision(request, fact, losers, now_ms(self._clock))
        except UnfitDecision as error:
            raise Refused(ErrorCode.INVALID_REQUEST, str(error)) from error
        await self.record(
            transaction,
            JournaledDecision(
                project=request.project,
                subject_identifier=memory,
                action=request.action,
                decision=decision_of(request, identity, fact, losers),
                decided_by=request.decided_by,
                reason=request.reason,
            ),
        )


async def _facts_meant(
    transaction: Connection, request: DecisionRequest, memory: str
) -> tuple[DecidedFact, list[DecidedFact]]:
    """The fact decided on, and of a resolution those that lose: named, or all the others."""
    names = (request.fact_id, *request.lose)
    named = await facts_in_memory(transaction, request.project, memory, names)
    fact = named[request.fact_id]
    losers = [named[name] for name in request.lose]
    if request.action is DecisionAction.RESOLVE and not losers:
        members = await members_of_conflict(transaction, fact)
        losers = [member for member in members if member.id != fact.id]
    behind = await assertions_behind(
        transaction, request.project, {each.id for each in (fact, *losers)}
    )
    return _decided(fact, behind), [_decided(loser, behind) for loser in losers]


def _decided(fact: NamedFact, behind: Mapping[str, Sequence[Assertion]]) -> DecidedFact:
    return DecidedFact(
        id=fact.id,
        status=FactStatus(fact.status),
        conflict_id=fact.conflict_id,
        assertions=tuple(behind[fact.id]),
    )


async def _lock_memories(transaction: Connection, journaled: JournaledDecision) -> None:
    """Let nobody else decide on the memories in which the decision speaks of anything."""
    owners = {
        (journaled.project, name.key.subject)
        for fact in facts_of(journaled.decision)
        for name in fact.assertions
    }
    entities = await entities_by_identifier(transaction, owners)
    memory_of_owner = entities.within(journaled.project)
    await lock_subjects(
        transaction, {(project, memory_of_owner(owner)) for project, owner in owners}
    )
