"""What is spooled comes back as it was, without being held in memory."""

import contextlib
import tracemalloc

import pytest
from cortex_insight.admit import Admitted, admit
from cortex_insight.reading import EventKey, key_of
from cortex_insight.spool import Spool

from tests.lines_source import RECEIVED, line_event, receipt


def admitted(text: str) -> Admitted:
    item = admit(receipt(line_event(text)))
    assert isinstance(item, Admitted)
    return item


def test_events_come_back_in_their_order() -> None:
    items = [admitted(text) for text in ("b after a", "a", "c\nd")]
    with contextlib.closing(Spool(RECEIVED)) as spool:
        for item in items:
            spool.add(item)
        assert [*spool.values()] == items
        assert [*spool] == [key_of(item) for item in items]
        assert spool[key_of(items[1])] == items[1]
        with pytest.raises(KeyError):
            spool[EventKey("p", "unknown")]


def test_memory_does_not_grow_with_their_size() -> None:
    with contextlib.closing(Spool(RECEIVED)) as spool:
        tracemalloc.start()
        for number in range(20):
            spool.add(admitted(f"{number} " + "x" * 500_000))
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert len(spool) == 20
    assert held < 2_000_000
