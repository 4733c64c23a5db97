"""What the lake tells of its sources."""

from typing import Final

from roxabi_contracts import subjects
from roxabi_contracts.operations import (
    EventState,
    EventStatus,
    QueueStats,
    SourcesReply,
    SourcesRequest,
    SourceStats,
)

from cortex_insight.erased import event_digest
from cortex_insight.store import queries
from cortex_insight.store.db import Database, Row, Transaction
from cortex_insight.store.erasing import keys_of, known_digests
from cortex_insight.store.model_usage import ModelMeter

_SQL = queries.load("sources")
_LETTERS: Final = "dead_letters"
_QUEUES: Final = {
    "observations": subjects.OBSERVATIONS,
    _LETTERS: subjects.EVENTS_REJECTED,
}


class Sources:
    """Answers what is asked of the lake's sources.

    Args:
        database: The lake's.
        meter: Of the model that reads some of them; null: none does.
    """

    def __init__(self, database: Database, meter: ModelMeter | None = None) -> None:
        self._database = database
        self._meter = meter

    async def answer(self, asked: SourcesRequest) -> SourcesReply:
        """The sums of each source, the events asked for, and what waits to be sent.

        Raises:
            StoreUnavailable: the database cannot be reached.
        """
        async with self._database.transaction() as transaction:
            reply = SourcesReply(
                project=asked.project,
                sources=await _sources(transaction, asked.project),
                events=await _events(transaction, asked),
                queues=await _queues(transaction, asked.project),
            )
            if self._meter is None:
                return reply
            queue = await self._meter.queue(transaction, asked.project)
            usage = await self._meter.usage(transaction, asked.project)
        return reply.model_copy(update={"queues": (*reply.queues, queue), "model": usage})


async def _sources(transaction: Transaction, project: str) -> tuple[SourceStats, ...]:
    counts = await transaction.fetch(_SQL["select_source_counts"], {"project": project})
    types = await transaction.fetch(_SQL["select_record_type_counts"], {"project": project})
    secrets = await transaction.fetch(_SQL["select_redaction_counts"], {"project": project})
    return tuple(
        SourceStats(
            source=row["source"],
            events=row["events"],
            observations=row["observations"],
            rejected=row["rejected"],
            record_types={
                unknown["record_type"]: unknown["records"]
                for unknown in types
                if unknown["source"] == row["source"]
            },
            redactions={
                taken["kind"]: taken["secrets"]
                for taken in secrets
                if taken["source"] == row["source"]
            },
        )
        for row in counts
    )


async def _events(transaction: Transaction, asked: SourcesRequest) -> tuple[EventStatus, ...]:
    if not asked.event_ids:
        return ()
    parameters = {"project": asked.project, "event_ids": [*asked.event_ids]}
    rows = await transaction.fetch(_SQL["select_event_states"], parameters)
    found = {row["event_id"]: _status(row) for row in rows}
    erased = await _erased(transaction, asked)
    return tuple(found.get(name) or _status_of_none(name, erased) for name in asked.event_ids)


async def _erased(transaction: Transaction, asked: SourcesRequest) -> set[str]:
    keys = await keys_of(transaction, [asked.project])
    if asked.project not in keys:
        return set()
    digests = {event_digest(keys[asked.project], name): name for name in asked.event_ids}
    known = await known_digests(transaction, {asked.project: digests.keys()})
    return {digests[digest] for digest in known}


def _status_of_none(event_id: str, erased: set[str]) -> EventStatus:
    """Of an event that the lake does not hold."""
    state = EventState.ERASED if event_id in erased else EventState.UNKNOWN
    return EventStatus(event_id=event_id, state=state)


def _status(row: Row) -> EventStatus:
    if row["code"] is None:
        return EventStatus(
            event_id=row["event_id"], state=EventState.PARSED, observations=row["observations"]
        )
    reason = f"{row['code']}: {row['reason']}"
    return EventStatus(event_id=row["event_id"], state=EventState.REJECTED, reason=reason)


async def _queues(transaction: Transaction, project: str) -> tuple[QueueStats, ...]:
    """What waits to be sent; of dead letters also how many are kept."""
    queues: list[QueueStats] = []
    (kept,) = await transaction.fetch(_SQL["select_refused"], {"project": project})
    for name, subject in _QUEUES.items():
        parameters = {"project": project, "subject": subject}
        (row,) = await transaction.fetch(_SQL["select_queue"], parameters)
        waiting, oldest = row["waiting"], row["oldest_seconds"]
        failed = kept["refused"] if name == _LETTERS else None
        queues.append(QueueStats(name=name, waiting=waiting, oldest_seconds=oldest, failed=failed))
    return tuple(queues)
