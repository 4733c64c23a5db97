"""The lake inside one transaction: events and their links; beside them, what was read."""

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

from roxabi_contracts import RawEvent, codec, subjects

from cortex_insight.admit import Admitted
from cortex_insight.erased import digests_of, event_digest
from cortex_insight.outbox import Receipt
from cortex_insight.reading import EventKey, Links, SourceKey
from cortex_insight.store import queries
from cortex_insight.store.columns import columns_of, event_columns
from cortex_insight.store.db import Database, Row, Transaction
from cortex_insight.store.erasing import add_digests, hold_off_erasures, keys_of, known_digests
from cortex_insight.store.readings import Readings

_SQL = queries.load("lake")


OpenLake = Callable[[], AbstractAsyncContextManager["Lake"]]
"""Opens the lake for one transaction."""


def open_lake(database: Database) -> OpenLake:
    """How to open the lake of a database."""

    @asynccontextmanager
    async def opened() -> AsyncGenerator[Lake]:
        async with database.transaction() as transaction:
            yield Lake(transaction)

    return opened


class Lake:
    """What ingestion reads and writes.

    Args:
        transaction: Nothing is kept before it ends.
    """

    def __init__(self, transaction: Transaction) -> None:
        self.transaction = transaction
        self.readings = Readings(transaction)

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
        found = await self.transaction.fetch(_SQL["insert_events"], columns_of(names, rows))
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
            asked = {f"asked_{name}": ids for name, ids in event_columns(read_before).items()}
            stay = {**columns_of(names, keys), **asked}
            changed += await self.transaction.fetch(_SQL["delete_other_keys"], stay)
            stay = {**columns_of(names, needs), **asked}
            await self.transaction.execute(_SQL["delete_other_needs"], stay)
        if keys:
            columns = columns_of(names, sorted(keys))
            changed += await self.transaction.fetch(_SQL["insert_keys"], columns)
        if needs:
            await self.transaction.execute(_SQL["insert_needs"], columns_of(names, sorted(needs)))
        return await self._dependants(changed)

    async def _dependants(self, keys: Iterable[Row]) -> set[EventKey]:
        """The events that ask for any of these keys."""
        provided = [(row["project"], row["source"], row["key"]) for row in keys]
        if not provided:
            return set()
        columns = columns_of(("projects", "sources", "keys"), provided)
        rows = await self.transaction.fetch(_SQL["select_dependants"], columns)
        return {EventKey(row["project"], row["event_id"]) for row in rows}

    async def providers(
        self, events: Collection[EventKey]
    ) -> dict[EventKey, dict[bytes, list[str]]]:
        """By event and key that it asks for: the ids of the events that provide it, in order."""
        if not events:
            return {}
        rows = await self.transaction.fetch(_SQL["select_providers"], event_columns(events))
        found: defaultdict[EventKey, dict[bytes, list[str]]] = defaultdict(dict)
        for row in rows:
            found[EventKey(row["project"], row["event_id"])][row["key"]] = row["providers"]
        return found

    async def events(self, events: Collection[EventKey]) -> dict[EventKey, Admitted]:
        """The stored events, as they were received."""
        if not events:
            return {}
        rows = await self.transaction.fetch(_SQL["select_events"], event_columns(events))
        return {
            EventKey(row["project"], row["event_id"]): Admitted(
                Receipt(
                    subjects.events(row["source"], row["project"]),
                    row["message"],
                    row["received_at"],
                ),
                codec.decode(row["message"], RawEvent, codec.MAXIMUM_EVENT),
                row["event_id"],
            )
            for row in rows
        }
