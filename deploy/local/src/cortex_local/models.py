"""Which service has a model read which source: a source has one at most."""

from collections.abc import Mapping
from typing import Final, TypeVar

from pydantic import TypeAdapter, ValidationError

from cortex_local.errors import WrongUsage

LAKE: Final = "CORTEX_INSIGHT_ENRICHER"
LAKE_BY_SOURCE: Final = "CORTEX_INSIGHT_ENRICHERS"
MEMORY: Final = "CORTEX_MEMORY_EXTRACTOR"
MEMORY_SOURCES: Final = "CORTEX_MEMORY_EXTRACTOR_SOURCES"
_MODEL: Final = "openai"
_ENRICHERS: Final = TypeAdapter(dict[str, str])
_SOURCES: Final = TypeAdapter(list[str])
_HINT: Final = (
    f"A source has one model at most: change {LAKE} or {LAKE_BY_SOURCE}, or {MEMORY} or "
    f"{MEMORY_SOURCES}."
)

Value = TypeVar("Value")


def refuse_two_models(environment: Mapping[str, str]) -> None:
    """Raises WrongUsage where both services would have a model read the same source."""
    enrichers = _read(environment, LAKE_BY_SOURCE, _ENRICHERS)
    sources = _read(environment, MEMORY_SOURCES, _SOURCES)
    if environment.get(MEMORY) != _MODEL:
        return
    default = environment.get(LAKE)
    if sources is not None:
        twice = sorted(name for name in sources if (enrichers or {}).get(name, default) == _MODEL)
        if twice:
            raise WrongUsage(f"Both services would have a model read {', '.join(twice)}.", _HINT)
    elif default == _MODEL and set((enrichers or {}).values()) <= {_MODEL}:
        raise WrongUsage("A model of the lake reads every source: none is left to memory's.", _HINT)


def _read(
    environment: Mapping[str, str], variable: str, expected: TypeAdapter[Value]
) -> Value | None:
    text = environment.get(variable)
    if not text:
        return None
    try:
        return expected.validate_json(text)
    except ValidationError as error:
        raise WrongUsage(
            f"{variable} cannot be read.",
            'Write JSON: {"message": "openai"} for enrichers, ["message"] for sources.',
        ) from error
