"""Where observations arrive: each is kept once, with a job, before it is acknowledged."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from psycopg.rows import class_row
from roxabi_contracts.observation import Observation
from roxabi_contracts.operations import RejectedMessage

from cortex_memory.faults import FaultPoint, Step, no_fault
from cortex_memory.retain.assertions import observation_key
from cortex_memory.retain.question import is_worth_asking
from cortex_memory.store.asking import await_model
from cortex_memory.store.db import Connection, Pool, connection
from cortex_memory.store.episode_rows import record_digest
from cortex_memory.store.erased_keys import refuse_erased
from cortex_memory.store.erased_revisions import ask_to_erase, refuse_revisions
from cortex_memory.store.observations import content_of, versions_of
from cortex_memory.store.projects import ProjectKeys
from cortex_memory.store.queries import query


@dataclass(frozen=True, slots=True)
class Rejection:
    """A message that is no observation, with its bytes and where it was published."""

    letter: RejectedMessage
    subject: str
    body: bytes


class Inbox:
    """Stores what arrives.

    Args:
        pool: Of connections.
        keys: Of the projects.
        fault: Told of every step.
        asks_model: Whether a model is asked about what somebody says, before it is retained.
        model_sources: About which sources; null: about all.
    """

    def __init__(
        self,
        pool: Pool,
        keys: ProjectKeys,
        fault: FaultPoint = no_fault,
        *,
        asks_model: bool = False,
        model_sources: Collection[str] | None = None,
    ) -> None:
        self._asks_model = asks_model
        self._model_sources = model_sources
        self._pool = pool
        self._keys = keys
        self._fault = fault

    async def store(
        self, observations: Sequence[Observation], rejections: Sequence[Rejection] = ()
    ) -> None:
        """Store a batch in one transaction; what is known already, or erased, changes nothing.

        Raises:
            StoreUnavailable: nothing was stored; try again.
            Unstorable: nothing was stored; one of the observations never will be.
        """
        async with connection(self._pool) as transaction:
            keys = await self._keys.of(transaction, (seen.project_id for seen in observations))
            await ask_to_erase(transaction, observations, keys)
            left = await refuse_revisions(transaction, observations, keys)
            wanted = await refuse_erased(transaction, left, keys)
            await store_observations(transaction, wanted, keys)
            if self._asks_model:
                await await_model(transaction, filter(self._is_for_model, wanted))
            for rejection in rejections:
                message = {"subject": rejection.subject, "body": rejection.body}
                row = rejection.letter.model_dump() | message
                await transaction.execute(query("inbox.reject"), row)
            self._fault(Step.BEFORE_INBOX_COMMIT)
        self._keys.remember(keys)

    def _is_for_model(self, observation: Observation) -> bool:
        sources = self._model_sources
        return (sources is None or observation.source in sources) and is_worth_asking(observation)

    async def unpublished_rejections(self, limit: int) -> list[RejectedMessage]:
        """Dead letters that the stream has not confirmed, the oldest first."""
        async with connection(self._pool) as transaction:
            cursor = transaction.cursor(row_factory=class_row(RejectedMessage))
            await cursor.execute(query("inbox.unpublished"), {"limit": limit})
            return await cursor.fetchall()

    async def mark_rejections_published(self, ids: Sequence[str]) -> None:
        """The stream has confirmed these."""
        async with connection(self._pool) as transaction:
            await transaction.execute(query("inbox.mark_published"), {"ids": list(ids)})


async def store_observations(
    transaction: Connection, observations: Iterable[Observation], keys: Mapping[str, bytes]
) -> None:
    """Store observations and their jobs in a transaction of the caller's."""
    greatest: dict[tuple[str, str], Observation] = {}
    for observation in observations:
        key = (observation.project_id, observation.id)
        known = greatest.get(key)
        if known is None or versions_of(known.made_by) < versions_of(observation.made_by):
            greatest[key] = observation
    rows = [_row(greatest[key], keys[key[0]]) for key in sorted(greatest)]
    if rows:
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        await transaction.execute(query("inbox.store"), columns)


def _row(observation: Observation, project_key: bytes) -> dict[str, str | int]:
    return {
        "project": observation.project_id,
        "id": observation.id,
        "subject_identifier": observation_key(observation, project_key).subject,
        "source": observation.source,
        "source_ref": observation.source_ref,
        "record": record_digest(observation.source, observation.source_ref),
        "said_at": observation.timestamp,
        "revision": observation.revision,
        "made_by": f"{{{','.join(map(str, versions_of(observation.made_by)))}}}",
        "content": content_of(observation).decode(),
    }
