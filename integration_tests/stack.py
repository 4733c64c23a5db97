"""Both services as real processes: started, awaited, drained, killed, dumped."""

import signal
import subprocess
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Final

from cortex_local import accounts
from cortex_local.backlog import measure_backlog
from cortex_local.broker_user import connect_as
from cortex_local.errors import StackError
from cortex_local.services import INSIGHT, MEMORY, service_command, service_environment
from cortex_local.state import Endpoints
from nats.errors import Error as NatsError
from polling import NotYet, eventually
from roxabi_contracts.client import Connection, LakeClient, MemoryClient, ProducerClient
from roxabi_contracts.errors import ContractError
from roxabi_contracts.event import RawEvent
from roxabi_contracts.operations import MemoryStats, SourcesReply, SourcesRequest, StatsRequest

GRACE_SECONDS: Final = 30.0
ENDED_BY_KILL: Final = -signal.SIGKILL


class ServiceProcess:
    """One service, run from its own environment; every run appends to the same log."""

    def __init__(
        self, name: str, endpoints: Endpoints, environment: Mapping[str, str], log: Path
    ) -> None:
        self.name = name
        self._environment = environment
        self._endpoints = endpoints
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    def environment(self) -> dict[str, str]:
        """What the process sees of its surroundings."""
        return service_environment(self.name, self._endpoints, self._environment)

    def start(self, **settings: str) -> None:
        """Start `serve` with these variables beside the usual ones."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                service_command(self.name, self._environment, "serve"),
                env={**self.environment(), **settings},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def run(self, *arguments: str) -> str:
        """Run another command of the service and return what it printed."""
        finished = subprocess.run(
            service_command(self.name, self._environment, *arguments),
            env=self.environment(),
            check=False,
            capture_output=True,
            text=True,
        )
        assert finished.returncode == 0, f"{arguments} failed: {finished.stderr[-2000:]}"
        return finished.stdout

    def is_running(self) -> bool:
        """Whether the process was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """End the process at once."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> int | None:
        """Ask the process to end and return its exit code; None when it never ran."""
        if self._process is None:
            return None
        self._process.terminate()
        try:
            return self._process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired as late:
            self.kill()
            raise AssertionError(f"{self.name} ignored SIGTERM; its log:\n{self.log()}") from late

    async def ended(self) -> int:
        """Wait until the process ended by itself; its exit code."""

        async def look() -> int:
            code = None if self._process is None else self._process.poll()
            if code is None:
                raise NotYet(f"it still runs; its log ends with:\n{self.log()}")
            return code

        return await eventually(f"the end of {self.name}", look)

    def log(self, characters: int = 3000) -> str:
        """The end of what the process wrote."""
        return self._log.read_text("utf-8", "replace")[-characters:] if self._log.exists() else ""


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

    async def publish(self, events: Iterable[RawEvent]) -> int:
        """Publish the events as a producer does; how many the stream did not have."""

        async def one_by_one() -> AsyncIterator[RawEvent]:
            for event in events:
                yield event

        async with self.connected(accounts.SOURCE) as connection:
            return await ProducerClient(connection).publish_all(one_by_one())

    async def answering(self, project: str = "personal") -> None:
        """Wait until both services answer."""
        await eventually("an answer of both services", lambda: self._figures(project))

    async def drained(self, project: str = "personal") -> tuple[SourcesReply, MemoryStats]:
        """Wait until nothing waits between the event stream and the facts; the last figures."""

        async def look() -> tuple[SourcesReply, MemoryStats]:
            try:
                backlog = await measure_backlog(self.endpoints, project)
            except (ContractError, StackError, NatsError, TimeoutError) as error:
                raise NotYet(f"{error!r}; {self._logs()}") from error
            if backlog.total:
                raise NotYet(f"{backlog}; {self._logs()}")
            return await self._figures(project)

        return await eventually("an end of the queues", look)

    def dump(self, project: str = "personal", *arguments: str) -> str:
        """The materialised state of a project as memory's own command prints it."""
        return self.memory.run("dump", "--project", project, *arguments)

    async def _figures(self, project: str) -> tuple[SourcesReply, MemoryStats]:
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
