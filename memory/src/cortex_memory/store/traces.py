"""Keeps the account of every request, for a while."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from psycopg.rows import dict_row, tuple_row
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

    `snapshot` is what the store showed when the request began; null where what was served is not
    to be compared with it: memory as it was.
    """

    project: str
    trace_id: str
    draw: Callable[[], ContextTrace]
    snapshot: str | None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A trace as it is stored, with the snapshot of its `Account`."""

    trace: ContextTrace
    snapshot: str | None


async def append(transaction: Connection, drawn: Sequence[Drawn]) -> None:
    """Store traces, with how many retired facts they served."""
    await transaction.execute(query("traces.at_leisure"))
    leaked = await _leaked(transaction, drawn)
    rows = [_row(one.trace, leaked.get(one.trace.trace_id)) for one in drawn]
    await transaction.cursor().executemany(query("traces.append"), rows)


async def trim(transaction: Connection, project: str) -> None:
    """Keep to the bound of a project."""
    await transaction.execute(query("traces.trim"), {"project": project, "kept": KEPT})


async def expire(transaction: Connection) -> int:
    """Forget what is too old; how many traces."""
    return (await transaction.execute(query("traces.expire"), {"days": KEPT_DAYS})).rowcount


async def _leaked(transaction: Connection, drawn: Sequence[Drawn]) -> dict[str, int]:
    """By trace, the facts served although they were retired; only where that can be told."""
    known = [(one.trace, one.snapshot) for one in drawn if one.snapshot is not None]
    served = [
        (trace.trace_id, trace.project, candidate.id, snapshot)
        for trace, snapshot in known
        for candidate in trace.candidates
        if candidate.kind == "fact" and candidate.decision is TraceDecision.INCLUDED
    ]
    names = ("trace_ids", "projects", "facts", "snapshots")
    columns = zip(*served, strict=True) if served else ([], [], [], [])
    given = {name: list(column) for name, column in zip(names, columns, strict=True)}
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("traces.leaked"), given)
    return {trace.trace_id: 0 for trace, _ in known} | {
        str(trace_id): int(count) for trace_id, count in await cursor.fetchall()
    }


async def find(transaction: Connection, project: str, trace_id: str) -> ContextTrace | None:
    """The trace, unless it was never there or is forgotten."""
    cursor = transaction.cursor(row_factory=dict_row)
    await cursor.execute(query("traces.find"), {"project": project, "id": trace_id})
    row = await cursor.fetchone()
    return None if row is None else ContextTrace.model_validate(row)


def _row(trace: ContextTrace, leaked: int | None) -> dict[str, object]:
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
        "leaked": leaked,
    }
