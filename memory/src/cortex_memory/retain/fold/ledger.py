"""All that the fold of one slot knows at one moment: facts live and listed."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from roxabi_contracts.payloads import ClaimKind, Volatility
from roxabi_contracts.predicates import ChangeRule

from cortex_memory.model import Assertion, AssertionId, Erasure, Fact, FactReference, Mark, Pairs
from cortex_memory.retain.fold.live import Conflict, LiveFacts
from cortex_memory.retain.fold.record import Appearance, Record


@dataclass(frozen=True, slots=True)
class SlotRules:
    """How the facts of a predicate behave; null where the catalogue does not know it."""

    change: ChangeRule = ChangeRule.CONTEST
    kind: ClaimKind | None = None
    volatility: Volatility | None = None


@dataclass(slots=True)
class Ledger:
    """The mutable state of a fold; it belongs to one `SlotFold`."""

    rules: SlotRules
    live: LiveFacts = field(default_factory=LiveFacts)
    records: list[Record] = field(default_factory=list[Record])
    conflicts: list[Conflict] = field(default_factory=list[Conflict])
    quarantined: dict[Pairs, Record] = field(default_factory=dict[Pairs, Record])
    retracts: list[Assertion] = field(default_factory=list[Assertion])
    by_assertion: dict[AssertionId, Record] = field(default_factory=dict[AssertionId, Record])
    marks: dict[AssertionId, Mark] = field(default_factory=dict[AssertionId, Mark])
    erasures: list[Erasure] = field(default_factory=list[Erasure])
    shown: dict[Record, tuple[Appearance, Fact]] = field(
        default_factory=dict[Record, tuple[Appearance, Fact]]
    )
    """Facts as they were listed last, each with what it was made of."""

    def add(self, record: Record) -> None:
        """List a new fact; a mark that was set before its time falls on it."""
        first = record.sources[0].id
        record.mark = self.marks.pop(first, None)
        self.records.append(record)
        self.by_assertion[first] = record

    def attach(self, record: Record, assertion: Assertion) -> None:
        """Let a fact answer to the id of another assertion behind it."""
        self.by_assertion[assertion.id] = record

    def drop(self, record: Record) -> None:
        """Unlist a fact whose assertions are folded anew."""
        self.records.remove(record)
        for assertion in record.sources:
            del self.by_assertion[assertion.id]

    def meant_by(self, references: Iterable[FactReference]) -> list[Record]:
        """The facts that any of the named assertions stand behind, in a fixed order."""
        names = {name.id for reference in references for name in reference.assertions}
        found = {self.by_assertion[name]: None for name in sorted(names & self.by_assertion.keys())}
        return sorted(found, key=lambda record: record.shown_id)
