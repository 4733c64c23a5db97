"""Erasing events with everything that was made of them, and knowing them when they come again."""

import json
import secrets
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from roxabi_contracts import Observation, RawEvent, codec, subjects
from roxabi_contracts.ids import canonical_json

from cortex_insight.store import queries
from cortex_insight.store.db import Database, Transaction

PAGE: Final = 1000
_KEY_BYTES: Final = 32
_SQL = queries.load("erasing")
_COUNTED: Final = {
    "delete_keys": "event_keys",
    "delete_needs": "event_keys",
    "delete_said": "event_observations",
    "delete_readings": "readings",
    "delete_questions": "model_questions",
    "delete_answers": "model_answers",
    "delete_events": "raw_events",
}
_VACUUMED: Final = (
    "raw_event",
    "outbox",
    "dead_letter",
    "event_observation",
    "reading",
    "question",
    "answer",
)


@dataclass(frozen=True)
class StoredEvent:
    """An event with what its latest reading says."""

    event_id: str
    event: RawEvent
    received_at: datetime
    observations: tuple[Observation, ...]


@dataclass(frozen=True)
class StoredLetter:
    """A refused message that is kept by itself."""

    id: str
    event_id: str | None
    data: bytes
    received_at: datetime


async def hold_off_erasures(transaction: Transaction, projects: Collection[str]) -> None:
    """Let nobody erase in these projects until the end of the transaction."""
    await transaction.execute(_SQL["lock_shared"], {"projects": sorted(projects)})


async def keys_of(transaction: Transaction, projects: Collection[str]) -> dict[str, bytes]:
    """The digest keys of those projects in which anything was erased."""
    rows = await transaction.fetch(_SQL["select_keys"], {"projects": sorted(projects)})
    return {row["project"]: row["digest_key"] for row in rows}


async def known_digests(
    transaction: Transaction, asked: Mapping[str, Collection[bytes]]
) -> set[bytes]:
    """Those of the digests, by project, that stand for something erased."""
    pairs = [(project, digest) for project, digests in asked.items() for digest in digests]
    if not pairs:
        return set()
    return {row["digest"] for row in await transaction.fetch(_SQL["select_erased"], _pairs(pairs))}


async def add_digests(transaction: Transaction, project: str, digests: Iterable[bytes]) -> int:
    """Know these again from now on; how many are new."""
    pairs = [(project, digest) for digest in sorted(digests)]
    return len(await transaction.fetch(_SQL["insert_erased"], _pairs(pairs))) if pairs else 0


def _pairs(pairs: list[tuple[str, bytes]]) -> dict[str, object]:
    return {"projects": [p for p, _ in pairs], "digests": [d for _, d in pairs]}


class EventEraser:
    """Erases events of one project inside a transaction that nobody takes in events beside."""

    def __init__(self, transaction: Transaction, project: str) -> None:
        self._transaction = transaction
        self._project = project
        self.removed: Counter[str] = Counter()

    async def begin(self) -> bytes:
        """Wait for the transactions that take events in; the key of the project's digests."""
        await self._transaction.execute(_SQL["lock"], {"project": self._project})
        key = {"project": self._project, "digest_key": secrets.token_bytes(_KEY_BYTES)}
        await self._transaction.execute(_SQL["add_key"], key)
        return (await keys_of(self._transaction, [self._project]))[self._project]

    async def observations_of(
        self, source_refs: Collection[str]
    ) -> list[tuple[Observation, str | None]]:
        """Every observation that was made of these records, and the event that says it still."""
        wanted = self._with(source_refs=[*source_refs], subject=subjects.OBSERVATIONS)
        rows = await self._transaction.fetch(_SQL["select_messages_of_records"], wanted)
        return [(codec.decode(row["payload"], Observation), row["event_id"]) for row in rows]

    async def events(self, event_ids: Collection[str]) -> dict[str, RawEvent]:
        """These events, as far as they are there."""
        wanted = self._with(event_ids=[*event_ids])
        rows = await self._transaction.fetch(_SQL["select_events"], wanted)
        return {
            row["event_id"]: codec.decode(row["message"], RawEvent, codec.MAXIMUM_EVENT)
            for row in rows
        }

    async def page(self, source: str | None, after: str) -> list[StoredEvent]:
        """The next events by id; none: there are no more."""
        wanted = self._with(source=source, after=after, count=PAGE)
        rows = await self._transaction.fetch(_SQL["select_events_page"], wanted)
        said = await self.said_by([row["event_id"] for row in rows])
        return [
            StoredEvent(
                row["event_id"],
                codec.decode(row["message"], RawEvent, codec.MAXIMUM_EVENT),
                row["received_at"],
                tuple(said.get(row["event_id"], ())),
            )
            for row in rows
        ]

    async def said_by(self, event_ids: Collection[str]) -> dict[str, list[Observation]]:
        """What the latest readings of these events say."""
        wanted = self._with(event_ids=[*event_ids], subject=subjects.OBSERVATIONS)
        rows = await self._transaction.fetch(_SQL["select_messages_of_events"], wanted)
        said: dict[str, list[Observation]] = {}
        for row in rows:
            said.setdefault(row["event_id"], []).append(codec.decode(row["payload"], Observation))
        return said

    async def letters(self, source: str | None) -> list[StoredLetter]:
        """The refused messages that are kept by themselves."""
        rows = await self._transaction.fetch(_SQL["select_letters"], self._with(source=source))
        return [
            StoredLetter(row["id"], row["event_id"], row["data"], row["received_at"])
            for row in rows
        ]

    async def erase_events(self, event_ids: Collection[str]) -> list[str]:
        """Erase events with their readings; the ids of their dead letters, which go, too."""
        if not event_ids:
            return []
        wanted = self._with(event_ids=[*event_ids])
        await self._transaction.execute(_SQL["delete_sums"], wanted)
        await self._transaction.execute(_SQL["delete_redaction_sums"], wanted)
        letters = await self._transaction.fetch(_SQL["delete_letters"], wanted)
        self.removed["dead_letters"] += len(letters)
        for statement, what in _COUNTED.items():
            self.removed[what] += len(await self._transaction.fetch(_SQL[statement], wanted))
        return [row["id"] for row in letters]

    async def erase_letters(self, ids: Collection[str]) -> None:
        """Erase dead letters, and what announced them."""
        gone = await self._transaction.fetch(_SQL["delete_letters_by_id"], {"ids": [*ids]})
        self.removed["dead_letters"] += len(gone)
        await self._erase_messages(subjects.EVENTS_REJECTED, ids)

    async def erase_observations(self, observations: Iterable[Observation]) -> None:
        """Erase what waits to be sent, or is kept to be sent again."""
        await self._erase_messages(
            subjects.OBSERVATIONS, {seen.message_id for seen in observations}
        )

    async def _erase_messages(self, subject: str, message_ids: Collection[str]) -> None:
        wanted = {"subject": subject, "message_ids": [*message_ids]}
        gone = await self._transaction.fetch(_SQL["delete_messages"], wanted)
        self.removed["outbox"] += len(gone)

    def _with(self, **parameters: object) -> dict[str, object]:
        return {"project": self._project, **parameters}


async def add_to_erasure(
    transaction: Transaction, project: str, forget_id: str, removed: Mapping[str, int]
) -> Counter[str]:
    """Count what an erasure has removed; all that it ever did."""
    named = {"project": project, "forget_id": forget_id}
    rows = await transaction.fetch(_SQL["select_erasure"], named)
    total = Counter[str](rows[0]["removed"] if rows else {})
    total.update(removed)
    text = canonical_json(dict(total)).decode()
    await transaction.execute(_SQL["upsert_erasure"], {**named, "removed": text})
    return total


async def vacuum(database: Database) -> None:
    """Have the database drop the rows that were deleted, where no transaction sees them still."""
    for table in _VACUUMED:
        await database.execute_alone(_SQL[f"vacuum_{table}"])


def owner_named_in(data: bytes) -> list[str]:
    """The identifiers of the owner that a message names which is no event; none: unreadable."""
    try:
        content = json.loads(data)
        keys = content["owner"]["identifiers"]
        return [f"{key['scheme']}:{key['value']}" for key in keys]
    except (ValueError, TypeError, KeyError, RecursionError):
        return []
