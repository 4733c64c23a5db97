"""Statements and migrations are where they are looked for."""

import re
from importlib.resources import files

from cortex_insight.store import queries


def test_every_statement_of_a_file_has_its_name() -> None:
    folder = files("cortex_insight.store").joinpath("sql")
    for entry in folder.iterdir():
        text = entry.read_text()
        statements = queries.load(entry.name.removesuffix(".sql"))
        assert [*statements] == re.findall(r"^-- name: (\w+)$", text, re.MULTILINE)
        assert all(statement for statement in statements.values())


def test_migrations_are_numbered_without_a_gap() -> None:
    numbers = [number for number, _, _ in queries.migrations()]
    assert numbers == [*range(1, len(numbers) + 1)]
