"""Where the tests get their servers: yours if named, else containers, else the embedded ones."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    ExitStack,
    asynccontextmanager,
    contextmanager,
    suppress,
)
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg
from containers import NoContainers, broker_container, docker_answers, postgres_container
from cortex_local.broker_user import connect_as
from cortex_local.provision import PROVISIONERS, provision
from cortex_local.topology import CONSUMERS, STREAMS
from embedded import EmbeddedBroker, EmbeddedPostgres
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError
from roxabi_contracts.client import Connection

REDELIVERY_SECONDS: Final = 3.0
"""What the product gives a service to acknowledge would make each test of a crash wait as long."""

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Broker:
    """A NATS server with the accounts of Cortex, and the seeds of their users."""

    url: str
    seeds: Path

    def connected(self, user: str) -> AbstractAsyncContextManager[Connection]:
        """A connection as that user."""
        return connect_as(self.url, self.seeds, user)


@dataclass(frozen=True)
class Servers:
    """A Postgres with pgvector, as its superuser, and a broker."""

    superuser: str
    broker: Broker


class ForeignMessages(Exception):
    """The broker that was named is in use: the tests would empty its streams."""


@contextmanager
def running_servers(environment: Mapping[str, str], folder: Path, tell: Tell) -> Generator[Servers]:
    """Servers for a whole session, removed at its end unless they are yours.

    Raises:
        ForeignMessages: the broker in CORTEX_NATS_URL holds messages already.
    """
    containers = docker_answers()
    with ExitStack() as stack:
        superuser = _postgres(environment, folder / "p", stack, containers, tell)
        broker = _broker(environment, folder / "n", stack, containers, tell)
        yield Servers(superuser, broker)


def _postgres(
    environment: Mapping[str, str], folder: Path, stack: ExitStack, containers: bool, tell: Tell
) -> str:
    if url := environment.get("CORTEX_POSTGRES_URL"):
        tell("Postgres: the one in CORTEX_POSTGRES_URL")
        return url
    if containers:
        try:
            url = stack.enter_context(postgres_container())
        except NoContainers as error:
            tell(f"THE DOCKER ENGINE COULD NOT START POSTGRES, so it is embedded: {error}")
        else:
            tell("Postgres: a container")
            return hurried(url)
    server = EmbeddedPostgres(folder)
    stack.callback(server.remove)
    server.start()
    tell("Postgres: embedded")
    return hurried(server.superuser)


def hurried(superuser: str) -> str:
    """The same server, no longer waiting for the disk: nothing here outlives a power cut.

    What a killed process has written outlives it all the same.
    """
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")
    return superuser


def _broker(
    environment: Mapping[str, str], folder: Path, stack: ExitStack, containers: bool, tell: Tell
) -> Broker:
    if url := environment.get("CORTEX_NATS_URL"):
        named = Broker(url, Path(environment["CORTEX_NATS_SEED_DIR"]).expanduser().absolute())
        asyncio.run(_refuse_foreign_messages(named))
        tell("NATS: the one in CORTEX_NATS_URL")
        return named
    if containers:
        try:
            found = Broker(*stack.enter_context(broker_container(folder)))
        except NoContainers as error:
            tell(f"THE DOCKER ENGINE COULD NOT START NATS, so it is embedded: {error}")
        else:
            tell("NATS: a container")
            return found
    server = EmbeddedBroker(folder)
    stack.callback(server.remove)
    server.start()
    tell("NATS: embedded")
    return Broker(server.url, server.seeds)


async def fresh_streams(broker: Broker) -> None:
    """Delete the streams with all they hold and make them anew, with an impatient redelivery."""
    async with _provisioners(broker) as managers:
        for stream in STREAMS:
            with suppress(NotFoundError):  # the first test of a session finds none
                await managers[stream.account].delete_stream(stream.name)
        await provision(broker.url, broker.seeds)
        for consumer in CONSUMERS:
            manager = managers[consumer.account]
            found = await manager.consumer_info(consumer.stream, consumer.name)
            await manager.add_consumer(
                consumer.stream, found.config.evolve(ack_wait=REDELIVERY_SECONDS)
            )


async def _refuse_foreign_messages(broker: Broker) -> None:
    async with _provisioners(broker) as managers:
        for stream in STREAMS:
            with suppress(NotFoundError):
                found = await managers[stream.account].stream_info(stream.name)
                if found.state.messages:
                    raise ForeignMessages(
                        f"{stream.name} at {broker.url} holds {found.state.messages} messages, "
                        "which the tests would delete: name a broker that is not in use in "
                        "CORTEX_NATS_URL"
                    )


@asynccontextmanager
async def _provisioners(broker: Broker) -> AsyncGenerator[Mapping[str, JetStreamContext]]:
    async with AsyncExitStack() as stack:
        yield {
            account: (await stack.enter_async_context(broker.connected(user))).client.jetstream()
            for account, user in PROVISIONERS.items()
        }
