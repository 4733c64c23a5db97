"""A store full of other memories: the facts of one person, copied for many by the server."""

from typing import Final

import psycopg
from psycopg import sql

_COLUMNS: Final = """
    SELECT column_name FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = %s AND is_generated = 'NEVER'
    ORDER BY ordinal_position
"""
_IDS: Final = {
    "fact": {"subject", "about", "slot", "id"},
    "fact_source": {"fact_id", "assertion_id", "observation_id"},
    "fact_embedding": {"subject", "id"},
}


def crowd(url: str, subject: str, copies: int) -> None:
    """Give so many others the facts that one subject has, with their vectors.

    Args:
        url: A filled database, as its superuser.
        subject: The entity whose facts are copied; they begin with its id.
        copies: How many others.
    """
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")  # copies need no checks
        for table, ids in _IDS.items():
            for number in range(1, copies + 1):
                connection.execute(_copying(connection, table, ids), (number, subject))
        connection.execute("VACUUM (FREEZE, ANALYZE)")
        connection.execute("CHECKPOINT")


def _copying(connection: psycopg.Connection, table: str, ids: set[str]) -> sql.Composed:
    found = connection.execute(_COLUMNS, (table,)).fetchall()
    names = [sql.Identifier(str(name)) for (name,) in found]
    values = [
        sql.SQL("md5({0} || copy.number)").format(sql.Identifier("original", str(name)))
        if name in ids
        else sql.Identifier("original", str(name))
        for (name,) in found
    ]
    whose = (
        "original.fact_id IN (SELECT id FROM fact WHERE subject = %s)"
        if table == "fact_source"
        else "original.subject = %s"
    )
    return sql.SQL(
        "INSERT INTO {table} ({names}) SELECT {values} FROM {table} AS original"
        " CROSS JOIN (SELECT %s::integer AS number) AS copy WHERE " + whose
    ).format(
        table=sql.Identifier(table),
        names=sql.SQL(", ").join(names),
        values=sql.SQL(", ").join(values),
    )
