"""One parser for each source."""

from dataclasses import replace

import pytest
from cortex_insight.errors import ParserConflict
from cortex_insight.parsers import load_parsers, table_of
from roxabi_contracts.errors import InvalidToken

from tests.lines_source import LinesParser


def test_the_built_in_sources_are_there() -> None:
    assert {"message", "claude-code-jsonl"} <= load_parsers().keys()


def test_two_parsers_of_one_source_are_refused() -> None:
    with pytest.raises(ParserConflict):
        table_of([LinesParser(), LinesParser()])


def test_a_source_must_be_a_token() -> None:
    with pytest.raises(InvalidToken):
        table_of([replace(LinesParser(), source="a.b")])
