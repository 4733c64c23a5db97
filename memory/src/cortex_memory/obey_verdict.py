"""Takes a person's word on two names of predicates into the journal."""

from roxabi_contracts.base import epoch_ms
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.errors import ErrorCode
from roxabi_contracts.ids import content_id
from roxabi_contracts.names import VerdictReply, VerdictRequest

from cortex_memory.clock import Clock, now_ms
from cortex_memory.judge_names import journal_verdicts
from cortex_memory.model import JournalId, PredicateVerdict, ProjectId
from cortex_memory.refusal import Refused
from cortex_memory.retain.identify import canonical_spelling, name_components
from cortex_memory.store.db import Connection, Pool, connection
from cortex_memory.store.names import said_names
from cortex_memory.store.verdicts import JournaledVerdict, name_families


class VerdictObeyer:
    """Obeys what persons say of names: it stands over whatever words or a model say."""

    def __init__(self, pool: Pool, clock: Clock, catalogues: Catalogues) -> None:
        self._pool = pool
        self._clock = clock
        self._catalogues = catalogues

    async def judge(self, request: VerdictRequest) -> VerdictReply:
        """Journal a verdict; what it joins or parts is folded anew as soon as a worker is free.

        Raises:
            Refused: a name is not known, the two are one by the catalogue, or it is of the future.
            StoreUnavailable: nothing was changed.
        """
        catalogue = self._catalogues.for_project(request.project)
        one, other = (
            canonical_spelling(name, catalogue) for name in (request.first, request.second)
        )
        first, second = sorted((one, other))
        async with connection(self._pool) as transaction:
            await self._check(transaction, request)
            verdict = PredicateVerdict(
                id=_verdict_id(request, first, second),
                at=epoch_ms(request.decided_at),
                project=ProjectId(request.project),
                first=first,
                second=second,
                same=request.same,
                model=None,
            )
            row = JournaledVerdict(verdict, request.decided_by, request.reason)
            added, groups = await journal_verdicts(
                transaction, request.project, [row], self._catalogues
            )
            still_joined = not request.same and await self._are_joined(transaction, verdict)
        return VerdictReply(
            verdict_id=verdict.id,
            known=not added,
            first=first,
            second=second,
            groups=groups,
            still_joined=still_joined,
        )

    async def _check(self, transaction: Connection, request: VerdictRequest) -> None:
        if epoch_ms(request.decided_at) > now_ms(self._clock):
            raise Refused(ErrorCode.INVALID_REQUEST, "a verdict cannot be of the future")
        names = (request.first, request.second)
        catalogue = self._catalogues.for_project(request.project)
        unknown = [name for name in names if catalogue.lookup(name) is None]
        said = await said_names(transaction, request.project, unknown)
        for name in unknown:
            if name not in said:
                raise Refused(ErrorCode.NOT_FOUND, f"nothing is said under the name {name!r}")
        places = {canonical_spelling(name, catalogue) for name in names}
        if len(places) == 1:
            reason = f"{request.first!r} and {request.second!r} are one predicate by the catalogue"
            if request.first == request.second:
                reason = f"{request.first!r} is one name"
            raise Refused(ErrorCode.INVALID_REQUEST, reason)

    async def _are_joined(self, transaction: Connection, verdict: PredicateVerdict) -> bool:
        """Whether the two names are one where all that may be one with them is said."""
        project = verdict.project
        families = await name_families(transaction, [project], self._catalogues)
        family = families[project]
        names = family.places_of(verdict.first) | family.places_of(verdict.second)
        parts = name_components(names, family.standing, family.catalogue)
        return any({verdict.first, verdict.second} <= part for part in parts)


def _verdict_id(request: VerdictRequest, first: str, second: str) -> JournalId:
    """The same in all but its reason is the same verdict."""
    at = epoch_ms(request.decided_at)
    named = (request.project, first, second, request.same, request.decided_by, at)
    return JournalId(content_id("predicate_verdict", *named))
