"""The background process of a stack: starts its parts in order, keeps them up, stops them."""

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import IO, Final

import structlog

from cortex_local import databases, nats, postgres, services
from cortex_local.binaries import installed_postgres
from cortex_local.broker_user import require_synchronous_writes, server_figures
from cortex_local.confinement import SystemFolders, plan_home
from cortex_local.errors import ExitCode, StackError
from cortex_local.files import secret, write_private
from cortex_local.layout import StackLayout, claim_layout
from cortex_local.leftovers import stop_leftovers, write_children
from cortex_local.locks import exclusive_lock
from cortex_local.log_files import set_aside
from cortex_local.parts import Part, Process, terminate
from cortex_local.provision import provision
from cortex_local.state import Endpoints, Phase, StackState, write_endpoints, write_state

WATCH_SECONDS: Final = 0.2
LOGS_SECONDS: Final = 30.0
LOCK_PATIENCE: Final = 5.0

log = structlog.get_logger()


def supervise(folder: Path, environment: Mapping[str, str]) -> ExitCode:
    """Run the stack of the folder until SIGTERM; returns at once when another supervisor does."""
    layout = claim_layout(folder)
    with exclusive_lock(layout.supervisor_lock, LOCK_PATIENCE) as free:
        if not free:
            return ExitCode.OK
        write_private(layout.pid_file, str(os.getpid()))
        supervisor = Supervisor(layout, environment)
        try:
            with _stopping_on_signals():
                supervisor.bring_up()
                supervisor.watch()
        except StackError as error:
            supervisor.stop()
            supervisor.tell(Phase.FAILED, message=error.message, hint=error.hint)
            log.error("stack_failed", reason=error.message)
            return ExitCode.FAILED
        finally:
            supervisor.stop()
            layout.pid_file.unlink(missing_ok=True)
    return ExitCode.OK


class Supervisor:
    """The parts of one stack, in the order they were started."""

    def __init__(self, layout: StackLayout, environment: Mapping[str, str]) -> None:
        self._layout = layout
        self._environment = environment
        self._parts: list[Part] = []
        self._phase = Phase.STARTING

    def bring_up(self) -> None:
        """Start everything in order. Raises StackError for the first thing that cannot start."""
        if left := stop_leftovers(self._layout.children):
            log.warning("leftovers_stopped", parts=left)
        superuser = self._start_postgres()
        self.tell(Phase.STARTING, "preparing the databases")
        passwords = {
            name: secret(self._layout.secrets / name)
            for name in (databases.INSIGHT, databases.MEMORY)
        }
        databases.prepare_databases(superuser, passwords)
        broker, seeds = self._start_broker()
        endpoints = Endpoints(
            superuser=superuser,
            insight=databases.role_conninfo(
                superuser, databases.INSIGHT, passwords[databases.INSIGHT]
            ),
            memory=databases.role_conninfo(
                superuser, databases.MEMORY, passwords[databases.MEMORY]
            ),
            broker=broker,
            seeds=seeds,
        )
        asyncio.run(self._prepare_broker(endpoints))
        write_endpoints(self._layout, endpoints)
        for service in services.SERVICES:
            self.tell(Phase.STARTING, f"starting {service}")
            self._start(self._service(service, endpoints))
        self.tell(Phase.READY)
        log.info("stack_ready", parts=[part.name for part in self._parts])

    def watch(self) -> None:
        """Start again whatever ends, and keep the logs small, for ever."""
        logs_seen = -LOGS_SECONDS
        while True:
            if time.monotonic() - logs_seen >= LOGS_SECONDS:
                self._keep_logs_small()
                logs_seen = time.monotonic()
            before = [part.state() for part in self._parts]
            for part in self._parts:
                if (code := part.watch()) is not None:
                    log.warning("part_ended", part=part.name, exit_code=code)
            if before != [part.state() for part in self._parts]:
                self._record_children()
                self.tell(self._phase)
            time.sleep(WATCH_SECONDS)

    def stop(self) -> None:
        """Stop every part, the last started first."""
        if self._parts and self._phase is not Phase.STOPPING:
            self.tell(Phase.STOPPING)
        while self._parts:
            part = self._parts[-1]
            part.stop()
            self._parts.pop()
            log.info("part_stopped", part=part.name)
        self._layout.children.unlink(missing_ok=True)

    def _keep_logs_small(self) -> None:
        for path in sorted(self._layout.logs.glob("*.log")):
            try:
                if set_aside(path):
                    log.info("log_set_aside", log=path.name)
            except OSError as error:
                log.warning("log_not_set_aside", log=path.name, reason=str(error))

    def tell(self, phase: Phase, step: str = "", message: str = "", hint: str = "") -> None:
        """Publish where the stack stands."""
        self._phase = phase
        parts = {part.name: part.state() for part in self._parts}
        write_state(self._layout, StackState(phase, step, message, hint, parts))

    def _start_postgres(self) -> str:
        if url := self._environment.get("CORTEX_POSTGRES_URL"):
            return url
        self.tell(Phase.STARTING, "starting Postgres")
        home = plan_home(
            self._layout,
            installed_postgres(),
            root=os.geteuid() == 0,
            system=SystemFolders(),
        )
        password = secret(self._layout.secrets / "postgres")
        postgres.initialise(home, password)

        def launch(output: IO[bytes]) -> Process:
            return postgres.start(home, output)

        part = Part("postgres", self._layout.log("postgres"), launch, postgres.stop, signal.SIGINT)
        conninfo = postgres.superuser_conninfo(home, password)
        postgres.wait_until_ready(self._start(part), conninfo, part.log)
        databases.close_maintenance_databases(conninfo)
        return conninfo

    def _start_broker(self) -> tuple[str, Path]:
        if named := own_broker(self._environment):
            return named
        self.tell(Phase.STARTING, "starting the broker")
        folder = self._layout.broker
        self._configure_broker(nats.last_listening(folder / "nats.conf"))
        nats.check_configuration(folder / "nats.conf")

        def launch(output: IO[bytes]) -> Process:
            return nats.start(folder / "nats.conf", output)

        part = Part("nats", self._layout.log("nats"), launch, terminate)
        listening = nats.wait_until_ready(self._start(part), folder, part.log)
        # A restart has to listen where the services already look.
        self._configure_broker(listening)
        return f"nats://{listening.client}", self._layout.seeds

    def _configure_broker(self, listening: nats.Listening) -> None:
        nats.write_configuration(
            self._layout.broker / "nats.conf",
            store=self._layout.broker / "store",
            seeds=self._layout.seeds,
            listening=listening,
            ports_folder=self._layout.broker,
        )

    async def _prepare_broker(self, endpoints: Endpoints) -> None:
        self.tell(Phase.STARTING, "preparing the streams")
        require_synchronous_writes(await server_figures(endpoints.broker, endpoints.seeds))
        for drift in await provision(endpoints.broker, endpoints.seeds):
            log.info("stream_settled", was=str(drift))

    def _service(self, service: str, endpoints: Endpoints) -> Part:
        command = services.service_command(service, self._environment, "serve")
        environment = services.service_environment(service, endpoints, self._environment)

        def launch(output: IO[bytes]) -> Process:
            return subprocess.Popen(  # noqa: S603 - the service's own program
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

        return Part(service, self._layout.log(service), launch, terminate)

    def _start(self, part: Part) -> Process:
        process = part.start()
        self._parts.append(part)
        self._record_children()
        return process

    def _record_children(self) -> None:
        children = [child for part in self._parts if (child := part.child())]
        write_children(self._layout.children, children)


def own_broker(environment: Mapping[str, str]) -> tuple[str, Path] | None:
    """The broker that the user names, and the folder of its keys; null: the stack has its own.

    Raises StackError for one without keys.
    """
    url = environment.get("CORTEX_NATS_URL")
    if not url:
        return None
    if seeds := environment.get("CORTEX_NATS_SEED_DIR"):
        return url, Path(seeds).expanduser().absolute()
    raise StackError(
        "CORTEX_NATS_URL is set, but CORTEX_NATS_SEED_DIR is not.",
        "Make the broker's accounts and keys with `cortex broker-config FOLDER`, and set "
        "CORTEX_NATS_SEED_DIR to the seeds it writes.",
    )


@contextmanager
def _stopping_on_signals() -> Generator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        for each in _STOPPING:
            signal.signal(each, signal.SIG_IGN)
        log.info("stack_stopping", signal=number)
        raise SystemExit(ExitCode.OK)

    for each in _STOPPING:
        signal.signal(each, stop)
    yield


_STOPPING: Final = (signal.SIGTERM, signal.SIGINT)
