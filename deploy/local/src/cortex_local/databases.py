"""The two databases and their two roles: neither role may connect to the other's database."""

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from cortex_local.errors import StackError

INSIGHT = "cortex_insight"
MEMORY = "cortex_memory"
PGVECTOR_FLOOR = (0, 8, 4)


def prepare_databases(superuser: str, passwords: dict[str, str]) -> None:
    """Create roles and databases that are missing and set the passwords; repeating is harmless.

    `passwords` maps a name, which is both role and database, to the password of the role.
    """
    try:
        with psycopg.connect(superuser, autocommit=True) as connection:
            for name, password in passwords.items():
                _prepare_role(connection, name, password)
                _prepare_database(connection, name)
        with psycopg.connect(superuser, dbname=MEMORY, autocommit=True) as connection:
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except psycopg.Error as error:
        raise StackError(
            f"The databases cannot be prepared: {str(error).strip().splitlines()[0]}",
            "The account in CORTEX_POSTGRES_URL has to be a superuser, and pgvector has to be "
            "installed on that server.",
        ) from error


def close_maintenance_databases(superuser: str) -> None:
    """Keep the two roles out of the databases that every cluster of ours comes with."""
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute("REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC")


def pgvector_version(superuser: str) -> tuple[int, ...] | None:
    """The version of pgvector in the database of memory, or None without it."""
    with psycopg.connect(superuser, dbname=MEMORY) as connection:
        row = connection.execute(
            "SELECT extversion FROM pg_extension WHERE extname = 'vector'"
        ).fetchone()
    return tuple(int(part) for part in str(row[0]).split(".")) if row else None


def crossing_privileges(superuser: str) -> list[str]:
    """Which role may connect to the other's database: nobody, as it has to be."""
    with psycopg.connect(superuser) as connection:
        rows = connection.execute(
            "SELECT r.rolname || ' may connect to ' || d.datname FROM pg_roles r, pg_database d "
            "WHERE r.rolname = ANY(%(names)s) AND d.datname = ANY(%(names)s) "
            "AND r.rolname <> d.datname AND has_database_privilege(r.oid, d.oid, 'CONNECT')",
            {"names": [INSIGHT, MEMORY]},
        ).fetchall()
    return [str(row[0]) for row in rows]


def role_conninfo(superuser: str, name: str, password: str) -> str:
    """The connection string of a role to its database, on the same server as the superuser's."""
    parameters = conninfo_to_dict(superuser)
    parameters.update(user=name, password=password, dbname=name)
    return make_conninfo("", **parameters)


def _prepare_role(connection: psycopg.Connection, name: str, password: str) -> None:
    known = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]).fetchone()
    verb = "ALTER" if known else "CREATE"
    connection.execute(
        sql.SQL("{} ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD {}").format(
            sql.SQL(verb), sql.Identifier(name), sql.Literal(password)
        )
    )


def _prepare_database(connection: psycopg.Connection, name: str) -> None:
    database = sql.Identifier(name)
    known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone()
    if not known:
        connection.execute(sql.SQL("CREATE DATABASE {0} OWNER {0}").format(database))
    connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(database))
    connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {0} TO {0}").format(database))
