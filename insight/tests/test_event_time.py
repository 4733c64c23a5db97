"""The best time that is known, and never one that cannot be."""

from datetime import UTC, datetime, timedelta, timezone

from cortex_insight.event_time import TOLERANCE, Bound, resolve_time
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.payloads import TimePrecision, TimeSource

RECEIVED = datetime(2026, 3, 1, 12, tzinfo=UTC)
SAID = datetime(2025, 7, 4, 9, 30, tzinfo=UTC)
FILE = Bound(SAID + timedelta(hours=1), TimeSource.FILE, assumed=True)


def test_the_record_itself_comes_first() -> None:
    bound = Bound(SAID, TimeSource.RECORD, TimePrecision.MINUTE, zone="Europe/Paris")
    timestamp, note = resolve_time([bound, FILE], RECEIVED)
    assert timestamp == epoch_ms(SAID)
    assert (note.source, note.precision, note.assumed) == ("record", "minute", False)
    assert (note.zone, note.local) == ("Europe/Paris", None)


def test_without_any_bound_the_receipt_stands_in_and_says_so() -> None:
    timestamp, note = resolve_time([Bound(None, TimeSource.RECORD)], RECEIVED)
    assert timestamp == epoch_ms(RECEIVED)
    assert (note.source, note.assumed) == ("receipt", True)


def test_a_time_after_the_receipt_is_replaced_by_the_next_bound() -> None:
    at_the_limit = Bound(RECEIVED + TOLERANCE, TimeSource.RECORD)
    beyond = Bound(RECEIVED + TOLERANCE + timedelta(milliseconds=1), TimeSource.RECORD)
    assert resolve_time([at_the_limit], RECEIVED)[1].source == "record"
    assert resolve_time([beyond, FILE], RECEIVED)[1].source == "file"
    assert resolve_time([beyond], RECEIVED)[0] == epoch_ms(RECEIVED)


def test_before_1970_the_true_value_is_kept_beside_a_timestamp_of_zero() -> None:
    old = datetime(1969, 7, 20, 20, 17, tzinfo=UTC)
    timestamp, note = resolve_time([Bound(old, TimeSource.RECORD)], RECEIVED)
    assert (timestamp, note.local) == (0, "1969-07-20T20:17:00+00:00")


def test_a_local_clock_is_kept_beside_utc() -> None:
    local = SAID.astimezone(timezone(timedelta(hours=2)))
    timestamp, note = resolve_time([Bound(local, TimeSource.RECORD)], RECEIVED)
    assert (timestamp, note.local) == (epoch_ms(SAID), "2025-07-04T11:30:00+02:00")
