"""What a model has still to be asked, and what it has answered, once for every question."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from roxabi_contracts import Claim
from roxabi_contracts.ids import canonical_json

from cortex_insight.enrich.draft import ModelAnswer
from cortex_insight.reading import EventKey, Reading
from cortex_insight.store import queries
from cortex_insight.store.columns import event_columns
from cortex_insight.store.db import Database, Transaction

_SQL = queries.load("asking")


@dataclass(frozen=True)
class Leased:
    """A question that is ours to ask for a while."""

    event: EventKey
    digest: bytes
    document: str
    token: int
    failures: int
    unusable: int


@dataclass(frozen=True)
class Spent:
    """What a request took; 0 where the endpoint does not count."""

    day: date
    input_tokens: int
    output_tokens: int


async def answers_to(
    transaction: Transaction, events: Collection[EventKey]
) -> dict[EventKey, dict[bytes, ModelAnswer]]:
    """What a model has answered about these events, by the digest of the question."""
    found: defaultdict[EventKey, dict[bytes, ModelAnswer]] = defaultdict(dict)
    if not events:
        return found
    for row in await transaction.fetch(_SQL["select_answers"], event_columns(events)):
        claims = tuple(Claim.model_validate(claim) for claim in row["claims"])
        key = EventKey(row["project"], row["event_id"])
        found[key][row["digest"]] = ModelAnswer(row["version"], claims)
    return found


async def set_questions(
    transaction: Transaction, readings: Sequence[Reading], read_again: Collection[EventKey]
) -> None:
    """Leave what readings ask in the queue, and of what earlier ones asked nothing else."""
    rows = {
        (*reading.key, question.digest): (reading.admitted.event.source, question.document())
        for reading in readings
        for question in reading.questions
    }
    columns: dict[str, object] = {
        "projects": [project for project, _, _ in rows],
        "event_ids": [event_id for _, event_id, _ in rows],
        "digests": [digest for _, _, digest in rows],
    }
    if read_again:
        asked = {f"asked_{name}": ids for name, ids in event_columns(read_again).items()}
        await transaction.execute(_SQL["delete_other_questions"], {**columns, **asked})
    if rows:
        columns["sources"] = [source for source, _ in rows.values()]
        columns["documents"] = [document for _, document in rows.values()]
        await transaction.execute(_SQL["insert_questions"], columns)


async def settle(transaction: Transaction, leased: Leased) -> bool:
    """Take a question out of the queue; whether it was still ours."""
    return bool(await transaction.fetch(_SQL["settle"], {"token": leased.token}))


async def record_answer(
    transaction: Transaction, leased: Leased, answer: ModelAnswer, gave_up: str | None
) -> None:
    """Keep an answer; the first one stays."""
    claims = canonical_json([claim.model_dump(mode="json") for claim in answer.claims])
    row = {
        **leased.event._asdict(),
        "digest": leased.digest,
        "version": answer.version,
        "claims": claims.decode(),
        "gave_up": gave_up,
    }
    await transaction.execute(_SQL["insert_answer"], row)


async def spend(transaction: Transaction, project: str, spent: Spent) -> None:
    """Count one request that was answered."""
    await transaction.execute(_SQL["spend"], {"project": project, **vars(spent)})


class Questions:
    """The queue of questions; every method may raise `StoreUnavailable`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def lease(
        self, sources: Collection[str], count: int, seconds: float, day: date, budget: int | None
    ) -> list[Leased]:
        """Those that wait longest, about these sources, in projects with tokens left today."""
        parameters = {
            "sources": sorted(sources),
            "count": count,
            "seconds": seconds,
            "day": day,
            "budget": budget,
        }
        async with self._database.transaction() as transaction:
            rows = await transaction.fetch(_SQL["lease"], parameters)
        return [
            Leased(
                EventKey(row["project"], row["event_id"]),
                row["digest"],
                row["document"],
                row["lease_token"],
                row["failures"],
                row["unusable"],
            )
            for row in rows
        ]

    async def give_back(self, leased: Leased) -> None:
        """Let anybody ask it, at once."""
        async with self._database.transaction() as transaction:
            await transaction.execute(_SQL["give_back"], {"token": leased.token})

    async def fail(
        self, leased: Leased, reason: str, seconds: float, spent: Spent | None = None
    ) -> None:
        """Let it be asked again after so many seconds; an answer of no use is paid for."""
        failed = {
            "token": leased.token,
            "seconds": seconds,
            "error": reason,
            "unusable": int(spent is not None),
        }
        async with self._database.transaction() as transaction:
            if spent is not None:
                await spend(transaction, leased.event.project, spent)
            await transaction.execute(_SQL["fail"], failed)
