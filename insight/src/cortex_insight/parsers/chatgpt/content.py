"""What a message of ChatGPT says and brings, whatever shape it is in."""

import re
from enum import Enum, auto
from typing import Final

from pydantic import JsonValue
from roxabi_contracts.payloads import Attachment

from cortex_insight.parsers.chatgpt.record import EVERYBODY, Message
from cortex_insight.parsers.records import as_object, as_text, read_json

_CITATION: Final = re.compile(
    "\ue200[^\ue200\ue201]*\ue201|【[^【】]{0,200}†[^【】]{0,200}】"
    r"|:contentReference\[[^\]]{0,100}\]\{[^}]{0,100}\}"
)
"""Marks that the program shows as links; what they point to stands in the metadata."""
_THOUGHT: Final = frozenset(("thoughts", "reasoning_recap"))
_SET_FOR_ALL: Final = frozenset(("user_editable_context", "model_editable_context"))
_SPOKEN: Final = frozenset(("text", "multimodal_text", "code"))
PAGES: Final = frozenset(("tether_quote", "tether_browsing_display", "sonic_webpage"))
_FOUND: Final = frozenset(("execution_output", "system_error", *PAGES))
_KNOWN: Final = _THOUGHT | _SET_FOR_ALL | _SPOKEN | _FOUND
_QUIET_ROLES: Final = frozenset(("system", "developer"))
_KNOWN_ROLES: Final = frozenset(("user", "assistant", "tool", *_QUIET_ROLES))
_QUIET_TOOLS: Final = ("bio", "canmore", "guardian_tool")
"""They answer that they did what they were told to."""
_NOTES_TO_MODEL: Final = ("DALL·E displayed", "GPT-4o returned", "Model set context updated")
_PICTURE: Final = "image_asset_pointer"
_SOUND: Final = frozenset(
    ("audio_asset_pointer", "audio_transcription", "real_time_user_audio_video_asset_pointer",
     "video_container_asset_pointer")
)  # fmt: skip


class Voice(Enum):
    """Who speaks in a message."""

    OWNER = auto()
    AGENT = auto()
    CALL = auto()
    """The agent, to a tool."""
    TOOL = auto()
    NOBODY = auto()
    """The program, to the model; or the model, to itself."""


def voice_of(message: Message) -> Voice:
    """Who speaks."""
    if message.is_hidden or message.content_type in _THOUGHT | _SET_FOR_ALL:
        return Voice.NOBODY
    if message.role == "user":
        return Voice.OWNER
    if message.role == "assistant":
        return Voice.AGENT if message.recipient == EVERYBODY else Voice.CALL
    if message.role != "tool" or _is_reasoning(message):
        return Voice.NOBODY
    is_quiet = (message.tool or "").split(".")[0] in _QUIET_TOOLS
    return Voice.NOBODY if is_quiet else Voice.TOOL


def _is_reasoning(message: Message) -> bool:
    """Whether a tool of no fixed name reports how the model thinks."""
    return {"initial_text", "finished_text"} <= message.metadata.keys()


def unknown_types(message: Message) -> dict[str, int]:
    """What of a message has no known meaning, with its count."""
    unknown = [] if message.role in _KNOWN_ROLES else [f"role:{message.role}"]
    if message.content_type not in _KNOWN:
        unknown.append(f"content:{message.content_type}")
    for part in message.parts:
        kind = as_text(as_object(part).get("content_type"))
        if kind and kind != _PICTURE and kind not in _SOUND:
            unknown.append(f"part:{kind}")
    return {name[:200]: unknown.count(name) for name in unknown}


def text_of(message: Message) -> str:
    """The words of a message, without marks that only the program reads."""
    content = message.content
    said = [one for part in message.parts if (one := _text_of_part(part))]
    for name in ("text", "result", "summary"):
        if said:
            break
        said = [stated] if (stated := as_text(content.get(name))) else []
    if message.role == "tool":
        said = [one for one in said if not one.strip().startswith(_NOTES_TO_MODEL)]
    text = "\n".join(said)
    return text.strip() if message.role == "user" else _CITATION.sub("", text).strip()


def _text_of_part(part: JsonValue) -> str | None:
    """A text, or what was heard in a recording."""
    return as_text(as_object(part).get("text")) if isinstance(part, dict) else as_text(part)


def pictures_of(message: Message) -> list[dict[str, JsonValue]]:
    """The pictures in its content."""
    found = map(as_object, message.parts)
    return [one for one in found if one.get("content_type") == _PICTURE]


def attachments_of(message: Message) -> tuple[Attachment, ...]:
    """The files and pictures that come with it, each once."""
    pictures = {_asset(one): one for one in pictures_of(message)}
    listed = message.metadata.get("attachments")
    files = [as_object(one) for one in (listed if isinstance(listed, list) else [])]
    found = [_attachment(one, pictures.pop(as_text(one.get("id")), {})) for one in files if one]
    return (*found, *(_attachment({}, one) for one in pictures.values()))


def _asset(picture: dict[str, JsonValue]) -> str | None:
    """The id of a picture, at the end of its pointer."""
    pointer = as_text(picture.get("asset_pointer"))
    return pointer.split("://")[-1].split("#")[0] if pointer else None


def _attachment(file: dict[str, JsonValue], picture: dict[str, JsonValue]) -> Attachment:
    media_type = as_text(file.get("mime_type")) or as_text(file.get("mimeType"))
    size = file.get("size") or picture.get("size_bytes")
    return Attachment(
        name=as_text(file.get("name")),
        media_type=media_type,
        size=size if isinstance(size, int) and size > 0 else None,
        uri=as_text(picture.get("asset_pointer")),
    )


def arguments_of(message: Message) -> dict[str, JsonValue]:
    """What a tool is called with, where that is an object in JSON."""
    try:
        return as_object(read_json(text_of(message).encode()))
    except ValueError:
        return {}


def says_something(message: Message) -> bool:
    """Whether an observation comes of it."""
    if voice_of(message) is Voice.NOBODY:
        return False
    return bool(text_of(message) or pictures_of(message) or message.metadata.get("attachments"))
