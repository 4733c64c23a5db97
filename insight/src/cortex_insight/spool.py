"""Events that may be wanted again, kept in a file without a name instead of in memory."""

import tempfile
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from cortex_insight.admit import Admitted, admit
from cortex_insight.outbox import Receipt
from cortex_insight.parser import Reject
from cortex_insight.reading import EventKey, key_of


class Spool(Mapping[EventKey, Admitted]):
    """Admitted events by their keys, in the order in which they came; gone with this object.

    Args:
        received_at: When all of them count as received.
    """

    def __init__(self, received_at: datetime) -> None:
        self._received_at = received_at
        self._file: Any = tempfile.TemporaryFile(prefix="cortex-")  # noqa: SIM115 - lives as long
        self._places: dict[EventKey, tuple[int, int]] = {}
        self._end = 0

    def add(self, item: Admitted) -> None:
        """Keep an event."""
        record = item.receipt.subject.encode() + b"\n" + item.receipt.data
        self._file.seek(self._end)
        self._file.write(record)
        self._places[key_of(item)] = self._end, len(record)
        self._end += len(record)

    def close(self) -> None:
        """Keep nothing any more."""
        self._file.close()

    def __getitem__(self, key: EventKey) -> Admitted:
        place, size = self._places[key]
        self._file.seek(place)
        subject, _, data = self._file.read(size).partition(b"\n")
        item = admit(Receipt(subject.decode(), data, self._received_at))
        if isinstance(item, Reject):  # what was written was admitted
            raise KeyError(key)
        return item

    def __iter__(self) -> Iterator[EventKey]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
