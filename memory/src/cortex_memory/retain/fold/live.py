"""The live facts of a slot: the active one and the other members of the open ConflictSet."""

import hashlib
import heapq
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from roxabi_contracts.operations import FactStatus

from cortex_memory.model import (
    Assertion,
    AssertionId,
    Authority,
    ConflictSetId,
    Digest,
    EntityId,
    Pairs,
    Value,
)
from cortex_memory.retain.fold.record import Record
from cortex_memory.retain.values import is_part_of, meets


@dataclass(slots=True, eq=False)
class Conflict:
    """A ConflictSet in the making, with every record that ever joined."""

    id: ConflictSetId
    opened_at: int
    members: list[Record]
    closed_at: int | None = None


class LiveFacts:
    """Live records by value, so that one among thousands is found without seeing the others."""

    def __init__(self) -> None:
        self.active: Record | None = None
        self.conflict: Conflict | None = None
        self._by_value: dict[Pairs, Record] = {}
        self._by_pair: defaultdict[tuple[str, Digest], dict[Record, None]] = defaultdict(dict)
        self._by_authority = [0] * len(Authority)
        self._by_author: defaultdict[EntityId, int] = defaultdict(int)
        self._ends: list[tuple[int, int, Record]] = []
        self._ends_pushed = 0

    def members(self) -> list[Record]:
        """Every live record, in the order in which they began to live."""
        return list(self._by_value.values())

    def of_value(self, value: Value) -> Record | None:
        """The live record of this value, its nulls aside."""
        return self._by_value.get(value.pairs)

    def containing(self, value: Value) -> list[Record]:
        """The live records that the value is equal to or part of."""
        return [record for record in self._sharing(value) if is_part_of(value, record.value)]

    def met_by(self, retracted: Value) -> list[Record]:
        """The live records that a retract of the value is about."""
        return [
            record for record in self._sharing(retracted) if meets(retracted, record.value.pairs)
        ]

    def _sharing(self, value: Value) -> list[Record]:
        if not value.pairs:
            return self.members()
        found = self._by_pair.get(value.pairs[0])
        return [] if found is None else list(found)

    def highest_authority(self) -> int:
        """The authority of the live fact of highest authority; -1 when nothing is live."""
        return self._highest(self._by_authority)

    def highest_other_authority(self, record: Record) -> int:
        """The same among all live records but one."""
        counts = list(self._by_authority)
        counts[record.authority] -= 1
        return self._highest(counts)

    @staticmethod
    def _highest(counts: Sequence[int]) -> int:
        for level in range(len(counts) - 1, -1, -1):
            if counts[level]:
                return level
        return -1

    def all_said_before(self, author: EntityId, time: int) -> bool:
        """Whether the author has said every live fact, each for the last time before `time`."""
        if self._by_author.get(author, 0) < len(self._by_value):
            return False
        return all(record.last_sayings[author] < time for record in self._by_value.values())

    def create(self, record: Record) -> None:
        """Let a record live alone; nothing else is live."""
        self._enter(record)
        self._activate(record)
        record.stood = True

    def contest(self, record: Record, time: int) -> ConflictSetId:
        """Let a record join the slot's open ConflictSet, opening it if there is none."""
        assert self.active is not None
        if self.conflict is None:
            opened = _conflict_set_id(self.active.shown_id, record.shown_id)
            self.conflict = Conflict(opened, time, [self.active])
            self.active.conflict = opened
        record.status = FactStatus.CANDIDATE
        record.conflict = self.conflict.id
        self.conflict.members.append(record)
        self._enter(record)
        return self.conflict.id

    def confirm(
        self, record: Record, assertion: Assertion, authority: Authority, time: int
    ) -> None:
        """Take another assertion of a live record's value that counts."""
        self._by_authority[record.authority] -= 1
        if assertion.author_entity not in record.last_sayings:
            self._by_author[assertion.author_entity] += 1
        record.confirm(assertion, authority, time)
        self._by_authority[record.authority] += 1
        self._await_end(record)

    def leave(self, records: Sequence[Record], status: FactStatus, time: int) -> None:
        """End records at once; the first that remains becomes active, a set of one closes."""
        for record in records:
            self._exit(record)
            record.close(status, time)
        if self.active in records:
            self.active = None
        remaining = next(iter(self._by_value.values()), None)
        if remaining is not None and self.active is None:
            self._activate(remaining)
        if self.conflict is not None and len(self._by_value) < 2:
            self.conflict.closed_at = time
            self.conflict = None
            if remaining is not None:
                remaining.conflict = None
                remaining.stood = True

    def keep(self, record: Record) -> None:
        """Make a live record the active one and every other a candidate."""
        if self.active is not None:
            self.active.status = FactStatus.CANDIDATE
        self._activate(record)

    def others(self, record: Record) -> list[Record]:
        """Every live record but one."""
        return [other for other in self._by_value.values() if other is not record]

    def next_end(self) -> int | None:
        """When the validity of a live fact ends next."""
        while self._ends:
            end, _, record = self._ends[0]
            if self._by_value.get(record.value.pairs) is record and record.valid_to == end:
                return end
            heapq.heappop(self._ends)
        return None

    def ending_at(self, end: int) -> list[Record]:
        """The live records whose validity ends at `end`, the time of the next end."""
        return [record for record in self._by_value.values() if record.valid_to == end]

    def _await_end(self, record: Record) -> None:
        if record.valid_to is not None:
            self._ends_pushed += 1
            heapq.heappush(self._ends, (record.valid_to, self._ends_pushed, record))

    def _activate(self, record: Record) -> None:
        self.active = record
        record.status = FactStatus.ACTIVE

    def _enter(self, record: Record) -> None:
        self._by_value[record.value.pairs] = record
        for pair in record.value.pairs:
            self._by_pair[pair][record] = None
        self._by_authority[record.authority] += 1
        for author in record.last_sayings:
            self._by_author[author] += 1
        self._await_end(record)

    def _exit(self, record: Record) -> None:
        del self._by_value[record.value.pairs]
        for pair in record.value.pairs:
            del self._by_pair[pair][record]
        self._by_authority[record.authority] -= 1
        for author in record.last_sayings:
            self._by_author[author] -= 1


def _conflict_set_id(first_member: AssertionId, opener: AssertionId) -> ConflictSetId:
    content = f"{first_member}:{opener}".encode()
    return ConflictSetId(hashlib.blake2b(content, digest_size=16).hexdigest())
