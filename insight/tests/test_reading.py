"""Sums per source always agree with the latest readings."""

from collections import Counter

from cortex_insight.admit import Admitted, admit
from cortex_insight.parser import Reject
from cortex_insight.reading import EventKey, Reading, SourceKey, Summary, sum_up
from hypothesis import given
from hypothesis import strategies as st
from roxabi_contracts import MadeBy

from tests.lines_source import line_event, receipt


def reading(name: str, version: int, rejected: bool, unknown: int) -> Reading:
    admitted = admit(receipt(line_event(name)))
    assert isinstance(admitted, Admitted)
    return Reading(
        admitted,
        MadeBy(parser=version),
        unknown_types={"odd": unknown} if unknown else {},
        redactions={"jwt": unknown} if unknown else {},
        reject=Reject("no", "no") if rejected else None,
    )


READINGS = st.builds(
    reading, st.sampled_from("abc"), st.integers(1, 2), st.booleans(), st.integers(0, 3)
)


@given(batches=st.lists(st.lists(READINGS, max_size=3, unique_by=lambda r: r.key), max_size=5))
def test_what_batches_add_is_the_sum_over_the_latest_readings(
    batches: list[list[Reading]],
) -> None:
    source = SourceKey("p", "lines")
    latest: dict[EventKey, Summary] = {}
    totals: Counter[str] = Counter()
    types: Counter[tuple[int, str]] = Counter()
    secrets: Counter[str] = Counter()
    for batch in batches:
        sums = sum_up(batch, latest)
        totals.update(events=sums.events[source], rejected=sums.rejected[source])
        secrets.update({kind: count for (_, kind), count in sums.redactions.items()})
        for (_, version, name), count in sums.record_types.items():
            types[version, name] += count
        latest |= {item.key: item.summary for item in batch}
    assert totals["events"] == len(latest)
    assert totals["rejected"] == sum(summary.rejected for summary in latest.values())
    expected: Counter[tuple[int, str]] = Counter()
    for summary in latest.values():
        for name, count in summary.unknown_types.items():
            expected[summary.versions.parser, name] += count
    assert +types == +expected
    assert secrets["jwt"] == sum(summary.redactions.get("jwt", 0) for summary in latest.values())
