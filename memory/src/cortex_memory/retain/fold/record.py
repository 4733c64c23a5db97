"""A fact in the making: the one mutable thing of the fold, which never leaves it."""

from dataclasses import dataclass, field
from typing import TypeAlias

from roxabi_contracts.operations import FactStatus

from cortex_memory.model import (
    Assertion,
    AssertionId,
    Authority,
    ConflictSetId,
    EntityId,
    FactId,
    Mark,
    Value,
)
from cortex_memory.retain.values import without_nulls

Appearance: TypeAlias = tuple[object, ...]
"""All of a record that changes and shows: equal while the fact that is listed is the same."""


@dataclass(slots=True, eq=False)
class Record:
    """What the fold knows of one fact.

    `speakers` names, for each key of the value, the assertion that said it. `stood` tells whether
    the fact was ever live and uncontested: one that never was has no interval.
    """

    value: Value
    speakers: tuple[AssertionId, ...]
    status: FactStatus
    sources: list[Assertion]
    valid_from: int | None
    valid_to: int | None
    authority: Authority
    confidence: float
    from_is_stated: bool
    until_said: int | None
    bare: set[AssertionId] = field(default_factory=set[AssertionId])
    last_sayings: dict[EntityId, int] = field(default_factory=dict[EntityId, int])
    stood: bool = False
    mark: Mark | None = None
    supersedes: "Record | None" = None
    conflict: ConflictSetId | None = None
    first: Assertion = field(init=False)
    """The one of `sources` that comes first in order."""

    def __post_init__(self) -> None:
        self.first = self.sources[0]

    @property
    def shown_id(self) -> FactId:
        """The id that the fact shows, of all that it answers to."""
        return self.first.id

    def appearance(self) -> Appearance:
        """What the listed fact follows from, as long as no content of it is erased."""
        return (
            len(self.sources),
            len(self.bare),
            self.status,
            self.mark,
            self.valid_from,
            self.valid_to,
            self.authority,
            self.confidence,
            self.conflict,
            None if self.supersedes is None else self.supersedes.shown_id,
        )

    def confirm(self, assertion: Assertion, authority: Authority, time: int) -> None:
        """Take an assertion of the fact's value that counts."""
        self._take(assertion)
        self.authority = max(self.authority, authority)
        self.confidence = max(self.confidence, assertion.confidence)
        self.last_sayings[assertion.author_entity] = time
        self._stretch(assertion)

    def note(self, assertion: Assertion) -> None:
        """Take an assertion as a bare source id."""
        self._take(assertion)
        self.bare.add(assertion.id)

    def _take(self, assertion: Assertion) -> None:
        self.sources.append(assertion)
        if assertion.order < self.first.order:
            self.first = assertion

    def _stretch(self, assertion: Assertion) -> None:
        """The earliest stated beginning and the end that was said last."""
        if (begin := assertion.valid_from) is not None:
            known = self.valid_from
            earlier = known is None or begin < known or not self.from_is_stated
            self.valid_from = begin if earlier else known
            self.from_is_stated = True
        until = stated_until(assertion)
        said_last = self.until_said is None or assertion.said >= self.until_said
        if until is not None and said_last:
            self.valid_to = until
            self.until_said = assertion.said

    def close(self, status: FactStatus, time: int) -> None:
        """End the fact, with an interval if it ever stood uncontested."""
        self.status = status
        self.conflict = None
        if self.stood:
            self.valid_to = time
        else:
            self.valid_from = self.valid_to = None


def stated_until(assertion: Assertion) -> int | None:
    """The end of validity, unless it is stated to lie before the beginning."""
    until, begin = assertion.valid_until, assertion.valid_from
    return None if until is None or (begin is not None and until < begin) else until


def live_record(assertion: Assertion, authority: Authority, time: int, value: Value) -> Record:
    """A fact that begins to live with an assertion."""
    until = stated_until(assertion)
    return Record(
        value=value,
        speakers=(assertion.id,) * len(value.pairs),
        status=FactStatus.ACTIVE,
        sources=[assertion],
        valid_from=assertion.said if assertion.valid_from is None else assertion.valid_from,
        valid_to=until,
        authority=authority,
        confidence=assertion.confidence,
        from_is_stated=assertion.valid_from is not None,
        until_said=None if until is None else assertion.said,
        last_sayings={assertion.author_entity: time},
    )


def listed_record(assertion: Assertion, status: FactStatus) -> Record:
    """A fact that is listed with what its assertion states, and is not live."""
    until = stated_until(assertion)
    is_inverted = until is None and assertion.valid_until is not None
    return Record(
        value=without_nulls(assertion.value),
        speakers=(assertion.id,) * len(assertion.value.pairs),
        status=status,
        sources=[assertion],
        valid_from=None if is_inverted else assertion.valid_from,
        valid_to=until,
        authority=assertion.authority,
        confidence=assertion.confidence,
        from_is_stated=assertion.valid_from is not None,
        until_said=None,
        last_sayings={assertion.author_entity: assertion.time},
    )
