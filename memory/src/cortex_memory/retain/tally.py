"""What became of candidates when they were retained, as counters for operators."""

from collections import Counter
from collections.abc import Iterable, Sequence

from roxabi_contracts.operations import FactStatus
from roxabi_contracts.payloads import ClaimAction

from cortex_memory.model import Assertion, AssertionId, Fact, SlotState


def tally(said: Sequence[Assertion], states: Iterable[SlotState]) -> Counter[tuple[str, str]]:
    """How many of the assertions, by project, had which outcome in the folded state."""
    wanted = {assertion.id for assertion in said}
    roles: dict[AssertionId, str] = {}
    for state in states:
        for fact in state.facts:
            for source in fact.sources:
                if source.assertion_id in wanted:
                    is_first = source.assertion_id == fact.id
                    roles[source.assertion_id] = _role(fact, is_first, source.counted)
    return Counter(
        (assertion.key.project, roles.get(assertion.id) or _role_without_fact(assertion))
        for assertion in said
    )


def _role(fact: Fact, is_first: bool, counted: bool) -> str:
    if not is_first:
        return "reinforce" if counted else "note"
    match fact.status:
        case FactStatus.QUARANTINED:
            return "quarantine"
        case FactStatus.SCHEDULED:
            return "schedule"
        case FactStatus.CANDIDATE:
            return "conflict"
        case _:
            return "create" if fact.supersedes_id is None else "supersede"


def _role_without_fact(assertion: Assertion) -> str:
    return "retract" if assertion.action is ClaimAction.RETRACT else "record"
