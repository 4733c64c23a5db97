"""Databases for tests: each service's, migrated once a session and cloned for every test."""

import secrets
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Final

import psycopg
from cortex_local.databases import role_conninfo
from cortex_local.services import INSIGHT, MEMORY, SERVICES, service_command
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo


@dataclass(frozen=True)
class DatabasePair:
    """The connection strings of the two services, each with its own role."""

    insight: str
    memory: str

    def of(self, service: str) -> str:
        """The one of this service."""
        return {INSIGHT: self.insight, MEMORY: self.memory}[service]


PREFIX: Final = "cortex_test"


class DatabaseServer:
    """A server on which the tests own roles and databases with names of their own.

    The names carry a random token, so that a server in use by a stack is left as it is.
    """

    def __init__(self, superuser: str, environment: dict[str, str]) -> None:
        self._superuser = superuser
        self._environment = environment
        self._token = secrets.token_hex(4)
        self._password = secrets.token_hex(16)
        self._numbers = count()

    def prepare(self) -> None:
        """Create the roles, and one migrated template for each service."""
        with self._connect() as connection:
            for service in SERVICES:
                connection.execute(
                    sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(
                        sql.Identifier(self._role(service)), sql.Literal(self._password)
                    )
                )
                self._create(connection, service, self._template(service), "template0")
        for service in SERVICES:
            self._prepare_extension(service, self._conninfo(service, self._template(service)))
            self._migrate(service)

    @contextmanager
    def fresh(self, service: str) -> Generator[str]:
        """A migrated, empty database of the service, dropped at the end."""
        with self._made(service, self._template(service)) as database:
            yield database

    @contextmanager
    def unmigrated(self, service: str) -> Generator[str]:
        """A database of the service before its first migration, dropped at the end."""
        with self._made(service, "template0") as database:
            self._prepare_extension(service, database)
            yield database

    @contextmanager
    def fresh_pair(self) -> Generator[DatabasePair]:
        """A migrated, empty database for each service, dropped at the end."""
        with self.fresh(INSIGHT) as insight, self.fresh(MEMORY) as memory:
            yield DatabasePair(insight, memory)

    def remove(self) -> None:
        """Drop the templates and the roles."""
        with self._connect() as connection:
            for service in SERVICES:
                self._drop(connection, self._template(service))
                role = sql.Identifier(self._role(service))
                connection.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(role))

    @contextmanager
    def _made(self, service: str, template: str) -> Generator[str]:
        name = f"{self._role(service)}_{next(self._numbers)}"
        with self._connect() as connection:
            self._create(connection, service, name, template)
        try:
            yield self._conninfo(service, name)
        finally:
            with self._connect() as connection:
                self._drop(connection, name)

    def _prepare_extension(self, service: str, database: str) -> None:
        """The supervisor's part: a role that is no superuser cannot make it."""
        if service == MEMORY:
            name = str(conninfo_to_dict(database)["dbname"])
            with self._connect(name) as connection:
                connection.execute("CREATE EXTENSION vector")

    def _migrate(self, service: str) -> None:
        database = self._conninfo(service, self._template(service))
        done = subprocess.run(
            service_command(service, self._environment, "migrate"),
            env={**self._environment, f"CORTEX_{service.upper()}_DATABASE_URL": database},
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{service} cannot migrate: {done.stderr}"

    def _create(
        self, connection: psycopg.Connection, service: str, name: str, template: str
    ) -> None:
        database, role = sql.Identifier(name), sql.Identifier(self._role(service))
        connection.execute(
            sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE {}").format(
                database, role, sql.Identifier(template)
            )
        )
        connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(database))

    @staticmethod
    def _drop(connection: psycopg.Connection, name: str) -> None:
        connection.execute(
            sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
        )

    def _connect(self, database: str = "postgres") -> psycopg.Connection:
        return psycopg.connect(make_conninfo(self._superuser, dbname=database), autocommit=True)

    def _conninfo(self, service: str, database: str) -> str:
        role = role_conninfo(self._superuser, self._role(service), self._password)
        return make_conninfo(role, dbname=database)

    def _role(self, service: str) -> str:
        return f"{PREFIX}_{self._token}_{service}"

    def _template(self, service: str) -> str:
        return f"{self._role(service)}_template"
