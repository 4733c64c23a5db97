"""Looks for a word in everything that a stack keeps."""

import psycopg
from cortex_local.topology import STREAMS
from polling import NotYet
from psycopg import sql
from psycopg.rows import tuple_row
from stack import Stack

TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"


SUFFIX = 2
"""Letters at the end of a word that a search by words may leave out."""


async def places_of(stack: Stack, word: str) -> set[str]:
    """Every table, stream, log and dump in which the word stands."""
    found = {
        f"{service.name}: {table}"
        for service, url in (
            (stack.insight, stack.endpoints.insight),
            (stack.memory, stack.endpoints.memory),
        )
        for table in tables_with(url, word)
    }
    for stream in STREAMS:
        messages = await stack.messages(stream.account, stream.name)
        if any(word.encode() in message for message in messages):
            found.add(stream.name)
    found |= {service.name for service in stack.services if word in service.log(10**9)}
    if word in stack.dump():
        found.add("dump")
    return found


def tables_with(url: str, word: str) -> set[str]:
    """The tables of a database in which a row holds the word: as text, as a term, or as bytes."""
    found: set[str] = set()
    term = word.casefold()[:-SUFFIX]
    with psycopg.connect(url, row_factory=tuple_row) as database:
        for (table,) in database.execute(TABLES).fetchall():
            rows = database.execute(
                sql.SQL("SELECT {name}::text FROM {name}").format(name=sql.Identifier(table))
            ).fetchall()
            if any(term in text.casefold() or word.encode().hex() in text for (text,) in rows):
                found.add(table)
    return found


async def nowhere(stack: Stack, word: str) -> None:
    """Wait until the word is nowhere. Raises NotYet with the places where it is."""
    places = await places_of(stack, word)
    if places:
        raise NotYet(f"{word} is in {sorted(places)}")
