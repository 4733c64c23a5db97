"""Carries requests to forget through: memory's tables, the lake, the streams."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import structlog
from roxabi_contracts import codec, subjects
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.changes import Change
from roxabi_contracts.client import LakeClient
from roxabi_contracts.client.connection import Connection
from roxabi_contracts.client.sweep import StoredMessage, sweep
from roxabi_contracts.errors import ContractError, DecodeError
from roxabi_contracts.observation import Observation
from roxabi_contracts.operations import RejectedMessage
from roxabi_contracts.upkeep import ForgetMode, LakeForgetRequest

from cortex_memory.clock import Clock, now_ms
from cortex_memory.errors import StoreUnavailable
from cortex_memory.faults import FaultPoint, Step
from cortex_memory.forget_job import ForgetJob
from cortex_memory.forget_remains import ForgetRemains, Forgotten
from cortex_memory.obey_decision import DecisionObeyer
from cortex_memory.refold_job import Rules
from cortex_memory.store import forgetting
from cortex_memory.store.db import Connection as StoreConnection
from cortex_memory.store.db import Pool, connection
from cortex_memory.store.erase_memory import letters_gone, tells
from cortex_memory.store.erased_keys import erased_among
from cortex_memory.store.erased_revisions import erased_revisions
from cortex_memory.store.forgetting import ASKED, ERASED, FINISHED, Forgetting, LakeRow
from cortex_memory.store.projects import ProjectKeys, project_keys
from cortex_memory.trace_log import TraceLog
from cortex_memory.vector_shelves import VectorShelves
from cortex_memory.waiting import arrival

IDLE_SECONDS: Final = 1.0
RETRY_SECONDS: Final = 1.0
RECORDS_AT_ONCE: Final = 1000

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class ForgetParts:
    """What forgetting works with."""

    pool: Pool
    clock: Clock
    keys: ProjectKeys
    catalogues: Catalogues
    traces: TraceLog
    shelves: VectorShelves
    fault: FaultPoint


class ForgetWorker:
    """Takes every request one step after the other; each may be interrupted and is done again."""

    def __init__(self, connection: Connection, parts: ForgetParts) -> None:
        self._client = connection.client
        self._lake = LakeClient(connection)
        self._parts = parts
        self._cleared: tuple[str, str] | None = None

    async def run(self, stopping: asyncio.Event, asked: asyncio.Event) -> None:
        """Work until told to stop; a store, a broker or a lake that is down is waited for."""
        while not stopping.is_set():
            try:
                busy = await self.step()
            except (StoreUnavailable, ContractError) as error:
                _log.warning("forgetting_waits", reason=type(error).__name__)
                await asyncio.sleep(RETRY_SECONDS)
                continue
            except Exception as error:  # noqa: BLE001  (a top loop: the request is taken up again)
                _log.error("forgetting_failed", error=type(error).__name__)
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if not busy:
                await arrival(asked, IDLE_SECONDS)

    async def step(self) -> bool:
        """Take the next request one step further; false: there is none.

        Raises:
            StoreUnavailable, ClientError, RequestRefused: the step is to be done again.
        """
        await self._parts.traces.store()
        async with connection(self._parts.pool) as transaction:
            request = await forgetting.hold_unfinished(transaction)
            if request is None:
                return False
            if request.state == ASKED:
                keys = await self._parts.keys.of(transaction, [request.project])
                rules = Rules(keys, self._parts.catalogues, now_ms(self._parts.clock))
                parts = self._parts
                decisions = DecisionObeyer(parts.pool, parts.clock, parts.catalogues)
                done = await ForgetJob(transaction, rules, request, decisions).run()
                await forgetting.advance(
                    transaction,
                    request,
                    state=ERASED if _is_erasing(request) else FINISHED,
                    removed=done.removed,
                    kept_digests=done.kept_digests,
                )
                self._parts.fault(Step.BEFORE_FORGET_COMMIT)
        self._clear_shelves(request)
        if request.state == ASKED:
            self._parts.fault(Step.AFTER_FORGET_COMMIT)
            _log.info("forgotten", forget_id=request.id, scope=request.scope, mode=request.mode)
            return True
        await self._tell_lake(request)
        await self._sweep(request)
        return True

    def _clear_shelves(self, request: Forgetting) -> None:
        """Once in each state: whether a commit arrived may be told by the next state alone."""
        if (request.id, request.state) != self._cleared:
            self._parts.shelves.clear()
            self._cleared = (request.id, request.state)

    async def _tell_lake(self, request: Forgetting) -> None:
        traces = Counter(request.removed)["traces"]
        while True:
            async with connection(self._parts.pool) as transaction:
                rows = await forgetting.lake_rows(transaction, request, RECORDS_AT_ONCE)
            if not rows:
                return
            together = [row for row in rows if _address(row) == _address(rows[0])]
            reply = await self._lake.forget(_message(request, together))
            removed = {f"lake_{what}": count for what, count in reply.removed.items()}
            removed["lake_digests"] = reply.kept_digests
            self._parts.fault(Step.AFTER_LAKE_FORGOT)
            await self._parts.traces.store()
            async with connection(self._parts.pool) as transaction:
                traces += await _remove_late_traces(transaction, request, together[0].owner)
                removed["traces"] = traces
                await forgetting.remove_lake_rows(transaction, together)
                await forgetting.advance(transaction, request, state=ERASED, removed=removed)

    async def _sweep(self, request: Forgetting) -> None:
        """Take out of memory's streams what they hold of it, and of the files what was deleted."""
        messages = await sweep(
            self._client,
            subjects.STREAM_OBSERVATIONS,
            lambda batch: self._erased(request.project, batch),
        )
        messages += await sweep(
            self._client,
            subjects.STREAM_OBSERVATIONS_REJECTED,
            lambda batch: self._settled(request.project, batch),
        )
        messages += await self._sweep_changes(request)
        self._parts.fault(Step.AFTER_FORGET_SWEEP)
        await forgetting.vacuum(self._parts.pool)
        total = Counter(request.removed)["messages"] + messages
        async with connection(self._parts.pool) as transaction:
            await forgetting.advance(
                transaction, request, state=ERASED, removed={"messages": total}
            )
            await forgetting.finish(transaction, request)
        _log.info("forgetting_finished", forget_id=request.id)

    async def _erased(self, project: str, batch: Sequence[StoredMessage]) -> set[int]:
        read = [(message.sequence, _observation(message)) for message in batch]
        ours = [(place, seen) for place, seen in read if seen and seen.project_id == project]
        async with connection(self._parts.pool) as transaction:
            keys = await project_keys(transaction, [project])
            observations = [seen for _, seen in ours]
            gone = {*await erased_among(transaction, observations, keys)}
            gone |= (await erased_revisions(transaction, observations, keys)).keys()
        return {ours[place][0] for place in gone}

    async def _settled(self, project: str, batch: Sequence[StoredMessage]) -> set[int]:
        """Announcements of refusals that are no more: erased, or read since."""
        letters = {
            message.sequence: letter.id
            for message in batch
            for letter in [codec.decode(message.data, RejectedMessage)]
            if letter.project in (None, project)
        }
        async with connection(self._parts.pool) as transaction:
            gone = await letters_gone(transaction, set(letters.values()))
        return {sequence for sequence, name in letters.items() if name in gone}

    async def _sweep_changes(self, request: Forgetting) -> int:
        async with connection(self._parts.pool) as transaction:
            groups = await forgetting.noted_groups(transaction, request)
        if not groups:
            return 0

        async def told(batch: Sequence[StoredMessage]) -> set[int]:
            read = [(message.sequence, codec.decode(message.data, Change)) for message in batch]
            return {place for place, change in read if tells(change, groups)}

        subject = subjects.changes(request.project)
        return await sweep(self._client, subjects.STREAM_CHANGES, told, subject)


async def _remove_late_traces(
    transaction: StoreConnection, request: Forgetting, owner: Sequence[str]
) -> int:
    """Take out what was asked while it was forgotten: its answer may hold what is gone by now."""
    forgotten = Forgotten()
    await ForgetRemains(transaction, request, forgotten).remove_traces_of(owner)
    return forgotten.removed["traces"]


def _is_erasing(request: Forgetting) -> bool:
    return request.mode == ForgetMode.ERASE


def _address(row: LakeRow) -> tuple[list[str], str | None, int | None, bool]:
    return row.owner, row.source, row.until, row.source_ref is None


def _message(request: Forgetting, rows: Sequence[LakeRow]) -> LakeForgetRequest:
    first = rows[0]
    return LakeForgetRequest(
        project=request.project,
        forget_id=request.id,
        owner=tuple(first.owner),
        source=first.source,
        source_refs=tuple(row.source_ref for row in rows if row.source_ref is not None),
        until=None if first.until is None else from_epoch_ms(first.until),
    )


def _observation(message: StoredMessage) -> Observation | None:
    try:
        return codec.decode(message.data, Observation)
    except DecodeError:
        return None
