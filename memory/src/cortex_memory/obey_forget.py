"""Takes requests to forget, and answers how far each has come."""

import asyncio
from typing import Final

from roxabi_contracts.actor import Identifier
from roxabi_contracts.base import epoch_ms, from_epoch_ms
from roxabi_contracts.errors import ErrorCode
from roxabi_contracts.upkeep import ForgetReceipt, ForgetRequest, ForgetScope

from cortex_memory.clock import Clock
from cortex_memory.find_fact import facts_in_memory
from cortex_memory.refusal import Refused
from cortex_memory.retain.resolve_actors import strong_identifier
from cortex_memory.retain.values import keyed_digest
from cortex_memory.store import forgetting, subjects
from cortex_memory.store.db import Connection, Pool, connection
from cortex_memory.store.forgetting import FINISHED, Forgetting
from cortex_memory.store.projects import project_keys

PATIENCE_SECONDS: Final = 10.0
"""How long a request waits to be finished before it is told how far it has come."""
POLL_SECONDS: Final = 0.1


class ForgetObeyer:
    """Has requests carried out by who is woken through `asked`."""

    def __init__(self, pool: Pool, clock: Clock, asked: asyncio.Event) -> None:
        self._pool = pool
        self._clock = clock
        self._asked = asked

    async def forget(self, request: ForgetRequest) -> ForgetReceipt:
        """Ask for something to be forgotten, and wait for a while until it is.

        Raises:
            Refused: there is no such memory, or nothing of that name in it.
            StoreUnavailable: ask again.
        """
        if request.requested_at > self._clock.now():
            raise Refused(ErrorCode.INVALID_REQUEST, "nothing can be forgotten in the future")
        async with connection(self._pool) as transaction:
            forget_id, known = await self._ask(transaction, request)
        self._asked.set()
        deadline = asyncio.get_running_loop().time() + PATIENCE_SECONDS
        while True:
            async with connection(self._pool) as transaction:
                found = await forgetting.find(transaction, request.project, forget_id)
            if found is None:
                raise Refused(ErrorCode.NOT_FOUND, "the request is gone")
            late = asyncio.get_running_loop().time() > deadline
            if found.state == FINISHED or late:
                return _receipt(request, found, known=known)
            await asyncio.sleep(POLL_SECONDS)

    async def _ask(self, transaction: Connection, request: ForgetRequest) -> tuple[str, bool]:
        """Under which id the request is carried out, and whether it was asked for before."""
        keys = await project_keys(transaction, [request.project])
        if request.project not in keys:
            raise Refused(ErrorCode.UNKNOWN_SUBJECT, f"nobody is known as {request.subject!r}")
        key = keys[request.project]
        forget_id = _id_of(request, key)
        if await forgetting.find(transaction, request.project, forget_id) is not None:
            return forget_id, True
        subject = await _memory_of(transaction, request, key)
        await _check_target(transaction, request, subject)
        asked = Forgetting(
            project=request.project,
            id=forget_id,
            subject=subject,
            scope=request.scope.value,
            target=request.target,
            mode=request.mode.value,
            requested_by=request.requested_by,
            requested_at=epoch_ms(request.requested_at),
        )
        return forget_id, not await forgetting.ask(transaction, asked)


def _id_of(request: ForgetRequest, project_key: bytes) -> str:
    """A keyed digest: nobody learns from it whose memory it was."""
    who = (request.project, request.subject, request.requested_by, epoch_ms(request.requested_at))
    what = (request.scope.value, request.target, request.mode.value)
    return keyed_digest(project_key, "forget", who, what)


async def _memory_of(transaction: Connection, request: ForgetRequest, project_key: bytes) -> str:
    """Whose memory is meant; one that is disabled as a whole is known by its observations."""
    project, reference = request.project, request.subject
    known = await subjects.entities_of(transaction, project, [reference])
    if reference in known:
        return known[reference]
    try:
        parsed = Identifier.parse(reference)
    except ValueError:
        identity = reference
    else:
        identity = strong_identifier(project, parsed.scheme, parsed.value, project_key).id
    if await forgetting.has_memory(transaction, project, identity):
        return identity
    raise Refused(ErrorCode.UNKNOWN_SUBJECT, f"nobody is known as {reference!r}")


async def _check_target(transaction: Connection, request: ForgetRequest, subject: str) -> None:
    target = request.target
    if request.scope is ForgetScope.SUBJECT:
        if target is not None:
            raise Refused(ErrorCode.INVALID_REQUEST, "a whole memory has no target")
        return
    if target is None:
        raise Refused(ErrorCode.INVALID_REQUEST, f"which {request.scope.value}?")
    if request.scope is ForgetScope.FACT:
        await facts_in_memory(transaction, request.project, subject, [target])
    if request.scope is ForgetScope.OBSERVATION:
        found = await forgetting.observation_in_memory(
            transaction, request.project, subject, target
        )
        if found is None:
            raise Refused(ErrorCode.NOT_FOUND, f"no observation {target!r} is in this memory")


def _receipt(request: ForgetRequest, found: Forgetting, *, known: bool) -> ForgetReceipt:
    return ForgetReceipt(
        forget_id=found.id,
        project=found.project,
        scope=request.scope,
        mode=request.mode,
        requested_at=from_epoch_ms(found.requested_at),
        known=known,
        finished=found.state == FINISHED,
        removed={what: count for what, count in sorted(found.removed.items()) if count},
        kept_digests=found.kept_digests,
    )
