"""Both services as real processes: started, filled, awaited, drained, asked, dumped."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from cortex_local import accounts
from cortex_local.backlog import measure_backlog
from cortex_local.broker_user import connect_as
from cortex_local.errors import StackError
from cortex_local.provision import PROVISIONERS
from cortex_local.services import INSIGHT, MEMORY
from cortex_local.state import Endpoints
from cortex_local.topology import STREAMS
from databases import DatabasePair
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig
from nats.js.errors import NotFoundError
from polling import PATIENCE_SECONDS, NotYet, eventually
from process import ServiceProcess
from roxabi_contracts import codec, subjects
from roxabi_contracts.client import Connection, LakeClient, MemoryClient, ProducerClient
from roxabi_contracts.context import ContextPacket, ContextRequest
from roxabi_contracts.errors import ContractError
from roxabi_contracts.event import RawEvent
from roxabi_contracts.operations import (
    FactRecord,
    FactsRequest,
    MemoryStats,
    RejectedMessage,
    SourcesReply,
    SourcesRequest,
    StatsRequest,
)
from samples import OWNER, PROJECT
from services import Servers

ANSWER_SECONDS: Final = 30.0
"""Patience of a test with a busy machine; an agent has less."""
_WITNESS: Final = "witness"


def endpoints_on(servers: Servers, databases: DatabasePair) -> Endpoints:
    """How the services reach their servers and databases."""
    return Endpoints(
        superuser=servers.superuser,
        insight=databases.insight,
        memory=databases.memory,
        broker=servers.broker.url,
        seeds=servers.broker.seeds,
    )


class Stack:
    """The two services on one broker and a pair of databases."""

    def __init__(self, endpoints: Endpoints, environment: Mapping[str, str], folder: Path) -> None:
        self.endpoints = endpoints
        self.insight = ServiceProcess(INSIGHT, endpoints, environment, folder / "insight.log")
        self.memory = ServiceProcess(MEMORY, endpoints, environment, folder / "memory.log")

    @property
    def services(self) -> tuple[ServiceProcess, ServiceProcess]:
        return self.insight, self.memory

    def service(self, name: str) -> ServiceProcess:
        """One of the two by its name."""
        return {INSIGHT: self.insight, MEMORY: self.memory}[name]

    async def start(self) -> None:
        """Start both and wait until both answer."""
        for service in self.services:
            if not service.is_running():
                service.start()
        await self.answering()

    def stop(self) -> None:
        """Stop both in good order."""
        for service in self.services:
            if service.is_running():
                code = service.stop()
                assert code == 0, f"{service.name} stopped with {code}; its log:\n{service.log()}"

    def end(self) -> None:
        """End what still runs, whatever state it is in."""
        for service in self.services:
            if service.is_running():
                service.kill()

    def connected(self, user: str = accounts.OPERATOR) -> AbstractAsyncContextManager[Connection]:
        """A connection as that user of the broker."""
        return connect_as(self.endpoints.broker, self.endpoints.seeds, user)

    async def publish(self, events: Iterable[RawEvent], in_flight: int = 256) -> int:
        """Publish the events as a producer does; how many the stream did not have."""

        async def one_by_one() -> AsyncIterator[RawEvent]:
            for event in events:
                yield event

        async with self.connected(accounts.SOURCE) as connection:
            return await ProducerClient(connection, in_flight).publish_all(one_by_one())

    async def answering(self, project: str = PROJECT) -> None:
        """Wait until both services answer."""
        await eventually("an answer of both services", lambda: self.figures(project))

    async def drained(
        self, project: str = PROJECT, seconds: float = PATIENCE_SECONDS
    ) -> tuple[SourcesReply, MemoryStats]:
        """Wait until nothing waits between the event stream and the facts; the last figures."""

        async def look() -> tuple[SourcesReply, MemoryStats]:
            try:
                backlog = await measure_backlog(self.endpoints, project)
            except (ContractError, StackError, NatsError, TimeoutError) as error:
                raise NotYet(f"{error!r}; {self._logs()}") from error
            if backlog.total or backlog.vectors:
                raise NotYet(f"{backlog}; {self._logs()}")
            return await self.figures(project)

        return await eventually("an end of the queues", look, seconds)

    def dump(self, project: str = PROJECT, *arguments: str) -> str:
        """The materialised state of a project as memory's own command prints it."""
        return self.memory.run("dump", "--project", project, *arguments)

    async def ask(
        self, query: str, *, project: str = PROJECT, subject: str = OWNER, budget: int = 900
    ) -> ContextPacket:
        """What memory serves for the query."""
        request = ContextRequest(
            project=project, subjects=(subject,), query=query, budget_tokens=budget
        )
        async with self.connected() as connection:
            return await MemoryClient(connection).context(request, deadline=ANSWER_SECONDS)

    async def facts(
        self, *, project: str = PROJECT, subject: str = OWNER, history: bool = True
    ) -> tuple[FactRecord, ...]:
        """The facts of a subject's memory."""
        request = FactsRequest(project=project, subject=subject, history=history)
        async with self.connected() as connection:
            return (await MemoryClient(connection).facts(request)).facts

    async def keep(self, *streams: str) -> None:
        """Have streams keep what comes from now on, although the services take it.

        A durable that never acknowledges, as another reader might have: it goes with the stream.
        """
        witness = ConsumerConfig(durable_name=_WITNESS, ack_policy=AckPolicy.EXPLICIT)
        for name in streams:
            async with self._managing(name) as manager:
                await manager.add_consumer(name, witness)

    async def let_go(self, stream: str) -> None:
        """Have a stream no longer keep what the services took."""
        async with self._managing(stream) as manager:
            await manager.delete_consumer(stream, _WITNESS)

    @asynccontextmanager
    async def _managing(self, stream: str) -> AsyncGenerator[JetStreamContext]:
        (account,) = [each.account for each in STREAMS if each.name == stream]
        async with self.connected(PROVISIONERS[account]) as connection:
            yield connection.client.jetstream()

    async def messages(self, account: str, stream: str) -> list[bytes]:
        """Everything a stream holds, in its order; of what the services took, what was kept."""
        found: list[bytes] = []
        async with self.connected(PROVISIONERS[account]) as connection:
            manager = connection.client.jetstream()
            state = (await manager.stream_info(stream)).state
            for sequence in range(state.first_seq or 1, state.last_seq + 1):
                with suppress(NotFoundError):  # a single message was deleted
                    found.append((await manager.get_msg(stream, sequence)).data or b"")
        return found

    async def rejected_events(self) -> list[RejectedMessage]:
        """The dead letters of insight."""
        letters = await self.messages(subjects.ACCOUNT_INSIGHT, subjects.STREAM_EVENTS_REJECTED)
        return [codec.decode(letter, RejectedMessage) for letter in letters]

    async def rejected_observations(self) -> list[RejectedMessage]:
        """The dead letters of memory."""
        letters = await self.messages(
            subjects.ACCOUNT_MEMORY, subjects.STREAM_OBSERVATIONS_REJECTED
        )
        return [codec.decode(letter, RejectedMessage) for letter in letters]

    async def figures(self, project: str = PROJECT) -> tuple[SourcesReply, MemoryStats]:
        """What both services say of a project. Raises NotYet when one of them does not answer."""
        try:
            async with self.connected() as connection:
                return (
                    await LakeClient(connection).sources(SourcesRequest(project=project)),
                    await MemoryClient(connection).stats(StatsRequest(project=project)),
                )
        except (ContractError, StackError) as error:
            raise NotYet(f"{error}; {self._logs()}") from error

    def _logs(self) -> str:
        return "".join(f"\n-- {service.name} --\n{service.log()}" for service in self.services)
