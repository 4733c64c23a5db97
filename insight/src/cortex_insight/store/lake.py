"""The lake inside one transaction: events, their links, and what was read from them."""

from collections import defaultdict
from collections.abc import (
    AsyncGenerator,
    Callable,
    Collection,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from roxabi_contracts import Observation, RawEvent, codec, subjects
from roxabi_contracts.ids import canonical_json

from cortex_insight.admit import Admitted
from cortex_insight.erased import digests_of, event_digest
from cortex_insight.outbox import DeadLetter, OutboxMessage, Receipt
from cortex_insight.reading import (
    UNREAD,
    EventKey,
    Links,
    Reading,
    SourceKey,
    Summary,
    Sums,
    Versions,
    versions_of,
)
from cortex_insight.store import queries
from cortex_insight.store.db import Database, Parameters, Row, Transaction
from cortex_insight.store.erasing import add_digests, hold_off_erasures, keys_of, known_digests

_SQL = queries.load("ingest")


def open_lake(database: Database) -> Callable[[], AbstractAsyncContextManager["Lake"]]:
    """How to open the lake for one transaction."""

    @asynccontextmanager
    async def opened() -> AsyncGenerator[Lake]:
        async with database.transaction() as transaction:
            yield Lake(transaction)

    return opened


class Lake:
    """What ingestion reads and writes."""

    def __init__(self, transaction: Transaction) -> None:
        self.transaction = transaction

    async def lock_sources(self, sources: Collection[SourceKey]) -> None:
        """Be the only writer of these sources until the end of the transaction."""
        scopes = [f"{project}/{source}" for project, source in sources]
        await self.transaction.execute(_SQL["lock_sources"], {"scopes": scopes})

    async def hold_off_erasures(self, events: Collection[EventKey]) -> None:
        """Let nobody erase in the projects of these until the end of the transaction."""
        await hold_off_erasures(self.transaction, {event.project for event in events})

    async def erased(self, admitted: Mapping[EventKey, Admitted]) -> set[EventKey]:
        """Those of the events that were erased; from now on nobody erases, until the end.

        One that is known by its record alone is known by its content, too, from now on.
        """
        projects = {key.project for key in admitted}
        await hold_off_erasures(self.transaction, projects)
        keys = await keys_of(self.transaction, projects)
        digests = {
            key: digests_of(keys[key.project], item.event_id, item.event)
            for key, item in admitted.items()
            if key.project in keys
        }
        asked: defaultdict[str, set[bytes]] = defaultdict(set)
        for key, own in digests.items():
            asked[key.project] |= own
        known = await known_digests(self.transaction, asked)
        gone = {key for key, own in digests.items() if own & known}
        for project in {key.project for key in gone}:
            names = {key.event_id for key in gone if key.project == project}
            contents = {event_digest(keys[project], name) for name in names}
            await add_digests(self.transaction, project, contents - known)
        return gone

    async def add_events(self, admitted: Sequence[Admitted]) -> set[EventKey]:
        """Store events; those that were not there yet."""
        rows = sorted(
            {
                item.event_id: (
                    item.event.project,
                    item.event_id,
                    item.event.source,
                    item.receipt.data,
                    item.receipt.received_at,
                )
                for item in reversed(admitted)
            }.values(),
            key=lambda row: row[:2],
        )
        names = ("projects", "event_ids", "sources", "messages", "received")
        found = await self.transaction.fetch(_SQL["insert_events"], _columns(names, rows))
        return {EventKey(row["project"], row["event_id"]) for row in found}

    async def set_links(
        self, links: Mapping[EventKey, tuple[SourceKey, Links]], read_before: Collection[EventKey]
    ) -> set[EventKey]:
        """Store under which keys events can be asked for, and which they ask for.

        Returns the events that ask for a key that one of these provides now and did not before,
        or the other way round.
        """
        names = ("projects", "sources", "keys", "event_ids")
        keys = [(*s, digest, e.event_id) for e, (s, k) in links.items() for digest in k.provides]
        needs = [(*s, digest, e.event_id) for e, (s, k) in links.items() for digest in k.needs]
        changed: list[Row] = []
        if read_before:
            asked = {f"asked_{name}": ids for name, ids in _event_columns(read_before).items()}
            stay = {**_columns(names, keys), **asked}
            changed += await self.transaction.fetch(_SQL["delete_other_keys"], stay)
            stay = {**_columns(names, needs), **asked}
            await self.transaction.execute(_SQL["delete_other_needs"], stay)
        if keys:
            columns = _columns(names, sorted(keys))
            changed += await self.transaction.fetch(_SQL["insert_keys"], columns)
        if needs:
            await self.transaction.execute(_SQL["insert_needs"], _columns(names, sorted(needs)))
        return await self._dependants(changed)

    async def _dependants(self, keys: Iterable[Row]) -> set[EventKey]:
        """The events that ask for any of these keys."""
        provided = [(row["project"], row["source"], row["key"]) for row in keys]
        if not provided:
            return set()
        columns = _columns(("projects", "sources", "keys"), provided)
        rows = await self.transaction.fetch(_SQL["select_dependants"], columns)
        return {EventKey(row["project"], row["event_id"]) for row in rows}

    async def providers(
        self, events: Collection[EventKey]
    ) -> dict[EventKey, dict[bytes, list[str]]]:
        """By event and key that it asks for: the ids of the events that provide it, in order."""
        if not events:
            return {}
        rows = await self.transaction.fetch(_SQL["select_providers"], _event_columns(events))
        found: defaultdict[EventKey, dict[bytes, list[str]]] = defaultdict(dict)
        for row in rows:
            found[EventKey(row["project"], row["event_id"])][row["key"]] = row["providers"]
        return found

    async def events(self, events: Collection[EventKey]) -> dict[EventKey, Admitted]:
        """The stored events, as they were received."""
        if not events:
            return {}
        rows = await self.transaction.fetch(_SQL["select_events"], _event_columns(events))
        return {
            EventKey(row["project"], row["event_id"]): Admitted(
                Receipt(
                    subjects.events(row["source"], row["project"]),
                    row["message"],
                    row["received_at"],
                ),
                codec.decode(row["message"], RawEvent),
                row["event_id"],
            )
            for row in rows
        }

    async def summaries(self, events: Collection[EventKey]) -> dict[EventKey, Summary]:
        """What is kept of the latest readings of these events."""
        if not events:
            return {}
        rows = await self.transaction.fetch(_SQL["select_readings"], _event_columns(events))
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
            )
            for row in rows
        }

    async def observations(
        self, events: Collection[EventKey]
    ) -> list[tuple[EventKey, Observation]]:
        """What the latest readings of these events say."""
        if not events:
            return []
        columns = {**_event_columns(events), "subject": subjects.OBSERVATIONS}
        rows = await self.transaction.fetch(_SQL["select_observations"], columns)
        return [
            (
                EventKey(row["project"], row["event_id"]),
                codec.decode(row["payload"], Observation),
            )
            for row in rows
        ]

    async def said_elsewhere(self, event: EventKey, source_ref: str) -> list[Observation]:
        """What the latest readings of all other events say of records of this name."""
        parameters = {**event._asdict(), "source_ref": source_ref}
        rows = await self.transaction.fetch(
            _SQL["select_same_record"], {**parameters, "subject": subjects.OBSERVATIONS}
        )
        return [codec.decode(row["payload"], Observation) for row in rows]

    async def record(self, readings: Sequence[Reading], read_before: Collection[EventKey]) -> None:
        """Store readings, each in the place of the one before."""
        if read_before:
            await self.transaction.execute(_SQL["delete_observations"], _event_columns(read_before))
        await self.transaction.execute(_SQL["upsert_readings"], _reading_columns(readings))
        rows = [
            (*r.key, said.message_id, said.source_ref) for r in readings for said in r.observations
        ]
        if rows:
            names = ("projects", "event_ids", "message_ids", "source_refs")
            await self.transaction.execute(_SQL["insert_observations"], _columns(names, rows))
        await self.add_messages([message for r in readings for message in r.messages])

    async def add_messages(self, messages: Sequence[OutboxMessage]) -> None:
        """Put messages into the outbox, each once for ever."""
        if messages:
            rows = [(m.subject, m.message_id, m.project, m.payload, m.source_ref) for m in messages]
            names = ("subjects", "message_ids", "projects", "payloads", "source_refs")
            await self.transaction.execute(_SQL["insert_messages"], _columns(names, rows))

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
        await self.transaction.execute(_SQL["insert_dead_letters"], _columns(names.split(), rows))

    async def add_sums(self, sums: Sums) -> None:
        """Add to the sums per source, in an order without deadlock."""
        sources = sorted({*sums.events, *sums.observations, *sums.rejected})
        rows = [
            (*key, sums.events[key], sums.observations[key], sums.rejected[key]) for key in sources
        ]
        names = ("projects", "sources", "events", "observations", "rejected")
        await self.transaction.execute(_SQL["add_source_counts"], _columns(names, rows))
        types = [(*key, v, name, n) for (key, v, name), n in sorted(sums.record_types.items())]
        if types:
            names = ("projects", "sources", "parser_versions", "record_types", "records")
            await self.transaction.execute(_SQL["add_record_type_counts"], _columns(names, types))


def _columns(names: Sequence[str], rows: Sequence[tuple[object, ...]]) -> Parameters:
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def _event_columns(events: Iterable[EventKey]) -> Parameters:
    return _columns(("projects", "event_ids"), sorted(events))


def _reading_columns(readings: Sequence[Reading]) -> Parameters:
    names = (
        "projects event_ids parser_versions sanitiser_versions enricher_versions observations "
        "unknown_types codes reasons"
    )
    rows = [
        (
            *reading.key,
            None if versions.parser == UNREAD else versions.parser,
            versions.sanitiser,
            versions.enricher,
            len(reading.observations),
            canonical_json(dict(reading.unknown_types)).decode(),
            None if reading.reject is None else reading.reject.code,
            None if reading.reject is None else reading.reject.reason,
        )
        for reading in readings
        for versions in (versions_of(reading.made_by),)
    ]
    return _columns(names.split(), rows)
