"""Keeps the account of every request, for a while."""

from collections.abc import Sequence
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


async def append(transaction: Connection, traces: Sequence[ContextTrace]) -> None:
    """Store traces, and forget what is beyond the bounds in their projects."""
    await transaction.cursor().executemany(
        query("traces.append"), [_row(trace) for trace in traces]
    )
    for project in sorted({trace.project for trace in traces}):
        await transaction.execute(
            query("traces.trim"), {"project": project, "days": KEPT_DAYS, "kept": KEPT}
        )


async def find(transaction: Connection, project: str, trace_id: str) -> ContextTrace | None:
    """The trace, unless it was never there or is forgotten."""
    cursor = transaction.cursor(row_factory=dict_row)
    await cursor.execute(query("traces.find"), {"project": project, "id": trace_id})
    row = await cursor.fetchone()
    return None if row is None else ContextTrace.model_validate(row)


def _row(trace: ContextTrace) -> dict[str, object]:
    included = [one for one in trace.candidates if one.decision is TraceDecision.INCLUDED]
    return {
        "project": trace.project,
        "id": trace.trace_id,
        "asked_at": trace.asked_at,
        "request": trace.request.model_dump_json(),
        "status": trace.status,
        "warnings": Json(list(trace.warnings)),
        "candidates": _CANDIDATES.dump_json(trace.candidates).decode(),
        "facts_served": sum(one.kind == "fact" for one in included),
        "episodes_served": sum(one.kind == "episode" for one in included),
        "duration_ms": trace.duration_ms,
    }
