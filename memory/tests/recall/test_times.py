"""The times that a question names."""

from datetime import UTC, date, datetime
from itertools import pairwise

import pytest
from cortex_memory.recall.times import MOST_SPANS, YEARS_BACK, Span, is_within, times_in
from hypothesis import given
from hypothesis import strategies as st

NOW = int(datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp() * 1000)  # a Monday


def days_in(query: str) -> list[tuple[str, str]]:
    """First and last day of each span."""

    def day(moment: int) -> str:
        return datetime.fromtimestamp(moment / 1000, UTC).date().isoformat()

    return [(day(span.since), day(span.before - 1)) for span in times_in(query, NOW)]


@pytest.mark.parametrize(
    ("query", "first", "last"),
    [
        ("What did I do today?", "2026-11-30", "2026-11-30"),
        ("qu'ai-je dit hier ?", "2026-11-29", "2026-11-29"),
        ("Qui vient demain ?", "2026-12-01", "2026-12-01"),
        ("what happened last week", "2026-11-23", "2026-11-29"),
        ("la semaine dernière", "2026-11-23", "2026-11-29"),
        ("this month", "2026-11-01", "2026-11-30"),
        ("last month", "2026-10-01", "2026-10-31"),
        ("l'année dernière", "2025-01-01", "2025-12-31"),
        ("on Tuesday", "2026-11-24", "2026-11-24"),
        ("mardi dernier", "2026-11-24", "2026-11-24"),
        ("en mai dernier", "2026-05-01", "2026-05-31"),
        ("last December", "2025-12-01", "2025-12-31"),
        ("in May 2023", "2023-05-01", "2023-05-31"),
        ("on 1 February, 2023", "2023-02-01", "2023-02-01"),
        ("on October 13th, 2023", "2023-10-13", "2023-10-13"),
        ("le 14 juillet 2024", "2024-07-14", "2024-07-14"),
        ("on 2026-05-03", "2026-05-03", "2026-05-03"),
        ("during 2023", "2023-01-01", "2023-12-31"),
        ("two weeks ago", "2026-11-13", "2026-11-19"),
        ("3 months ago", "2026-08-17", "2026-09-16"),
        ("il y a un an", "2025-06-01", "2026-05-31"),
        ("il y a 3 jours", "2026-11-27", "2026-11-27"),
    ],
)
def test_is_resolved_against_the_moment_of_asking(query: str, first: str, last: str) -> None:
    assert days_in(query) == [(first, last)]


@pytest.mark.parametrize(
    "query",
    ["Where does she live?", "May I ask?", "I march on", "room 2023", "on 31 February 2023", ""],
)
def test_most_questions_name_none(query: str) -> None:
    assert days_in(query) == []


def test_a_month_without_a_year_is_that_of_any_year() -> None:
    spans = days_in("When did she go camping in June?")
    assert len(spans) == YEARS_BACK
    assert spans[-1] == ("2026-06-01", "2026-06-30")
    assert spans[-4] == ("2023-06-01", "2023-06-30")


def test_a_moment_is_within_from_the_first_until_before_the_last() -> None:
    span = Span(10, 20)
    assert [is_within(moment, [span]) for moment in (9, 10, 19, 20)] == [False, True, True, False]


def test_days_in_a_row_are_one_span() -> None:
    assert days_in("on 2026-05-03, 2026-05-04 and in May 2026") == [("2026-05-01", "2026-05-31")]
    assert days_in("yesterday or today") == [("2026-11-29", "2026-11-30")]
    assert len(days_in("on 2026-05-03 or 2026-05-05")) == 2


def test_of_very_many_times_the_latest_are_looked_for() -> None:
    query = "on " + " or ".join(f"2 {month}" for month in ("March", "May", "July") * 100)
    assert len(days_in(query)) == 3 * YEARS_BACK
    every_other_day = [f"{year}-{month:02}-{day:02}" for year in (2024, 2025)
                       for month in range(1, 13) for day in range(1, 28, 2)]  # fmt: skip
    spans = days_in(" ".join(every_other_day))
    assert len(spans) == MOST_SPANS
    assert spans[-1] == ("2025-12-27", "2025-12-27")


@given(st.text(max_size=60), st.integers(-(10**13), 10**14))
def test_any_question_at_any_time_is_read(query: str, now: int) -> None:
    for text in (query, f"{query} 300 years ago in June", f"on 29 February {query}"):
        spans = times_in(text, now)
        assert all(span.since < span.before for span in spans)
        assert all(one.before < next_.since for one, next_ in pairwise(spans))


@given(st.dates(date(1901, 1, 1), date(2099, 12, 28)))
def test_any_date_is_found_as_it_is_written(day: date) -> None:
    for text in (
        day.isoformat(),
        f"{day.day} {day:%B} {day.year}",
        f"{day:%B} {day.day}, {day.year}",
    ):
        assert days_in(f"on {text}") == [(day.isoformat(), day.isoformat())]
