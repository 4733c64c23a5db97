"""The table of rules names a test for each of them, and every test that it names exists."""

import re
from typing import Final, get_args

import pytest
from checkout import MEMORY, ROOT
from cortex_memory.retain.outcome import Outcome

TABLE: Final = (MEMORY.path / "tests" / "RULES.md").read_text("utf-8")
HEAD: Final = {"| rule | test |", "|---|---|"}
ROWS: Final = [line for line in TABLE.splitlines() if line.startswith("|") and line not in HEAD]
NAMED: Final = re.compile(r"`([^`\s]+\.py)::(test_\w+)`")


@pytest.mark.parametrize("row", ROWS)
def test_every_rule_names_a_test(row: str) -> None:
    _, rule, tests, _ = row.split("|")
    assert rule.strip()
    assert NAMED.sub("", tests).strip(" ,") == ""
    assert NAMED.search(tests)


@pytest.mark.parametrize("path", sorted({path for path, _ in NAMED.findall(TABLE)}))
def test_every_test_that_is_named_exists(path: str) -> None:
    source = (ROOT / path).read_text("utf-8")
    named = {name for file, name in NAMED.findall(TABLE) if file == path}

    assert {name for name in named if f"def {name}(" not in source} == set()


def test_every_outcome_has_a_rule() -> None:
    outcomes = {outcome.__name__ for outcome in get_args(Outcome)}

    assert outcomes
    assert {name for name in outcomes if not any(f"`{name}`" in row for row in ROWS)} == set()
