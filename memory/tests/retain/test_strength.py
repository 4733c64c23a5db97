"""The numbers of strength."""

import pytest
from cortex_memory.retain.strength import DAY_MS, Standing, half_life_days, strength
from hypothesis import given
from hypothesis import strategies as st
from roxabi_contracts.payloads import Severity


def after(days: float, standing: Standing) -> float:
    return strength(standing, standing.last_confirmed + round(days * DAY_MS))


def test_halves_in_thirty_days() -> None:
    assert after(0, Standing(0.8, 5)) == pytest.approx(0.8)
    assert after(30, Standing(0.8, 5)) == pytest.approx(0.4)
    assert after(60, Standing(0.8, 5)) == pytest.approx(0.2)


def test_a_confirmation_in_the_future_does_not_strengthen() -> None:
    assert after(-30, Standing(0.8, 0)) == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("fit", "days"), [(None, 30), (0.71, 45), (0.7, 30), (0.5, 30), (0.3, 30), (0.29, 15)]
)
def test_what_fits_lasts_longer(fit: float | None, days: float) -> None:
    assert half_life_days(Standing(1, 0, schema_fit=fit)) == pytest.approx(days)


@pytest.mark.parametrize(
    ("useful", "harmful", "days"), [(0, 0, 30), (1, 0, 37.5), (0, 1, 22.5), (3, 1, 36), (2, 2, 30)]
)
def test_feedback_moves_the_half_life(useful: int, harmful: int, days: float) -> None:
    assert half_life_days(Standing(1, 0, useful=useful, harmful=harmful)) == pytest.approx(days)


@pytest.mark.parametrize(("count", "expected"), [(0, 0.5), (1, 0.55), (3, 0.6), (7, 0.65)])
def test_reinforcements_grow_by_the_logarithm(count: int, expected: float) -> None:
    assert after(0, Standing(0.5, 0, reinforcements=count)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("valence", "expected"),
    [
        (Severity.NEUTRAL, 0.4),
        (Severity.POSITIVE, 0.52),
        (Severity.NEGATIVE, 0.6),
        (Severity.CRITICAL, 0.8),
    ],
)
def test_valence_weighs(valence: Severity, expected: float) -> None:
    assert after(0, Standing(0.4, 0, valence=valence)) == pytest.approx(expected)


def test_what_is_pinned_does_not_decay() -> None:
    assert after(3_000, Standing(0.8, 0, is_pinned=True)) == pytest.approx(0.8)


@given(
    st.floats(0, 1),
    st.integers(0, 10**13),
    st.integers(0, 50),
    st.integers(0, 50),
    st.integers(0, 10**6),
)
def test_stays_between_nothing_and_one(
    confidence: float, at: int, useful: int, harmful: int, count: int
) -> None:
    standing = Standing(confidence, 0, count, useful, harmful, Severity.CRITICAL, schema_fit=0.1)

    assert 0 <= strength(standing, at) <= 1
