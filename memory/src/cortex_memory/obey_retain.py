"""Puts jobs back into the queue when an operator says so."""

from roxabi_contracts.upkeep import RetainReply, RetainRequest

from cortex_memory.store.db import Pool, connection
from cortex_memory.store.jobs import requeue_failed, requeue_observations


class RetainObeyer:
    """Lets observations be retained again, with the attempts counted from the beginning."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def requeue(self, request: RetainRequest) -> RetainReply:
        """Queue the observations named, or else all of the project whose job has failed.

        Raises:
            StoreUnavailable: nothing was queued.
        """
        async with connection(self._pool) as transaction:
            if request.observation_ids:
                count = await requeue_observations(
                    transaction, request.project, request.observation_ids
                )
            else:
                count = await requeue_failed(transaction, request.project)
        return RetainReply(project=request.project, requeued=count)
