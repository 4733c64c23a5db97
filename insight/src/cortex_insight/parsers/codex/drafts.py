"""From a record to drafts, by what it is."""

from collections.abc import Iterator

from roxabi_contracts import Artifact, Finding, Interaction, Statement
from roxabi_contracts.payloads import Direction, Severity, SpeechAct

from cortex_insight.parser import Draft, Parsed
from cortex_insight.parsers.codex.decisions import decision_draft
from cortex_insight.parsers.codex.frame import Frame
from cortex_insight.parsers.codex.record import (
    COMPACTED,
    COMPLETED,
    ENVELOPES,
    EVENT,
    ITEM,
    QUIET_EVENTS,
    QUIET_ITEMS,
    QUIET_PARTS,
    Record,
)
from cortex_insight.parsers.codex.results import (
    changes_of,
    describe_call,
    output_of,
    tool_of,
)
from cortex_insight.parsers.codex.session import CWD, VERSION
from cortex_insight.parsers.codex.speech import Said, human_speech, said_in
from cortex_insight.parsers.records import as_text, capped


def parse_record(frame: Frame, call: tuple[str, Record] | None) -> Parsed:
    """What a record says.

    Args:
        frame: The record in its session.
        call: The call that it answers, with its natural id, as far as it is known.
    """
    unknown = unknown_type(frame.record)
    version = frame.told(VERSION) or "unknown"
    types = {f"{unknown}@{version}"[:200]: 1} if unknown else {}
    return Parsed(tuple(_drafts(frame, call)), types)


def unknown_type(record: Record) -> str | None:
    """What sort of record it is, if that is not known."""
    if record.kind not in ENVELOPES:
        return record.kind
    if record.kind == ITEM:
        known = record.is_call or record.is_result or record.type in QUIET_ITEMS
        return None if known or record.type == "message" else f"{ITEM}:{record.type}"
    if record.kind != EVENT or record.type in (*QUIET_EVENTS, "error") or said_in(record):
        return None
    part = (as_text(record.item.get("type")) or "untyped").casefold()
    if record.type == COMPLETED:
        return None if part in QUIET_PARTS else f"{COMPLETED}:{part}"
    return None if record.type in ("user_message", "agent_message") else f"{EVENT}:{record.type}"


def _drafts(frame: Frame, call: tuple[str, Record] | None) -> Iterator[Draft]:
    record = frame.record
    said = said_in(record)
    if said is not None:
        draft = _said_by_user(frame, said) if said.by_user else _said_by_agent(frame, said)
        if draft is not None:
            yield draft
    elif record.is_call:
        yield _call(frame)
    elif record.is_result:
        yield from _result(frame, call)
    elif record.kind == COMPACTED and (summary := as_text(record.payload.get("message"))):
        yield _interaction(frame, summary, {"derived": "compaction"})
    elif record.kind == EVENT and record.type == "error":
        yield _failure(frame)


def _said_by_user(frame: Frame, said: Said) -> Draft | None:
    """Words alone are a statement; with files, which such has no room for, an interaction."""
    speech = human_speech(said)
    if frame.by_sub_agent:
        return _interaction(frame, speech.text, {"addressee": "sub-agent"}) if speech else None
    if speech is None and (not said.files or said.texts):
        return None
    text, cut = capped(speech.text if speech else "")
    is_prose = speech is not None and speech.is_prose
    if said.files:
        return frame.by_owner(
            Interaction(
                text=text, time=frame.time, channel="codex", direction=Direction.OUTBOUND,
                thread=frame.thread, attachments=said.files,
            ),
            cut, prose=is_prose,
        )  # fmt: skip
    act = SpeechAct.ASSERTION if is_prose else SpeechAct.INSTRUCTION
    payload = Statement(text=text, time=frame.time, speech_act=act)
    return frame.by_owner(payload, cut, prose=is_prose)


def _said_by_agent(frame: Frame, said: Said) -> Draft | None:
    return _interaction(frame, said.text, {}) if said.text else None


def _interaction(frame: Frame, said: str, notes: dict[str, str]) -> Draft:
    text, cut = capped(said)
    payload = Interaction(
        text=text,
        time=frame.time,
        channel="codex",
        direction=Direction.INTERNAL if frame.by_sub_agent else Direction.INBOUND,
        thread=frame.thread,
    )
    return frame.by_agent(payload, notes | cut)


def _call(frame: Frame) -> Draft:
    record = frame.record
    payload = Interaction(
        text=describe_call(record),
        time=frame.time,
        channel="tool-call",
        direction=Direction.INTERNAL,
        thread=frame.thread,
    )
    notes = {"tool": tool_of(record)[:500], "call_id": (record.call_id or "")[:500]}
    return frame.by_agent(payload, {name: text for name, text in notes.items() if text})


def _failure(frame: Frame) -> Draft:
    text, cut = capped(as_text(frame.record.payload.get("message")) or "error")
    payload = Finding(
        text=text, time=frame.time, tool="codex", outcome="failure", severity=Severity.NEGATIVE
    )
    return frame.by_tool(payload, "codex", cut)


def _result(frame: Frame, call: tuple[str, Record] | None) -> Iterator[Draft]:
    decided = None if call is None else decision_draft(frame, call[1])
    if decided is not None:
        yield decided
        return
    changed = list(_changes(frame, call))
    if changed:
        yield from changed
        return
    output = output_of(frame.record)
    if not output.text and output.outcome != "failure":
        return
    text, cut = capped(output.text)
    parent, asked = call or (None, None)
    tool = tool_of(asked) if asked else None
    failed = output.outcome == "failure"
    payload = Finding(
        text=text,
        time=frame.time,
        tool=tool,
        outcome=output.outcome,
        severity=Severity.NEGATIVE if failed else Severity.NEUTRAL,
    )
    yield frame.by_tool(payload, tool, frame.of_call(asked) | cut, parent=parent)


def _changes(frame: Frame, call: tuple[str, Record] | None) -> Iterator[Draft]:
    """The files that a patch changed, once it is known that it did."""
    if call is None or output_of(frame.record).outcome == "failure":
        return
    parent, asked = call
    for number, change in enumerate(changes_of(asked, frame.told(CWD))):
        text, cut = capped(change.text)
        payload = Artifact(
            text=text,
            time=frame.time,
            kind="file",
            uri=change.path[:2000],
            action=change.action,
            title=change.path.replace("\\", "/").rsplit("/", 1)[-1][:500],
        )
        notes = frame.of_call(None) | cut
        part = f"#{number}" if number else ""
        yield frame.by_tool(payload, tool_of(asked), notes, parent=parent, part=part)
