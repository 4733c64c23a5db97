"""No source is read by two models."""

from datetime import UTC, datetime

import pytest
from cortex_local.cli.sources import model_line
from cortex_local.errors import WrongUsage
from cortex_local.models import (
    LAKE,
    LAKE_BY_SOURCE,
    MEMORY,
    MEMORY_SOURCES,
    refuse_two_models,
)
from roxabi_contracts.operations import ModelUsage

ASKING = {MEMORY: "openai"}


@pytest.mark.parametrize(
    "environment",
    [
        {},
        ASKING,
        {LAKE: "openai"},
        ASKING | {LAKE_BY_SOURCE: '{"mail": "openai"}'},
        ASKING | {LAKE: "openai", LAKE_BY_SOURCE: '{"mail": "rules"}'},
        ASKING | {LAKE: "openai", LAKE_BY_SOURCE: '{"mail": "none"}', MEMORY_SOURCES: '["mail"]'},
        ASKING | {LAKE_BY_SOURCE: '{"mail": "openai"}', MEMORY_SOURCES: '["telegram"]'},
        {MEMORY: "claims", LAKE: "openai", MEMORY_SOURCES: '["mail"]'},
    ],
)
def test_one_model_a_source_is_let_through(environment: dict[str, str]) -> None:
    refuse_two_models(environment)


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({LAKE: "openai"}, "every source"),
        ({LAKE: "openai", LAKE_BY_SOURCE: '{"mail": "openai"}'}, "every source"),
        ({LAKE: "openai", MEMORY_SOURCES: '["mail", "telegram"]'}, "mail, telegram"),
        ({LAKE_BY_SOURCE: '{"mail": "openai"}', MEMORY_SOURCES: '["mail", "slack"]'}, "read mail."),
    ],
)
def test_two_are_refused_by_name(environment: dict[str, str], said: str) -> None:
    with pytest.raises(WrongUsage, match=said) as refused:
        refuse_two_models(ASKING | environment)
    assert MEMORY_SOURCES in refused.value.hint


@pytest.mark.parametrize("variable", [LAKE_BY_SOURCE, MEMORY_SOURCES])
def test_what_cannot_be_read_is_named(variable: str) -> None:
    with pytest.raises(WrongUsage, match=variable):
        refuse_two_models({variable: "mail"})


def test_what_a_model_of_the_lake_was_asked_is_told_in_one_line() -> None:
    usage = ModelUsage(model="m", requests=2, input_tokens=200, output_tokens=40)
    assert model_line(usage, 3) == "m was asked 2 times, 240 tokens, 3 texts wait for it."
    spent = usage.model_copy(
        update={"cost": 0.5, "budget_left": 0, "paused_until": datetime(2026, 5, 5, tzinfo=UTC)}
    )
    assert model_line(spent, 3) == (
        "m was asked 2 times, 240 tokens, 0.50 by the configured prices, 3 texts wait for it, "
        "today's tokens are spent, it goes on at 2026-05-05 00:00."
    )
