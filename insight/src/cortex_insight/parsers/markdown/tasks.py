"""Task lists: what is still to be done is a commitment, what is done ends it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from roxabi_contracts import Claim
from roxabi_contracts.payloads import ClaimAction

from cortex_insight.parsers.markdown.dates import day_in

_BOX: Final = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+\[(.)\]\s+(\S.*)$")
_MARKER: Final = re.compile(
    r"\s*[-*+]\s+(TODO|DOING|LATER|NOW|WAITING|WAIT|IN-PROGRESS|DONE|CANCELED|CANCELLED)\s+(\S.*)$"
)
_OPEN: Final = frozenset((" ", "/", "!", "*", "TODO", "DOING", "LATER", "NOW", "WAITING", "WAIT",
                          "IN-PROGRESS"))  # fmt: skip
_DONE: Final = frozenset(("x", "X", "DONE"))
_CANCELLED: Final = frozenset(("-", "CANCELED", "CANCELLED"))
_DUE: Final = re.compile(
    r"📅\s*(\S+)|[\[(]due::\s*([^\])]*)[\])]|\bDEADLINE:\s*<([^>]*)>|\bdue:\s*(\d{4}-\d\d-\d\d)"
)
_NOTES: Final = re.compile(
    r"[📅✅⏳🛫➕❌🗓]\ufe0f?\s*\d{4}-\d\d-\d\d|[⏫🔼🔽⏬🔺]\ufe0f?|🔁\ufe0f?[^📅✅⏳🛫➕❌]*"
    r"|[\[(]\w+::[^\])]*[\])]|(?:DEADLINE|SCHEDULED):\s*<[^>]*>|\bdue:\s*\d{4}-\d\d-\d\d"
    r"|^\[#[A-C]\]|(?<!\S)#[^\W\d_][\w/-]*"
)
_FOR: Final = re.compile(r"@([^\W\d_][\w.-]{0,38}\w|[^\W\d_])(?:\s*:)?\s+(\S.*)$")
_TASKS_AT_MOST: Final = 200


@dataclass(frozen=True)
class Task:
    """A line of a task list."""

    name: str
    line: str
    """The words as they stand."""
    state: str
    """open, done or cancelled."""
    due: date | None = None
    person: str | None = None
    """Who is to do it; null: nobody else is named."""


def read_tasks(lines: Sequence[str]) -> Iterator[Task]:
    """The tasks among the lines of a section, code left out."""
    in_code = False
    for index, line in enumerate(lines):
        if line.lstrip().startswith(("```", "~~~")):
            in_code = not in_code
        found = None if in_code else _BOX.fullmatch(line) or _MARKER.fullmatch(line)
        state = _state(found[1]) if found else None
        if found is None or state is None:
            continue
        below = next(iter(lines[index + 1 : index + 2]), "").strip()
        planned = below if below.startswith(("DEADLINE:", "SCHEDULED:")) else ""
        words = found[2].strip()[:500]
        name = " ".join(_NOTES.sub(" ", words).split())[:300]
        person = _FOR.match(name)
        if name:
            due = _DUE.search(f"{words} {planned[:200]}")
            day = day_in(next(filter(None, due.groups()), "")) if due else None
            yield Task(
                person[2] if person else name, words, state, day,
                person[1] if person else None,
            )  # fmt: skip


def task_claims(tasks: Sequence[Task], author: int) -> tuple[Claim, ...]:
    """What task lists state of whoever keeps them, or of those whom they name.

    Args:
        tasks: In their order.
        author: Index of who keeps the list.
    """
    return tuple(claim for task in tasks[:_TASKS_AT_MOST] for claim in _claims_of(task, author))


def _claims_of(task: Task, author: int) -> Iterator[Claim]:
    about = author if task.person is None else task.person
    is_open = task.state == "open"
    yield Claim(
        about=about, predicate="commitment", value={"value": task.name},
        action=ClaimAction.CREATE if is_open else ClaimAction.RETRACT, evidence=task.line,
    )  # fmt: skip
    if not is_open:
        yield Claim(
            about=author, predicate="task_status", value={"value": task.state},
            qualifiers={"task": task.name}, evidence=task.line,
        )  # fmt: skip
    elif task.due is not None:
        yield Claim(
            about=author, predicate="deadline", value={"value": task.due.isoformat()},
            qualifiers={"task": task.name}, evidence=task.line,
        )  # fmt: skip


def _state(mark: str) -> str | None:
    if mark in _OPEN:
        return "open"
    if mark in _DONE:
        return "done"
    return "cancelled" if mark in _CANCELLED else None
