"""From a message to drafts, by who speaks in it."""

from collections.abc import Iterator
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import (
    Artifact,
    Finding,
    Interaction,
    Origin,
    Statement,
)
from roxabi_contracts.payloads import Attachment, Direction, Severity

from cortex_insight.parser import Draft
from cortex_insight.parsers.claude_ai.frame import Frame
from cortex_insight.parsers.claude_ai.record import AGENT, HUMAN, Fields, Message
from cortex_insight.parsers.records import as_object, as_text, capped

_LONGEST_CALL: Final = 2_000
_ARTIFACTS: Final = "artifacts"
_QUIET: Final = frozenset(("flag", "redacted_thinking", "thinking", "token_budget"))
_KNOWN: Final = _QUIET | {"text", "tool_result", "tool_use", "voice_note"}
_WEB: Final = ("web_search", "web_fetch")
_MAIN: Final = ("query", "url", "code", "command", "path", "prompt", "title")


def drafts_of(frame: Frame) -> Iterator[Draft]:
    """All that a message says."""
    if frame.message.sender == HUMAN:
        yield from _owner(frame)
    elif frame.message.sender == AGENT:
        yield from _agent(frame)


def unknown_types(message: Message) -> dict[str, int]:
    """What of a message has no known meaning, with its count."""
    unknown = [] if message.sender in (HUMAN, AGENT) else [f"sender:{message.sender}"]
    kinds = [as_text(block.get("type")) or "untyped" for block in message.blocks]
    unknown += [f"block:{kind}" for kind in kinds if kind not in _KNOWN]
    return {name[:200]: unknown.count(name) for name in unknown}


def _owner(frame: Frame) -> Iterator[Draft]:
    """Words alone are a statement; with files, which such has no room for, an interaction."""
    text, cut = capped(frame.message.text)
    files = tuple(map(_attachment, frame.message.files))
    if files:
        payload = Interaction(
            text=text, time=frame.time, channel="claude-ai", direction=Direction.OUTBOUND,
            thread=frame.thread, attachments=files,
        )  # fmt: skip
        yield frame.by_owner(payload, cut, speaks=bool(text))
    elif text:
        yield frame.by_owner(Statement(text=text, time=frame.time), cut, speaks=True)


def _attachment(file: Fields) -> Attachment:
    """A file by its name; what was read out of it is no word of the user."""
    size = file.get("file_size")
    return Attachment(
        name=as_text(file.get("file_name")),
        media_type=as_text(file.get("file_type")),
        size=size if isinstance(size, int) and size > 0 else None,
    )


def _agent(frame: Frame) -> Iterator[Draft]:
    text, cut = capped(frame.message.text)
    if text:
        payload = Interaction(
            text=text, time=frame.time, channel="claude-ai", direction=Direction.INBOUND,
            thread=frame.thread,
        )  # fmt: skip
        yield frame.by_agent(payload, cut)
    for place, block in enumerate(frame.message.blocks):
        if block.get("type") == "tool_use":
            yield _call(frame, block, f"#{place}")
        elif block.get("type") == "tool_result":
            yield from _result(frame, block, f"#{place}")


def _call(frame: Frame, block: Fields, part: str) -> Draft:
    tool, asked = as_text(block.get("name")) or "tool", as_object(block.get("input"))
    written = as_text(asked.get("content")) or as_text(asked.get("new_str"))
    if tool == _ARTIFACTS and written:
        text, cut = capped(written)
        artifact = Artifact(
            text=text,
            time=frame.time,
            kind="artifact",
            action="created" if asked.get("command") == "create" else "modified",
            title=as_text(asked.get("title")) or as_text(asked.get("id")),
        )
        return frame.by_agent(artifact, cut, part)
    stated = (as_text(asked.get(name)) for name in _MAIN)
    told = next((one for one in stated if one), "")
    payload = Interaction(
        text=(f"{tool}: {told}" if told else tool)[:_LONGEST_CALL],
        time=frame.time,
        channel="tool-call",
        direction=Direction.INTERNAL,
        thread=frame.thread,
    )
    return frame.by_agent(payload, {"tool": tool[:500]}, part)


def _result(frame: Frame, block: Fields, part: str) -> Iterator[Draft]:
    tool = as_text(block.get("name"))
    failed = block.get("is_error") is True
    text, cut = capped("" if tool == _ARTIFACTS and not failed else _found(block.get("content")))
    if not text:
        return
    payload = Finding(
        text=text,
        time=frame.time,
        tool=tool,
        outcome="failure" if failed else "success",
        severity=Severity.NEGATIVE if failed else Severity.NEUTRAL,
    )
    origin = Origin.THIRD_PARTY if tool in _WEB else Origin.SEMI_TRUSTED
    yield frame.by_tool(payload, tool, cut, part, origin)


def _found(content: JsonValue) -> str:
    """The words of a result; of a page of the web its title and address, too."""
    blocks = content if isinstance(content, list) else [content]
    lines: list[str] = []
    for one in blocks:
        stated = [one] if isinstance(one, str) else [
            as_object(one).get(name) for name in ("title", "url", "text")
        ]  # fmt: skip
        lines += [text for value in stated if (text := as_text(value))]
    return "\n".join(lines)
