"""How long to wait is read from seconds and from dates, and never goes back in time."""

from datetime import UTC, datetime

import pytest
from cortex_memory.extractor.retry_after import LONGEST_SECONDS, retry_after_seconds

NOW = datetime(2026, 5, 4, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("7", 7.0),
        (" 0.5 ", 0.5),
        ("Mon, 04 May 2026 12:01:30 GMT", 90.0),
        ("Mon, 04 May 2026 14:01:30 +0200", 90.0),
        ("Mon, 04 May 2026 12:01:30 -0000", 90.0),
        ("Mon, 04 May 2026 11:00:00 GMT", 0.0),
        ("-3", 0.0),
        ("999999999", LONGEST_SECONDS),
        ("nan", None),
        ("inf", None),
        ("soon", None),
        ("", None),
    ],
)
def test_a_header_says_how_long(header: str | None, seconds: float | None) -> None:
    assert retry_after_seconds(header, NOW) == seconds
