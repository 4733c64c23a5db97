"""What is equal, what is part of what, and what a digest tells."""

import pytest
from cortex_memory.model import Value
from cortex_memory.retain.values import (
    EMPTY,
    blank,
    is_part_of,
    keyed_digest,
    meets,
    overlay,
    readable,
    value_of,
    without_nulls,
)
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue
from roxabi_contracts.predicates import ValueType

KEY = b"key"


def value(raw: JsonValue, value_type: ValueType = ValueType.TEXT) -> Value:
    return value_of(raw if isinstance(raw, dict) else {"value": raw}, KEY, value_type)


@pytest.mark.parametrize(
    ("one", "other", "value_type"),
    [
        ("Oslo", "  oslo ", ValueType.TEXT),
        ("New  York", "new york", ValueType.TEXT),
        ("e\u0301te\u0301", "\u00e9t\u00e9", ValueType.TEXT),
        ("Straße", "STRASSE", ValueType.TEXT),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, ValueType.OBJECT),
        ({"value": {"value": "Oslo"}}, "Oslo", ValueType.TEXT),
        ({"value": {"city": "Oslo"}}, {"city": "Oslo"}, ValueType.OBJECT),
        (3, 3.0, ValueType.OBJECT),
        ("3.50", 3.5, ValueType.NUMBER),
        ("1,200", 1200, ValueType.NUMBER),
        ("3,5", 3.5, ValueType.NUMBER),
        ("1e3", 1000, ValueType.NUMBER),
        ("-0", 0, ValueType.NUMBER),
        ("2024-05-01T10:00:00Z", "2024-05-01T12:00:00+02:00", ValueType.DATE),
        ("2024-05-01 10:00", "2024-05-01T10:00:00", ValueType.DATE),
        ("P1Y", "P12M", ValueType.DURATION),
        ("PT90M", "pt1h30m", ValueType.DURATION),
        ("P1W", "P7D", ValueType.DURATION),
        ("€3.50", "3,50 EUR", ValueType.AMOUNT),
        ("$ 1,200", "1200 usd", ValueType.AMOUNT),
        ("12", 12, ValueType.AMOUNT),
        ("True", True, ValueType.BOOLEAN),
    ],
)
def test_values_that_mean_the_same_are_equal(
    one: JsonValue, other: JsonValue, value_type: ValueType
) -> None:
    assert value(one, value_type).pairs == value(other, value_type).pairs


@pytest.mark.parametrize(
    ("one", "other", "value_type"),
    [
        ({"min": 3}, {"max": 3}, ValueType.OBJECT),
        ({"min": 3}, 3, ValueType.OBJECT),
        (3, 4, ValueType.NUMBER),
        (True, 1, ValueType.OBJECT),
        ("2024-05-01", "2024-05-01T00:00:00", ValueType.DATE),
        ("2024-05-01T10:00:00", "2024-05-01T10:00:00Z", ValueType.DATE),
        ("P1M", "P30D", ValueType.DURATION),
        ("3 EUR", "3 USD", ValueType.AMOUNT),
        ("soon", "later", ValueType.DATE),
        (["a", "b"], ["b", "a"], ValueType.OBJECT),
        ({"a": {"b": None}}, {"a": {}}, ValueType.OBJECT),
    ],
)
def test_values_that_differ_stay_apart(
    one: JsonValue, other: JsonValue, value_type: ValueType
) -> None:
    assert value(one, value_type).pairs != value(other, value_type).pairs


@pytest.mark.parametrize(
    "odd",
    ["", "P", "PT", "n/a", "1.2.3", "€", "9999-12-31T23:59:59-23:59", "P" + "9" * 5_000 + "Y"],
)
@pytest.mark.parametrize("value_type", ValueType)
def test_what_is_not_of_the_type_is_compared_as_it_is(odd: str, value_type: ValueType) -> None:
    assert value(odd, value_type).pairs == value(f" {odd} ", value_type).pairs


def test_text_is_kept_as_said() -> None:
    assert readable(value(" Oslo ")) == {"value": " Oslo "}


def test_nulls_are_kept_apart() -> None:
    home = value({"city": "Oslo", "zip": None})

    assert home.nulls == ("zip",)
    assert readable(without_nulls(home)) == {"city": "Oslo"}


def test_overlay_adds_replaces_and_removes() -> None:
    old = value({"city": "Oslo", "zip": "1", "floor": 2})
    new = value({"zip": "9", "floor": None, "door": "b"})

    assert readable(overlay(old, new)) == {"city": "Oslo", "zip": "9", "door": "b"}


def test_overlay_may_leave_nothing() -> None:
    assert overlay(value("Oslo"), value(None)) == EMPTY


PARTS = st.dictionaries(st.sampled_from("abc"), st.sampled_from([1, 2, None]), max_size=3)


@given(PARTS, PARTS)
def test_part_of_is_what_an_overlay_does_not_change(
    old_raw: dict[str, JsonValue], new_raw: dict[str, JsonValue]
) -> None:
    old, new = without_nulls(value(old_raw)), value(new_raw)

    assert is_part_of(new, old) == (overlay(old, new) == old)


@given(PARTS, PARTS)
def test_an_overlaid_value_contains_what_was_laid_over(
    old_raw: dict[str, JsonValue], new_raw: dict[str, JsonValue]
) -> None:
    old, new = without_nulls(value(old_raw)), value(new_raw)

    assert is_part_of(new, overlay(old, new))


def test_a_retract_meets_what_it_is_part_of() -> None:
    live = value({"city": "Oslo", "zip": "1"}).pairs

    assert meets(value({"city": "Oslo"}), live)
    assert meets(value({}), live)
    assert meets(value(None), live)
    assert not meets(value({"city": "Rome"}), live)


def test_digests_need_the_key_and_tell_keys_apart() -> None:
    assert value("x").pairs != value_of({"value": "x"}, b"other", ValueType.TEXT).pairs
    assert keyed_digest(KEY, "ab", "c") != keyed_digest(KEY, "a", "bc")
    assert value({"a": 1}).pairs[0][1] != value({"b": 1}).pairs[0][1]


def test_a_blank_value_compares_and_cannot_be_read() -> None:
    home = value({"city": "Oslo", "zip": None})

    assert blank(home).pairs == home.pairs
    assert readable(blank(home)) is None
    assert "Oslo" not in repr(blank(home))


def test_lone_surrogates_and_nul_do_no_harm() -> None:
    assert value("\ud800\x00").pairs == value("\ud800\x00 ").pairs
