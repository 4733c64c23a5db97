"""How much imported work still waits on its way into memory."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from roxabi_contracts.client import LakeClient, MemoryClient
from roxabi_contracts.operations import QueueStats, SourcesRequest, StatsRequest

from cortex_local import accounts
from cortex_local.broker_user import connect_as
from cortex_local.provision import PROVISIONERS
from cortex_local.state import Endpoints
from cortex_local.topology import CONSUMERS, Consumer


@dataclass(frozen=True)
class Backlog:
    """What waits at each station, in the order a datum passes them."""

    arriving: int
    lake: int
    crossing: int
    memory: int

    @property
    def total(self) -> int:
        return self.arriving + self.lake + self.crossing + self.memory


_EMBEDDINGS: Final = "embeddings"
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
    # Without a model nobody works on what waits for a vector: text is found by its words.
    tended = [q for q in memory.queues if memory.embedder is not None or q.name != _EMBEDDINGS]
    return Backlog(arriving, _waiting_in(lake.queues), crossing, _waiting_in(tended))


async def _waiting_on(endpoints: Endpoints, consumer: Consumer) -> int:
    user = PROVISIONERS[consumer.account]
    async with connect_as(endpoints.broker, endpoints.seeds, user) as connection:
        info = await connection.client.jetstream().consumer_info(consumer.stream, consumer.name)
    return (info.num_pending or 0) + (info.num_ack_pending or 0)


def _waiting_in(queues: Iterable[QueueStats]) -> int:
    return sum(queue.waiting or 0 for queue in queues)
