"""How much imported work still waits on its way into memory."""

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from nats.errors import Error as NatsError
from roxabi_contracts.client import LakeClient, MemoryClient
from roxabi_contracts.errors import ContractError
from roxabi_contracts.operations import QueueStats, SourcesRequest, StatsRequest

from cortex_local import accounts
from cortex_local.broker_user import connect_as
from cortex_local.errors import StackError, StackUnhealthy
from cortex_local.provision import PROVISIONERS
from cortex_local.state import Endpoints
from cortex_local.topology import CONSUMERS, Consumer


@dataclass(frozen=True)
class Backlog:
    """What waits at each station, in the order a datum passes them.

    What waits for a vector has arrived: until then it is found by its words.
    """

    arriving: int
    lake: int
    crossing: int
    memory: int
    vectors: int = 0

    @property
    def total(self) -> int:
        return self.arriving + self.lake + self.crossing + self.memory


RESTART_SECONDS: Final = 60.0
_POLL_SECONDS: Final = 0.5
_EMBEDDINGS: Final = "embeddings"
_QUESTIONS: Final = "questions"
_INGEST: Final = CONSUMERS[0]
_INBOX: Final = CONSUMERS[1]


async def measure_backlog(endpoints: Endpoints, project: str) -> Backlog:
    """What waits now; a total of zero means that everything published before has arrived.

    Work only moves downstream, so the stations are read in that order: what one has handed on
    since it was read shows at the next.
    """
    arriving = await _waiting_on(endpoints, _INGEST)
    async with connect_as(endpoints.broker, endpoints.seeds, accounts.OPERATOR) as connection:
        lake = await LakeClient(connection).sources(SourcesRequest(project=project))
        crossing = await _waiting_on(endpoints, _INBOX)
        memory = await MemoryClient(connection).stats(StatsRequest(project=project))
    vectors = [queue for queue in memory.queues if queue.name == _EMBEDDINGS]
    others = [queue for queue in memory.queues if queue.name != _EMBEDDINGS]
    return Backlog(
        arriving,
        # What waits for a model is published already, and is read again with its answer.
        _waiting_in(queue for queue in lake.queues if queue.name != _QUESTIONS),
        crossing,
        _waiting_in(others),
        # Without a model nobody works on them.
        0 if memory.embedder is None else _waiting_in(vectors),
    )


async def measure_patiently(endpoints: Endpoints, project: str) -> Backlog:
    """What waits now, over the restart of a part. Raises StackUnhealthy when it takes too long."""
    deadline = time.monotonic() + RESTART_SECONDS
    while True:
        try:
            return await measure_backlog(endpoints, project)
        except (StackError, ContractError, NatsError, TimeoutError) as error:
            if time.monotonic() > deadline:
                raise StackUnhealthy(
                    "The stack does not answer; what was sent is kept, and taken in when it does.",
                    "See `cortex doctor`.",
                ) from error
        await asyncio.sleep(_POLL_SECONDS)


async def _waiting_on(endpoints: Endpoints, consumer: Consumer) -> int:
    user = PROVISIONERS[consumer.account]
    async with connect_as(endpoints.broker, endpoints.seeds, user) as connection:
        info = await connection.client.jetstream().consumer_info(consumer.stream, consumer.name)
    return (info.num_pending or 0) + (info.num_ack_pending or 0)


def _waiting_in(queues: Iterable[QueueStats]) -> int:
    return sum(queue.waiting or 0 for queue in queues)
