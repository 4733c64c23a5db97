"""The canonical form of texts: what is written differently and equal, and what is not."""

from datetime import date
from decimal import Decimal

import pytest
from cortex_memory.retain.scalars import canonical_text, folded_text
from hypothesis import given
from hypothesis import strategies as st
from roxabi_contracts.predicates import ValueType

EQUAL: dict[ValueType, list[tuple[str, ...]]] = {
    ValueType.TEXT: [
        ("Oslo", " oslo", "OSLO\u00a0"),
        ("Straße", "STRASSE"),
        ("e\u0301te\u0301", "ÉTÉ"),
        ("İzmir", "i\u0307zmir"),
        ("\u03b1\u0345\u0301", "\u03b1\u0301\u0345"),
        ("a\tb", "a  b", "A\u202fB"),
    ],
    ValueType.NUMBER: [
        ("1200", "1,200", "1 200", "1\u202f200", "1'200", "1_200", "1200.0", "12e2", "+1200"),
        ("1200.5", "1,200.50", "1.200,50", "1 200,5"),
        ("1200000", "1.200.000", "1,200,000", "1 200 000"),
        ("0.125", "0,125", ".125", "125e-3"),
        ("0", "-0", "0,0", "0e5"),
    ],
    ValueType.DATE: [
        ("2024-05-01", "20240501", "2024/05/01", "2024.05.01", "1 May 2024", "May 1st, 2024"),
        ("1er mai 2024", "1 mai 2024", "May 1, 2024", "1st of May 2024"),
        ("2024-08-15", "15 août 2024", "15 aug. 2024", "15 AOÛT 2024"),
        ("2024-05-01T10:00:00Z", "2024-05-01T12:00:00+02:00", "2024-05-01 10:00:00.000Z"),
    ],
    ValueType.DURATION: [
        ("PT90M", "PT1H30M", "PT1.5H", "pt1,5h", "90 min", "1 hour, 30 minutes", "1h 30min"),
        ("P1Y", "P12M", "1 an", "12 months", "1 year", "P0.5Y6M"),
        ("P1W", "P7D", "1 semaine", "7 days", "7 jours"),
        ("2 heures et 5 minutes", "2 hours and 5 minutes", "125 min"),
    ],
    ValueType.AMOUNT: [
        ("€3.50", "3,50 EUR", "3.5€", "3.50 euros", "EUR 3.5"),
        ("$1,200", "1200 USD", "US$ 1 200", "1.200,00 $"),
        ("70kg", "70 KG", "70.0 kilogrammes", "70 kilos"),
        ("1,80 m", "1.8 metres", "1.80m", "1,8 mètre"),
        ("12", "12.0"),
    ],
    ValueType.BOOLEAN: [("true", "Yes", "oui", " VRAI"), ("false", "no", "Non", "faux")],
    ValueType.OBJECT: [("Oslo", "oslo ")],
}
APART: dict[ValueType, list[str]] = {
    ValueType.TEXT: ["oslo", "osló", "oslo.", "1", "1.0", "true", "yes"],
    ValueType.NUMBER: ["3", "4", "-3", "3.1", "three", "3 %", "1.2.3", "1,20,000", "3 4"],
    ValueType.DATE: [
        "2024-05-01",
        "2024-05-02",
        "2024-05",
        "2024",
        "2024-05-01T00:00",
        "2024-05-01T00:00Z",
        "2024-02-30",
        "01/05/2024",
        "05/01/2024",
        "31 april 2024",
        "1 brumaire 2024",
    ],
    ValueType.DURATION: ["P1M", "P30D", "PT1M", "1 moon", "PT", "P", "a while", "1 hour or so"],
    ValueType.AMOUNT: [
        "3 EUR",
        "3 USD",
        "3",
        "4 EUR",
        "3 kEUR",
        "3 eur or so 4",
        "180 cm",
        "1.8 m",
    ],
    ValueType.BOOLEAN: ["true", "false", "maybe", "1", "0"],
    ValueType.OBJECT: ["1", "1.0", "true", "yes"],
}
TYPES = st.sampled_from(ValueType)
NEARLY_TYPED = st.text("0123456789.,' _+-/:%€$eptymwdhs", max_size=70)
MONTHS = (
    ("january", "janvier"),
    ("february", "février"),
    ("march", "mars"),
    ("april", "avril"),
    ("may", "mai"),
    ("june", "juin"),
    ("july", "juillet"),
    ("august", "août"),
    ("september", "septembre"),
    ("october", "octobre"),
    ("november", "novembre"),
    ("december", "décembre"),
)


@pytest.mark.parametrize(
    ("value_type", "forms"), [(kind, forms) for kind, sets in EQUAL.items() for forms in sets]
)
def test_what_is_written_differently_is_equal(
    value_type: ValueType, forms: tuple[str, ...]
) -> None:
    first, *others = (canonical_text(form, value_type) for form in forms)
    assert others == [first] * len(others)


@pytest.mark.parametrize(("value_type", "forms"), APART.items())
def test_what_says_something_else_stays_apart(value_type: ValueType, forms: list[str]) -> None:
    found = [repr(canonical_text(form, value_type)) for form in forms]
    assert len(set(found)) == len(forms)


def test_every_type_has_its_cases() -> None:
    assert EQUAL.keys() == APART.keys() == set(ValueType)


@given(st.text() | NEARLY_TYPED, TYPES)
def test_any_text_has_a_form_and_folding_it_first_changes_nothing(
    text: str, value_type: ValueType
) -> None:
    form = canonical_text(text, value_type)
    assert canonical_text(folded_text(text), value_type) == form
    assert canonical_text(f" {text} ", value_type) == form


@given(st.text())
def test_folding_is_idempotent(text: str) -> None:
    assert folded_text(folded_text(text)) == folded_text(text)


@given(NEARLY_TYPED, TYPES)
def test_what_is_compared_as_text_is_the_folded_text(text: str, value_type: ValueType) -> None:
    form = canonical_text(text, value_type)
    if isinstance(form, str) and value_type is not ValueType.DATE:
        assert form == folded_text(text)


NUMBERS = st.decimals(-10_000_000, 10_000_000, places=3)


@given(NUMBERS.filter(lambda number: abs(number) >= 1_000))
def test_a_number_is_equal_however_its_thousands_are_grouped(number: Decimal) -> None:
    """Below a thousand a comma before three digits is read as English does."""
    english = f"{number:,}"
    spellings = [english, *(english.translate(str.maketrans(",.", f"{mark},")) for mark in " .'")]
    plain = canonical_text(str(number), ValueType.NUMBER)
    assert [canonical_text(text, ValueType.NUMBER) for text in spellings] == [plain] * 4


@given(NUMBERS, NUMBERS)
def test_two_numbers_are_equal_only_if_they_are(one: Decimal, other: Decimal) -> None:
    forms = [canonical_text(str(number), ValueType.NUMBER) for number in (one, other)]
    assert (forms[0] == forms[1]) == (one == other)


@given(st.dates())
def test_a_day_is_equal_in_every_spelling_that_is_not_ambiguous(day: date) -> None:
    year = f"{day.year:04}"
    english, french = MONTHS[day.month - 1]
    spellings = (
        f"{year}{day.month:02}{day.day:02}",
        f"{year}/{day.month:02}/{day.day:02}",
        f"{day.day} {english} {year}",
        f"{english.title()} {day.day}, {year}",
        f"{day.day} {french} {year}",
    )
    assert all(canonical_text(text, ValueType.DATE) == day.isoformat() for text in spellings)


@given(st.integers(0, 10_000_000))
def test_a_duration_is_equal_in_every_unit(minutes: int) -> None:
    hours, rest = divmod(minutes, 60)
    spellings = (f"PT{minutes}M", f"PT{hours}H{rest}M", f"{minutes} minutes", f"PT{minutes * 60}S")
    forms = [canonical_text(text, ValueType.DURATION) for text in spellings]
    assert forms == forms[:1] * len(forms)


@pytest.mark.parametrize("value_type", ValueType)
def test_a_long_text_is_compared_as_text(value_type: ValueType) -> None:
    for long in ("1," * 100_000, "9" * 65):
        assert canonical_text(long, value_type) == long
