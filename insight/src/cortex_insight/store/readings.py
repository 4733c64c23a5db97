"""What was read from events: the latest readings, the messages they gave, and the sums."""

from collections.abc import Collection, Sequence

from roxabi_contracts import Observation, codec, subjects
from roxabi_contracts.ids import canonical_json

from cortex_insight.outbox import DeadLetter, OutboxMessage
from cortex_insight.reading import (
    UNREAD,
    EventKey,
    Reading,
    Summary,
    Sums,
    Versions,
    versions_of,
)
from cortex_insight.store import queries
from cortex_insight.store.columns import columns_of, event_columns
from cortex_insight.store.db import Parameters, Transaction

_SQL = queries.load("readings")


class Readings:
    """The readings of the lake inside one transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def summaries(self, events: Collection[EventKey]) -> dict[EventKey, Summary]:
        """What is kept of the latest readings of these events."""
        if not events:
            return {}
        rows = await self._transaction.fetch(_SQL["select_readings"], event_columns(events))
        return {
            EventKey(row["project"], row["event_id"]): Summary(
                Versions(
                    UNREAD if row["parser_version"] is None else row["parser_version"],
                    row["sanitiser_version"],
                    row["enricher_version"],
                ),
                row["observations"],
                row["code"] is not None,
                row["unknown_types"],
                row["redactions"],
            )
            for row in rows
        }

    async def observations(
        self, events: Collection[EventKey]
    ) -> list[tuple[EventKey, Observation]]:
        """What the latest readings of these events say."""
        if not events:
            return []
        columns = {**event_columns(events), "subject": subjects.OBSERVATIONS}
        rows = await self._transaction.fetch(_SQL["select_observations"], columns)
        return [
            (
                EventKey(row["project"], row["event_id"]),
                codec.decode(row["payload"], Observation),
            )
            for row in rows
        ]

    async def said_elsewhere(self, event: EventKey, source_ref: str) -> list[Observation]:
        """What the latest readings of all other events say of records of this name."""
        return await self._said(event.project, source_ref, event.event_id)

    async def said_of(self, project: str, source_ref: str) -> list[Observation]:
        """What the latest readings of all events say of records of this name."""
        return await self._said(project, source_ref, None)

    async def _said(self, project: str, source_ref: str, event_id: str | None) -> list[Observation]:
        parameters = {"project": project, "source_ref": source_ref, "event_id": event_id}
        rows = await self._transaction.fetch(
            _SQL["select_same_record"], {**parameters, "subject": subjects.OBSERVATIONS}
        )
        return [codec.decode(row["payload"], Observation) for row in rows]

    async def made_of(self, records: Collection[tuple[str, str]]) -> list[Observation]:
        """Every observation that was ever made of records, by project and name."""
        if not records:
            return []
        columns = columns_of(("projects", "source_refs"), sorted(records))
        rows = await self._transaction.fetch(
            _SQL["select_made_of"], {**columns, "subject": subjects.OBSERVATIONS}
        )
        return [codec.decode(row["payload"], Observation) for row in rows]

    async def remove_unsaid(self, observations: Collection[Observation]) -> None:
        """Never send these again, unless an event still says them."""
        if observations:
            ids = sorted({observation.message_id for observation in observations})
            wanted = {"subject": subjects.OBSERVATIONS, "message_ids": ids}
            await self._transaction.execute(_SQL["delete_unsaid_messages"], wanted)

    async def record(self, readings: Sequence[Reading], read_before: Collection[EventKey]) -> None:
        """Store readings, each in the place of the one before."""
        if read_before:
            await self._transaction.execute(_SQL["delete_observations"], event_columns(read_before))
        await self._transaction.execute(_SQL["upsert_readings"], _reading_columns(readings))
        rows = [
            (*r.key, said.message_id, said.source_ref) for r in readings for said in r.observations
        ]
        if rows:
            names = ("projects", "event_ids", "message_ids", "source_refs")
            await self._transaction.execute(_SQL["insert_observations"], columns_of(names, rows))
        await self.add_messages([message for r in readings for message in r.messages])

    async def add_messages(self, messages: Sequence[OutboxMessage]) -> None:
        """Put messages into the outbox, each once for ever."""
        if messages:
            rows = [(m.subject, m.message_id, m.project, m.payload, m.source_ref) for m in messages]
            names = ("subjects", "message_ids", "projects", "payloads", "source_refs")
            await self._transaction.execute(_SQL["insert_messages"], columns_of(names, rows))

    async def add_dead_letters(self, letters: Sequence[DeadLetter]) -> None:
        """Keep what was refused, each once for ever."""
        if not letters:
            return
        names = (
            "ids projects sources source_refs event_ids codes reasons received sizes digests data"
        )
        rows = [
            (
                r.id,
                r.project,
                r.source,
                r.source_ref,
                r.event_id,
                r.code,
                r.reason,
                r.received_at,
                r.size,
                r.sha256,
                letter.data,
            )
            for letter in letters
            for r in (letter.rejected,)
        ]
        await self._transaction.execute(
            _SQL["insert_dead_letters"], columns_of(names.split(), rows)
        )

    async def add_sums(self, sums: Sums) -> None:
        """Add to the sums per source, in an order without deadlock."""
        sources = sorted({*sums.events, *sums.observations, *sums.rejected})
        rows = [
            (*key, sums.events[key], sums.observations[key], sums.rejected[key]) for key in sources
        ]
        names: tuple[str, ...] = ("projects", "sources", "events", "observations", "rejected")
        await self._transaction.execute(_SQL["add_source_counts"], columns_of(names, rows))
        types = [(*key, v, name, n) for (key, v, name), n in sorted(sums.record_types.items())]
        if types:
            names = ("projects", "sources", "parser_versions", "record_types", "records")
            await self._transaction.execute(
                _SQL["add_record_type_counts"], columns_of(names, types)
            )
        secrets = [(*key, kind, n) for (key, kind), n in sorted(sums.redactions.items())]
        if secrets:
            names = ("projects", "sources", "kinds", "secrets")
            await self._transaction.execute(
                _SQL["add_redaction_counts"], columns_of(names, secrets)
            )


def _reading_columns(readings: Sequence[Reading]) -> Parameters:
    names = (
        "projects event_ids parser_versions sanitiser_versions enricher_versions observations "
        "unknown_types redactions codes reasons"
    )
    rows = [
        (
            *reading.key,
            None if versions.parser == UNREAD else versions.parser,
            versions.sanitiser,
            versions.enricher,
            len(reading.observations),
            canonical_json(dict(reading.unknown_types)).decode(),
            canonical_json(dict(reading.redactions)).decode(),
            None if reading.reject is None else reading.reject.code,
            None if reading.reject is None else reading.reject.reason,
        )
        for reading in readings
        for versions in (versions_of(reading.made_by),)
    ]
    return columns_of(names.split(), rows)
