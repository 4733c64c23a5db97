"""From a message to drafts, by who speaks in it."""

from collections.abc import Iterator
from typing import Final, Literal, assert_never

from pydantic import JsonValue
from roxabi_contracts import Artifact, Finding, Interaction, Origin, Statement
from roxabi_contracts.payloads import Direction, Severity

from cortex_insight.parser import Draft
from cortex_insight.parsers.chatgpt.content import (
    PAGES,
    Voice,
    arguments_of,
    attachments_of,
    pictures_of,
    text_of,
    voice_of,
)
from cortex_insight.parsers.chatgpt.frame import Frame
from cortex_insight.parsers.chatgpt.record import Message
from cortex_insight.parsers.records import as_object, as_text, capped

_LONGEST_CALL: Final = 2_000
_WEB_TOOLS: Final = ("web", "browser")
_CANVAS: Final = "canmore."
_MAIN_ARGUMENTS: Final = ("prompt", "query", "q", "url", "code", "content")


def drafts_of(frame: Frame) -> Iterator[Draft]:
    """All that a message says."""
    voice = voice_of(frame.message)
    match voice:
        case Voice.NOBODY:
            return
        case Voice.OWNER:
            yield from _owner(frame)
        case Voice.AGENT:
            yield from _agent(frame)
        case Voice.CALL:
            yield from _call(frame)
        case Voice.TOOL:
            yield from _tool(frame)
        case _:
            assert_never(voice)


def _owner(frame: Frame) -> Iterator[Draft]:
    """Words alone are a statement; with files, which such has no room for, an interaction."""
    text, cut = capped(text_of(frame.message))
    files = attachments_of(frame.message)
    if files:
        payload = Interaction(
            text=text, time=frame.time, channel="chatgpt", direction=Direction.OUTBOUND,
            thread=frame.thread, attachments=files,
        )  # fmt: skip
        yield frame.by_owner(payload, cut, speaks=bool(text))
    elif text:
        yield frame.by_owner(Statement(text=text, time=frame.time), cut, speaks=True)


def _agent(frame: Frame) -> Iterator[Draft]:
    text, cut = capped(text_of(frame.message))
    files = attachments_of(frame.message)
    if text or files:
        payload = Interaction(
            text=text, time=frame.time, channel="chatgpt", direction=Direction.INBOUND,
            thread=frame.thread, attachments=files,
        )  # fmt: skip
        yield frame.by_agent(payload, cut)


def _call(frame: Frame) -> Iterator[Draft]:
    canvas = _canvas(frame)
    if canvas is not None:
        yield canvas
        return
    text = text_of(frame.message)
    if text:
        tool = frame.message.recipient
        payload = Interaction(
            text=_described(frame.message, text), time=frame.time, channel="tool-call",
            direction=Direction.INTERNAL, thread=frame.thread,
        )  # fmt: skip
        yield frame.by_agent(payload, {"tool": tool[:500]})


def _described(message: Message, text: str) -> str:
    """A call in a line: the tool, and what tells most of what it is asked for."""
    arguments = arguments_of(message)
    stated = (as_text(arguments.get(name)) for name in _MAIN_ARGUMENTS)
    told = next((one for one in stated if one), text)
    return f"{message.recipient}: {told}"[:_LONGEST_CALL]


def _canvas(frame: Frame) -> Draft | None:
    """The document that the model makes or changes beside the conversation."""
    action = frame.message.recipient.removeprefix(_CANVAS)
    if not frame.message.recipient.startswith(_CANVAS):
        return None
    arguments = arguments_of(frame.message)
    created = action == "create_textdoc"
    written = as_text(arguments.get("content")) if created else _replaced(arguments.get("updates"))
    if written is None:
        return None
    text, cut = capped(written)
    payload = Artifact(
        text=text,
        time=frame.time,
        kind="canvas",
        action="created" if created else "modified",
        title=as_text(arguments.get("name")),
    )
    return frame.by_agent(payload, cut)


def _replaced(updates: JsonValue) -> str | None:
    """What a change puts into a document."""
    listed = updates if isinstance(updates, list) else []
    stated = (as_text(as_object(one).get("replacement")) for one in listed)
    return "\n".join(one for one in stated if one) or None


def _tool(frame: Frame) -> Iterator[Draft]:
    message = frame.message
    pictures = pictures_of(message)
    for number, picture in enumerate(pictures):
        yield _picture(frame, number, picture)
    text, cut = capped(_found(message))
    if not text:
        return
    outcome = _outcome(message)
    payload = Finding(
        text=text,
        time=frame.time,
        tool=message.tool,
        outcome=outcome,
        severity=Severity.NEGATIVE if outcome == "failure" else Severity.NEUTRAL,
        evidence=as_text(message.content.get("url")),
    )
    yield frame.by_tool(payload, cut, _origin(message), f"#{len(pictures)}" if pictures else "")


def _found(message: Message) -> str:
    """What a tool says; of a page of the web its title, and what was cited of it."""
    if message.content_type != "sonic_webpage":
        return text_of(message)
    stated = [as_text(message.content.get(name)) for name in ("title", "snippet")]
    told = "\n".join(one for one in stated if one)
    return told or text_of(message)


def _picture(frame: Frame, number: int, picture: dict[str, JsonValue]) -> Draft:
    made_of = as_object(as_object(picture.get("metadata")).get("dalle"))
    uri = as_text(picture.get("asset_pointer"))
    text, cut = capped(as_text(made_of.get("prompt")) or f"Picture {uri or ''}".strip())
    payload = Artifact(text=text, time=frame.time, kind="picture", uri=uri, action="created")
    return frame.by_tool(payload, cut, Origin.SEMI_TRUSTED, f"#{number}" if number else "")


def _outcome(message: Message) -> Literal["success", "failure"] | None:
    if message.content_type == "system_error":
        return "failure"
    status = as_text(as_object(message.metadata.get("aggregate_result")).get("status"))
    if status is None:
        return None
    return "success" if status == "success" else "failure"


def _origin(message: Message) -> Origin:
    """Pages of the web are written by anybody."""
    by_web = (message.tool or "").split(".")[0] in _WEB_TOOLS
    is_foreign = by_web or message.content_type in PAGES
    return Origin.THIRD_PARTY if is_foreign else Origin.SEMI_TRUSTED
