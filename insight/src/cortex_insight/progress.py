"""Where an import stands: its counts, and what it left out, where and why."""

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Final

from cortex_insight.collect import LeftOut

PLACES_AT_MOST: Final = 3
"""Of each reason so many places are named; the count tells of the others."""


@dataclass
class Progress:
    """The counts so far."""

    files: int = 0
    events: int = 0
    known: int = 0
    """Events that the lake had before, or that were erased."""
    erased: int = 0
    """Events that were forgotten, and do not come back."""
    published: int = 0
    observations: int = 0
    """What the published events say."""
    rejected: int = 0
    skipped: int = 0
    """Records and files that became no event."""
    read_bytes: int = 0
    total_bytes: int = 0
    """What there is to read; archives may say too little."""
    done: bool = False
    sources: Counter[str] = field(default_factory=Counter[str])
    """Events by source."""
    reasons: Counter[str] = field(default_factory=Counter[str])
    """Why records were skipped and events rejected."""
    places: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list[str]))
    """The first places of each reason."""
    unknown_types: Counter[str] = field(default_factory=Counter[str])
    """Record types with their version that the parsers do not know; filled at the end."""

    def read(self, size: int) -> None:
        """Count bytes of a file."""
        self.read_bytes += size

    def leave_out(self, item: LeftOut) -> None:
        """Count what became no event."""
        self.skipped += 1
        where = item.place if item.offset is None else f"{item.place} at byte {item.offset}"
        self._note(item.reason, where)

    def reject(self, place: str, reason: str) -> None:
        """Count an event that its parser refused."""
        self.rejected += 1
        self._note(reason, place)

    def _note(self, reason: str, place: str) -> None:
        self.reasons[reason] += 1
        if len(self.places[reason]) < PLACES_AT_MOST:
            self.places[reason].append(place)

    def as_json(self) -> str:
        """One line for programs."""
        return json.dumps(vars(self))
