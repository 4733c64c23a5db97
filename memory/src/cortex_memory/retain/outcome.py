"""What one event did to its slot: one class per legal result."""

from dataclasses import dataclass
from typing import TypeAlias

from cortex_memory.model import ConflictSetId, FactId


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The event was folded before; nothing changes."""


@dataclass(frozen=True, slots=True)
class Scheduled:
    """The event is folded when it falls due."""


@dataclass(frozen=True, slots=True)
class Cancelled:
    """A retract or an erasure in the meantime took the scheduled assertion back."""

    fact: FactId


@dataclass(frozen=True, slots=True)
class RecordedOnly:
    """The assertion is kept and changes no fact."""


@dataclass(frozen=True, slots=True)
class Quarantined:
    """The assertion stands behind a fact that is listed and never served."""

    fact: FactId


@dataclass(frozen=True, slots=True)
class Noted:
    """The assertion is a bare source id on a live fact and confirms nothing."""

    fact: FactId


@dataclass(frozen=True, slots=True)
class Ended:
    """The assertion tells of a time that was over when it was said."""

    fact: FactId


@dataclass(frozen=True, slots=True)
class Retracted:
    """The facts ended."""

    facts: tuple[FactId, ...]


@dataclass(frozen=True, slots=True)
class Created:
    """The first live fact of the slot."""

    fact: FactId


@dataclass(frozen=True, slots=True)
class Reinforced:
    """A live fact was confirmed; `settled` if that closed the open ConflictSet in its favour."""

    fact: FactId
    settled: bool = False


@dataclass(frozen=True, slots=True)
class Superseded:
    """A new active fact took the place of every live one."""

    fact: FactId
    replaced: tuple[FactId, ...]


@dataclass(frozen=True, slots=True)
class Conflicted:
    """The value joined the slot's open ConflictSet."""

    fact: FactId
    conflict: ConflictSetId


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision met these facts of the slot, none if it speaks of others."""

    facts: tuple[FactId, ...]


@dataclass(frozen=True, slots=True)
class Erased:
    """These facts of the slot lost their content."""

    facts: tuple[FactId, ...]


Outcome: TypeAlias = (
    Duplicate
    | Scheduled
    | Cancelled
    | RecordedOnly
    | Quarantined
    | Noted
    | Ended
    | Retracted
    | Created
    | Reinforced
    | Superseded
    | Conflicted
    | Decided
    | Erased
)
