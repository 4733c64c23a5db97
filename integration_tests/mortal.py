"""Servers that tests may kill, with databases on them."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from databases import DatabaseServer
from embedded import EmbeddedBroker, EmbeddedPostgres
from services import Broker, Servers, hurried

DATABASE: Final = "database"
BROKER: Final = "broker"


@dataclass(frozen=True)
class MortalServers:
    """A Postgres and a broker under the hand of the tests."""

    postgres: EmbeddedPostgres
    nats: EmbeddedBroker
    databases: DatabaseServer

    @property
    def servers(self) -> Servers:
        """The same as any servers."""
        return Servers(self.postgres.superuser, Broker(self.nats.url, self.nats.seeds))

    def server(self, name: str) -> EmbeddedPostgres | EmbeddedBroker:
        """One of the two by what it is."""
        return self.postgres if name == DATABASE else self.nats

    async def replace(self, name: str) -> None:
        """Kill a server, and start it again on what it had written."""
        self.server(name).kill()
        await asyncio.to_thread(self.server(name).start)


@contextmanager
def mortal_servers_in(folder: Path, environment: dict[str, str]) -> Generator[MortalServers]:
    """Such servers, removed at the end with all they kept."""
    postgres, nats = EmbeddedPostgres(folder / "p"), EmbeddedBroker(folder / "n")
    try:
        postgres.start()
        nats.start()
        databases = DatabaseServer(hurried(postgres.superuser), environment)
        databases.prepare()
        yield MortalServers(postgres, nats, databases)
    finally:
        postgres.remove()
        nats.remove()
