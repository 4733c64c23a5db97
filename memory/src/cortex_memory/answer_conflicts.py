"""Answers which values contradict each other."""

from roxabi_contracts.decisions import ConflictsReply, ConflictsRequest

from cortex_memory.find_fact import memory_of
from cortex_memory.store.conflicts import list_conflicts
from cortex_memory.store.db import Pool, connection


class ConflictAnswerer:
    """Answers what a person could decide about."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def conflicts(self, request: ConflictsRequest) -> ConflictsReply:
        """The conflicts of a project, or of one memory.

        Raises:
            Refused: nobody is known as the subject.
            StoreUnavailable: the database does not answer.
        """
        async with connection(self._pool) as transaction:
            subject = request.subject
            if subject is not None:
                subject = await memory_of(transaction, request.project, subject)
            found = await list_conflicts(
                transaction,
                request.project,
                subject,
                settled=request.settled,
                limit=request.limit + 1,
            )
        return ConflictsReply(
            project=request.project,
            conflicts=tuple(found[: request.limit]),
            truncated=len(found) > request.limit,
        )
