"""No source is read by two models."""

import pytest
from cortex_local.errors import WrongUsage
from cortex_local.models import (
    LAKE,
    LAKE_BY_SOURCE,
    MEMORY,
    MEMORY_SOURCES,
    refuse_two_models,
)

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
