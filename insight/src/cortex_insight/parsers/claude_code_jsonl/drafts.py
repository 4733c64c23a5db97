"""From a record to drafts, by its type."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import Artifact, Finding, Interaction, Statement
from roxabi_contracts.payloads import Direction, Severity, SpeechAct

from cortex_insight.parser import Draft, Parsed
from cortex_insight.parsers.claude_code_jsonl.frame import Frame
from cortex_insight.parsers.claude_code_jsonl.links import delivered_prompt
from cortex_insight.parsers.claude_code_jsonl.results import Call, describe_call, result_draft
from cortex_insight.parsers.claude_code_jsonl.speech import (
    Speech,
    human_speech,
    is_summary,
    queued_prompt,
    unwrapped,
)
from cortex_insight.parsers.records import as_object, as_text, capped

Calls = Mapping[str, Call]

_SILENT_TYPES: Final = frozenset(
    (
        "agent-color", "agent-name", "agent-setting", "bridge-session", "file-history-snapshot",
        "fork-context-ref", "frame-link", "last-prompt", "mode", "permission-mode", "progress",
        "result", "worktree-state",
    )
)  # fmt: skip
"""Known records that hold no speech, finding, decision or work of their own."""

_TITLES: Final = ("customTitle", "aiTitle", "summary")

_SILENT_BLOCKS: Final = frozenset(
    (
        "image", "document", "thinking", "redacted_thinking", "server_tool_use",
        "web_search_tool_result", "tool_reference", "fallback",
    )
)  # fmt: skip


def parse_record(frame: Frame, calls: Calls) -> Parsed:
    """What a record says.

    Args:
        frame: The record in its session.
        calls: The tool calls that its results answer, by their id, as far as they are known.
    """
    kind = frame.record.type
    read = _READERS.get(kind)
    if read is not None:
        return Parsed(tuple(read(frame, calls)), _unknown_blocks(frame))
    if kind in _SILENT_TYPES or kind.startswith("workflow-"):
        return Parsed()
    return Parsed(unknown_types={f"{kind}@{frame.record.version}"[:200]: 1})


def _unknown_blocks(frame: Frame) -> dict[str, int]:
    known = _SILENT_BLOCKS | {"text", "tool_use", "tool_result"}
    unknown: dict[str, int] = {}
    for block in frame.record.blocks:
        kind = as_text(block.get("type"))
        if kind and kind not in known:
            name = f"block:{kind}@{frame.record.version}"[:200]
            unknown[name] = unknown.get(name, 0) + 1
    return unknown


def _user(frame: Frame, calls: Calls) -> Iterator[Draft]:
    for index, block in enumerate(frame.record.blocks):
        if block.get("type") == "tool_result":
            call = calls.get(as_text(block.get("tool_use_id")) or "")
            draft = result_draft(frame, index, block, call)
        else:
            draft = _said_to_agent(frame, index, as_text(block.get("text")))
        if draft is not None:
            yield draft


def _said_to_agent(frame: Frame, index: int, text: str | None) -> Draft | None:
    if text is None:
        return None
    record = frame.record
    speech = human_speech(record, text)
    if speech is not None:
        return _statement(frame, index, speech)
    if is_summary(record, text):
        return _agent_text(frame, index, text, {"derived": "compaction"})
    if record.by_agent and not record.flag("isMeta"):
        return _agent_text(frame, index, text, {"addressee": "sub-agent"})
    return None


def _statement(frame: Frame, index: int, speech: Speech) -> Draft:
    text, cut = capped(speech.text)
    act = SpeechAct.ASSERTION if speech.is_prose else SpeechAct.INSTRUCTION
    payload = Statement(text=text, time=frame.time, speech_act=act)
    return frame.by_owner(payload, index, prose=speech.is_prose, notes=cut)


def _agent_text(frame: Frame, index: int, text: str, notes: dict[str, str]) -> Draft:
    said, cut = capped(text)
    payload = Interaction(
        text=said,
        time=frame.time,
        channel="claude-code",
        direction=Direction.INTERNAL if frame.record.by_agent else Direction.INBOUND,
        thread=frame.root,
    )
    return frame.by_agent(payload, index, notes | cut)


def _assistant(frame: Frame, calls: Calls) -> Iterator[Draft]:
    for index, block in enumerate(frame.record.blocks):
        text = as_text(block.get("text"))
        if block.get("type") == "text" and text:
            if frame.record.is_api_error:
                yield _failure(frame, index, text)
            else:
                derived = {"derived": "compaction"} if is_summary(frame.record, text) else {}
                yield _agent_text(frame, index, text, derived)
        elif block.get("type") == "tool_use":
            yield _call(frame, index, block)


def _call(frame: Frame, index: int, block: Mapping[str, JsonValue]) -> Draft:
    tool = as_text(block.get("name"))
    payload = Interaction(
        text=describe_call(tool, as_object(block.get("input"))),
        time=frame.time,
        channel="tool-call",
        direction=Direction.INTERNAL,
        thread=frame.root,
    )
    notes = {"tool": tool, "call_id": as_text(block.get("id"))}
    return frame.by_agent(payload, index, {name: text for name, text in notes.items() if text})


def _failure(frame: Frame, index: int, text: str) -> Draft:
    said, cut = capped(text)
    payload = Finding(
        text=said,
        time=frame.time,
        tool="claude-api",
        outcome="failure",
        severity=Severity.NEGATIVE,
    )
    return frame.by_tool(payload, index, "claude-api", cut, None)


def _attachment(frame: Frame, calls: Calls) -> Iterator[Draft]:
    """Only what a person typed while the agent was at work is speech."""
    speech = unwrapped(queued_prompt(frame.record) or "")
    if speech is not None:
        yield _statement(frame, 0, speech)


def _queue(frame: Frame, calls: Calls) -> Iterator[Draft]:
    """What was typed meanwhile, where no attachment says it."""
    speech = unwrapped(delivered_prompt(frame.record) or "")
    if speech is not None:
        yield _statement(frame, 0, speech)


def _title(frame: Frame, calls: Calls) -> Iterator[Draft]:
    """What a session is called; its records name no moment, and the last one holds."""
    title = next(filter(None, map(frame.record.text, _TITLES)), None)
    is_of_other = frame.record.type == "summary"
    session = frame.root if is_of_other else frame.record.text("sessionId")
    if title is None or session is None:
        return
    text, cut = capped(title)
    payload = Artifact(
        text=text,
        time=frame.time,
        kind="session",
        uri=f"claude-code:{session}",
        action="modified",
        title=text,
    )
    yield frame.by_agent(payload, 0, cut)


def _system(frame: Frame, calls: Calls) -> Iterator[Draft]:
    text = frame.record.text("content")
    if frame.record.text("subtype") == "api_error":
        yield _failure(frame, 0, text or "api_error")


def _pull_request(frame: Frame, calls: Calls) -> Iterator[Draft]:
    uri = frame.record.text("prUrl")
    number = frame.record.fields.get("prNumber")
    if uri is None:
        return
    repository = frame.record.text("prRepository")
    title = f"{repository}#{number}" if repository and number is not None else None
    payload = Artifact(
        text=f"Pull request {title or uri}",
        time=frame.time,
        kind="pull_request",
        uri=uri,
        action="created",
        title=title,
    )
    yield frame.by_agent(payload, 0, {})


_READERS: Final[dict[str, Callable[[Frame, Calls], Iterator[Draft]]]] = {
    "user": _user,
    "assistant": _assistant,
    "attachment": _attachment,
    "system": _system,
    "pr-link": _pull_request,
    "queue-operation": _queue,
    "ai-title": _title,
    "custom-title": _title,
    "summary": _title,
}

KNOWN_TYPES: Final = frozenset(_READERS) | _SILENT_TYPES
"""Record types whose meaning is known."""
