"""A large store in little time: what a small one holds, copied under other ids by the server."""

from typing import Final

import psycopg
from psycopg import sql

_IDS: Final = {
    "observation": {"id", "subject_identifier", "source_ref", "record"},
    "candidate": {"observation_id"},
    "identifier": {"id", "entity"},
    "subject_state": {"subject"},
    "episode": {"subject", "observation_id", "subject_identifier", "source_ref", "record"}
    | {"author"},
    "assertion": {"subject", "about", "id", "observation_id", "author"},
    "fact": {"subject", "about", "slot", "id", "supersedes_id", "conflict_id"},
    "fact_source": {"fact_id", "assertion_id", "observation_id", "source_ref"},
    "conflict_set": {"subject", "about", "slot", "id"},
    "conflict_member": {"conflict_id", "fact_id"},
}
_COLUMNS: Final = """
    SELECT column_name FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = %s AND is_generated = 'NEVER'
    ORDER BY ordinal_position
"""


def multiply(superuser: str, times: int) -> None:
    """Let every table hold so many times its rows, the copies between the originals."""
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")  # copies need no checks
        connection.execute("SET work_mem = '1GB'")
        connection.execute("TRUNCATE embedding_backlog, change_outbox")
        for table, ids in _IDS.items() if times > 1 else ():
            _multiply(connection, table, ids, times)
        connection.execute("VACUUM (FREEZE, ANALYZE)")
        connection.execute("CHECKPOINT")


def _multiply(connection: psycopg.Connection, table: str, ids: set[str], times: int) -> None:
    """Copy the rows in an order that has nothing to do with whose they are."""
    found = connection.execute(_COLUMNS, (table,)).fetchall()
    names = [sql.Identifier(str(name)) for (name,) in found]
    values = [
        sql.SQL("CASE WHEN n = 0 THEN {0} ELSE md5({0} || n) END").format(sql.Identifier(str(name)))
        if name in ids
        else sql.Identifier(str(name))
        for (name,) in found
    ]
    original = sql.Identifier(f"original_{table}")
    fill = sql.SQL(
        "INSERT INTO {table} ({names}) SELECT {values} FROM {original}"
        " CROSS JOIN generate_series(0, {last}) AS n ORDER BY hashtext({original}::text || n)"
    ).format(
        table=sql.Identifier(table),
        names=sql.SQL(", ").join(names),
        values=sql.SQL(", ").join(values),
        original=original,
        last=sql.Literal(times - 1),
    )
    connection.execute(
        sql.SQL("CREATE TEMPORARY TABLE {} AS TABLE {}").format(original, sql.Identifier(table))
    )
    connection.execute(sql.SQL("TRUNCATE {} CASCADE").format(sql.Identifier(table)))
    connection.execute(fill)
