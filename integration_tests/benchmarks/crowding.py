"""A store full of other memories: the facts of one person, copied for many by the server."""

from collections.abc import Generator
from contextlib import contextmanager
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
_INDEXES: Final = """
    SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
    WHERE indrelid = ANY(%s::regclass[]) AND NOT indisunique
"""
_WORDS: Final = """
    WITH copied AS (
        INSERT INTO lexical_scope (project, subject, kind, documents, length)
        SELECT project, md5(subject || %(number)s), kind, documents, length FROM lexical_scope
        WHERE subject = %(subject)s AND kind = 'fact'
        RETURNING id
    )
    INSERT INTO posting (scope, term, document, frequency, length)
    SELECT copied.id, term, md5(document || %(number)s), frequency, posting.length
    FROM copied, posting JOIN lexical_scope ON posting.scope = lexical_scope.id
    WHERE lexical_scope.subject = %(subject)s AND kind = 'fact'
"""


def crowd(url: str, subject: str, numbers: range) -> None:
    """Give others the facts that one subject has, with their vectors and their words.

    Args:
        url: A filled database, as its superuser.
        subject: The entity whose facts are copied; they begin with its id.
        numbers: Of the others; a number is given once.
    """
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")  # copies need no checks
        with _without_indexes(connection):
            for table, ids in _IDS.items():
                for number in numbers:
                    connection.execute(_copying(connection, table, ids), (number, subject))
            for number in numbers:
                connection.execute(_WORDS, {"number": str(number), "subject": subject})
        connection.execute("VACUUM (FREEZE, ANALYZE)")
        connection.execute("CHECKPOINT")


@contextmanager
def _without_indexes(connection: psycopg.Connection) -> Generator[None]:
    """Many rows are faster stored without the indexes that guard nothing."""
    connection.execute("SET maintenance_work_mem = '1GB'")
    indexes = connection.execute(_INDEXES, ([*_IDS, "posting"],)).fetchall()
    for name, _ in indexes:
        connection.execute(sql.SQL("DROP INDEX {}").format(sql.Identifier(str(name))))
    yield
    for _, definition in indexes:
        connection.execute(str(definition).encode())


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
