"""Results of tool calls: findings, files written, and what the person answered or approved."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import JsonValue
from roxabi_contracts import Artifact, Decision, Finding
from roxabi_contracts.payloads import DecisionStatus, Severity

from cortex_insight.parser import Draft
from cortex_insight.parsers.claude_code_jsonl.frame import Frame
from cortex_insight.parsers.claude_code_jsonl.record import text_of
from cortex_insight.parsers.records import LONGEST_TEXT, as_object, as_text, capped

_WRITERS: Final = frozenset(("Write", "Edit", "MultiEdit", "NotebookEdit", "Update", "Create"))
_PLAN: Final = "ExitPlanMode"
_QUESTION: Final = "AskUserQuestion"
_REFUSED: Final = "The user doesn't want to"
_LONGEST_CALL: Final = 2_000


@dataclass(frozen=True)
class Call:
    """A tool call that a result answers."""

    ref: str
    tool: str | None
    input: Mapping[str, JsonValue]


@dataclass(frozen=True)
class _Result:
    frame: Frame
    index: int
    call: Call | None
    block: Mapping[str, JsonValue]
    details: Mapping[str, JsonValue]
    """What the program recorded of the result beside its text."""

    @property
    def text(self) -> str:
        text = text_of(self.block.get("content"))
        if text:
            return text
        output = (as_text(self.details.get(name)) for name in ("stdout", "stderr"))
        return "\n".join(part for part in output if part)

    @property
    def failed(self) -> bool:
        return self.block.get("is_error") is True

    @property
    def tool(self) -> str | None:
        return self.call.tool if self.call else None

    @property
    def arguments(self) -> Mapping[str, JsonValue]:
        return self.call.input if self.call else {}


def result_draft(
    frame: Frame, index: int, block: Mapping[str, JsonValue], call: Call | None
) -> Draft | None:
    """The observation that a tool result is; null: it says nothing."""
    details = as_object(frame.record.fields.get("toolUseResult"))
    single = len(frame.record.result_ids) == 1
    result = _Result(frame, index, call, block, details if single else {})
    for read in (_plan, _answers, _written):
        draft = read(result)
        if draft is not None:
            return draft
    return _finding(result)


def describe_call(tool: str | None, arguments: Mapping[str, JsonValue]) -> str:
    """A call in a line: the tool, and what tells most of what it is asked for."""
    names = ("command", "file_path", "pattern", "query", "url", "description", "prompt", "plan")
    told = next((text for text in (as_text(arguments.get(name)) for name in names) if text), "")
    return f"{tool or 'tool'}: {told}"[:_LONGEST_CALL] if told else tool or "tool"


def _finding(result: _Result) -> Draft | None:
    text, cut = capped(result.text)
    if not text and not result.failed:
        return None
    outcome: Literal["success", "failure"] | None = "failure" if result.failed else "success"
    payload = Finding(
        text=text,
        time=result.frame.time,
        tool=result.tool,
        outcome=outcome,
        severity=Severity.NEGATIVE if result.failed else Severity.NEUTRAL,
    )
    return _by_tool(result, payload, cut)


def _written(result: _Result) -> Draft | None:
    path = as_text(result.details.get("filePath")) or as_text(result.arguments.get("file_path"))
    wrote = result.tool in _WRITERS or "structuredPatch" in result.details
    if result.failed or path is None or not wrote:
        return None
    created = result.details.get("type") == "create"
    content = as_text(result.details.get("content")) or as_text(result.arguments.get("content"))
    text, cut = capped(result.text or path)
    payload = Artifact(
        text=text,
        time=result.frame.time,
        kind="file",
        uri=path,
        action="created" if created else "modified",
        digest=_digest(content),
        title=path.replace("\\", "/").rsplit("/", 1)[-1],
    )
    return _by_tool(result, payload, cut)


def _digest(content: str | None) -> str | None:
    """Of a file's content; null where that is not known whole."""
    if content is None or len(content) > LONGEST_TEXT:
        return None
    return f"sha256:{hashlib.sha256(content.encode()).hexdigest()}"


def _plan(result: _Result) -> Draft | None:
    plan = as_text(result.arguments.get("plan")) or as_text(result.details.get("plan"))
    refused = result.failed and result.text.startswith(_REFUSED)
    if result.tool != _PLAN or plan is None or (result.failed and not refused):
        return None
    text, cut = capped(plan)
    payload = Decision(
        text=text,
        time=result.frame.time,
        decision=_headline(text),
        status=DecisionStatus.REJECTED if refused else DecisionStatus.ACCEPTED,
        decided_by=0,
    )
    return result.frame.by_owner(payload, result.index, prose=False, notes=_notes(result) | cut)


def _answers(result: _Result) -> Draft | None:
    answers = as_object(result.details.get("answers"))
    given = {asked: _answer(answer) for asked, answer in answers.items() if _answer(answer)}
    if result.failed or not given or result.tool not in (_QUESTION, None):
        return None
    text, cut = capped("\n".join(f"{asked} {answer}" for asked, answer in given.items()))
    payload = Decision(
        text=text,
        time=result.frame.time,
        decision="; ".join(given.values())[:1_000],
        status=DecisionStatus.ACCEPTED,
        alternatives=_alternatives(result, set(given.values())),
        decided_by=0,
    )
    return result.frame.by_owner(payload, result.index, prose=False, notes=_notes(result) | cut)


def _answer(value: JsonValue) -> str:
    parts = value if isinstance(value, list) else [value]
    return ", ".join(part for part in parts if isinstance(part, str) and part.strip())


def _alternatives(result: _Result, given: set[str]) -> tuple[str, ...]:
    questions = result.details.get("questions") or result.arguments.get("questions")
    options = (
        as_text(as_object(option).get("label"))
        for question in (questions if isinstance(questions, list) else [])
        for option in _list(as_object(question).get("options"))
    )
    return tuple(dict.fromkeys(label for label in options if label and label not in given))


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _headline(plan: str) -> str:
    first = next(line for line in plan.splitlines() if line.strip())
    return first.strip("#* \t")[:1_000] or plan.strip()[:1_000]


def _by_tool(result: _Result, payload: Finding | Artifact, cut: dict[str, str]) -> Draft:
    parent = result.call.ref if result.call else None
    notes = _notes(result) | cut
    return result.frame.by_tool(payload, result.index, result.tool, notes, parent)


def _notes(result: _Result) -> dict[str, str]:
    call_id = as_text(result.block.get("tool_use_id"))
    notes = {"call_id": call_id} if call_id else {}
    persisted = as_text(result.details.get("persistedOutputPath"))
    if persisted:
        notes["full_output"] = persisted[:1_000]
    if result.call:
        notes["call"] = describe_call(result.call.tool, result.call.input)[:200]
    return notes
