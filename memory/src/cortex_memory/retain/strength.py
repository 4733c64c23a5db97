"""How strongly a fact or an episode stands in memory: orders and evicts, never what is true."""

from dataclasses import dataclass
from math import log2

from roxabi_contracts.payloads import Severity

DAY_MS = 86_400_000
HALF_LIFE_DAYS = 30.0

_FITTING, _STRANGE = 0.7, 0.3
_FITTING_FACTOR, _STRANGE_FACTOR = 1.5, 0.5
_FEEDBACK_GAIN = 0.5
_REINFORCEMENT_GAIN = 0.1
_VALENCE_FACTORS = {
    Severity.NEUTRAL: 1.0,
    Severity.POSITIVE: 1.3,
    Severity.NEGATIVE: 1.5,
    Severity.CRITICAL: 2.0,
}


@dataclass(frozen=True, slots=True)
class Standing:
    """What the strength of a fact or an episode follows from.

    `useful` and `harmful` count the outcomes fed back; `schema_fit` is null where it was not
    measured. What is pinned does not decay.
    """

    confidence: float
    last_confirmed: int
    reinforcements: int = 0
    useful: int = 0
    harmful: int = 0
    valence: Severity = Severity.NEUTRAL
    schema_fit: float | None = None
    is_pinned: bool = False


def strength(standing: Standing, at: int) -> float:
    """The strength at a moment, in [0, 1]."""
    grown = (
        standing.confidence
        * (1 + _REINFORCEMENT_GAIN * log2(1 + standing.reinforcements))
        * _VALENCE_FACTORS[standing.valence]
    )
    return min(1.0, max(0.0, grown * _decay(standing, at)))


def half_life_days(standing: Standing) -> float:
    """After how many days half is left: longer of what fits and of what has been useful."""
    days = HALF_LIFE_DAYS * _fit_factor(standing.schema_fit)
    useful, harmful = standing.useful, standing.harmful
    return days * (1 + _FEEDBACK_GAIN * (useful - harmful) / (useful + harmful + 1))


def _decay(standing: Standing, at: int) -> float:
    if standing.is_pinned:
        return 1.0
    days = max(0, at - standing.last_confirmed) / DAY_MS
    return float(0.5 ** (days / half_life_days(standing)))


def _fit_factor(schema_fit: float | None) -> float:
    if schema_fit is None:
        return 1.0
    if schema_fit > _FITTING:
        return _FITTING_FACTOR
    return _STRANGE_FACTOR if schema_fit < _STRANGE else 1.0
