"""Keeps the account of every request, for a while."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from psycopg.rows import dict_row
from psycopg.types.json import Json
from pydantic import TypeAdapter
from roxabi_contracts.context import ContextTrace, TracedCandidate, TraceDecision

from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query

KEPT: Final = 5_000
"""Traces of a project; older ones go."""
KEPT_DAYS: Final = 30

_CANDIDATES: Final = TypeAdapter(tuple[TracedCandidate, ...])


@dataclass(frozen=True, slots=True)
class Account:
    """A trace that is drawn up when it is looked at, so that no request waits for that.

    `snapshot` is what the store showed when the request began. `is_of_now`: what was served is to
    be compared with it, which memory as it was is not.
    """

    project: str
    trace_id: str
    draw: Callable[[], ContextTrace]
    snapshot: str
    is_of_now: bool = True


async def append(transaction: Connection, account: Account) -> None:
    """Store a trace, with how many retired facts it served.

    It is not kept where something of its project was erased since the request began: it may quote
    that.
    """
    await transaction.execute(query("traces.append"), _row(account))


async def trim(transaction: Connection, project: str) -> None:
    """Keep to the bound of a project."""
    await transaction.execute(query("traces.trim"), {"project": project, "kept": KEPT})


async def expire(transaction: Connection) -> int:
    """Forget what is too old; how many traces."""
    return (await transaction.execute(query("traces.expire"), {"days": KEPT_DAYS})).rowcount


async def find(transaction: Connection, project: str, trace_id: str) -> ContextTrace | None:
    """The trace, unless it was never there or is forgotten."""
    cursor = transaction.cursor(row_factory=dict_row)
    await cursor.execute(query("traces.find"), {"project": project, "id": trace_id})
    row = await cursor.fetchone()
    return None if row is None else ContextTrace.model_validate(row)


def _row(account: Account) -> dict[str, object]:
    trace = account.draw()
    included = [one for one in trace.candidates if one.decision is TraceDecision.INCLUDED]
    facts = [one.id for one in included if one.kind == "fact"]
    return {
        "project": trace.project,
        "id": trace.trace_id,
        "asked_at": trace.asked_at,
        "request": trace.request.model_dump_json(),
        "status": trace.status,
        "warnings": Json(list(trace.warnings)),
        "candidates": _CANDIDATES.dump_json(trace.candidates).decode(),
        "facts": facts,
        "facts_served": len(facts),
        "episodes_served": len(included) - len(facts),
        "duration_ms": trace.duration_ms,
        "snapshot": account.snapshot,
        "is_of_now": account.is_of_now,
    }
