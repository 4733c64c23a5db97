"""What an extractor may propose: the gate that every candidate passes."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Self

from pydantic import JsonValue, model_validator
from roxabi_contracts.payloads import (
    Cardinality,
    Claim,
    ClaimAction,
    ClaimKind,
    TimePrecision,
    Volatility,
)

_CLOSED_SETS: Mapping[str, type[StrEnum]] = {
    "action": ClaimAction,
    "cardinality": Cardinality,
    "kind": ClaimKind,
    "volatility": Volatility,
}


class ExtractedFact(Claim):
    """A valid candidate: a claim that says one thing, about an actor or a name in the text."""

    @model_validator(mode="before")
    @classmethod
    def _default_unknown(cls, data: JsonValue) -> JsonValue:
        """An unknown member of a closed set is as good as none."""
        if not isinstance(data, dict):
            return data
        known: dict[str, JsonValue] = {
            name: part
            for name, part in data.items()
            if name not in _CLOSED_SETS or _is_member(part, _CLOSED_SETS[name])
        }
        valid = known.get("valid")
        if isinstance(valid, dict) and not _is_member(valid.get("precision"), TimePrecision):
            known["valid"] = {name: part for name, part in valid.items() if name != "precision"}
        return known

    @model_validator(mode="after")
    def _check_replacement(self) -> Self:
        if self.replaces is not None and self.action is ClaimAction.RETRACT:
            raise ValueError("a retract replaces nothing")
        return self


def _is_member(part: JsonValue, closed_set: type[StrEnum]) -> bool:
    return isinstance(part, str) and part in closed_set.__members__.values()


def parts_of(fact: ExtractedFact) -> Sequence[ExtractedFact]:
    """A replacement as what it stands for: a retract of the former value, then a create."""
    if fact.replaces is None:
        return (fact,)
    begin = None if fact.valid is None else fact.valid.model_copy(update={"valid_until": None})
    retract = {
        "value": fact.replaces,
        "action": ClaimAction.RETRACT,
        "replaces": None,
        "valid": begin,
    }
    create: dict[str, JsonValue | ClaimAction] = {"action": ClaimAction.CREATE, "replaces": None}
    return (fact.model_copy(update=retract), fact.model_copy(update=create))
