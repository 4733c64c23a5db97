"""Who says what in a record: much of what stands as the user's the program puts there itself."""

import re
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue
from roxabi_contracts.payloads import Attachment

from cortex_insight.parsers.codex.record import COMPLETED, EVENT, ITEM, Fields, Record
from cortex_insight.parsers.records import as_object, as_text

_PROGRAM_SPEAKS: Final = re.compile(
    r"\s*(?:# AGENTS\.md instructions\b|<(?:apps_instructions|collaboration_mode"
    r"|environment_context|goal_context|hook_prompt|INSTRUCTIONS|model_switch"
    r"|permissions instructions|personality_spec|plugins_instructions|realtime_conversation"
    r"|recommended_plugins|skill|skills_instructions|subagent_notification|turn_aborted"
    r"|user_action|user_instructions)\b)"
)
"""How a text begins that no person wrote."""
_SHELL: Final = re.compile(r"\s*<user_shell_command>\s*<command>\s*(.*?)\s*</command>", re.DOTALL)
_REQUEST: Final = re.compile(r"^## My request for Codex:[ \t]*$", re.MULTILINE)
_EDITOR: Final = "# Context from my IDE setup:"
_PICTURE_TAG: Final = re.compile(r"\s*</?image\b[^>]{0,500}>\s*")
_PLAIN: Final = (None, "plain")
_OF_USER: Final = "user"
_OF_AGENT: Final = "assistant"


@dataclass(frozen=True)
class Said:
    """A message, by whomever."""

    by_user: bool
    """It stands as the user's; a person need not have written it."""
    texts: tuple[str, ...]
    files: tuple[Attachment, ...] = ()

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(self.texts).strip()


@dataclass(frozen=True)
class Speech:
    """What a person wrote."""

    text: str
    is_prose: bool
    """False: a command, in which nobody speaks of themself."""


def said_in(record: Record) -> Said | None:
    """The message that a record is; null: it is none."""
    if record.kind == ITEM and record.type == "message":
        role = as_text(record.payload.get("role"))
        blocks = _blocks(record.payload.get("content"))
        return _said(role, blocks)
    if record.kind != EVENT:
        return None
    if record.type == "user_message":
        is_plain = record.payload.get("kind") in _PLAIN
        return _said(_OF_USER if is_plain else None, [record.payload, *_pictures(record.payload)])
    if record.type == "agent_message":
        return _said(_OF_AGENT, [record.payload])
    return _completed(record.item) if record.type == COMPLETED else None


def _completed(item: Fields) -> Said | None:
    kind = (as_text(item.get("type")) or "").casefold()
    if kind == "usermessage":
        return _said(_OF_USER, _blocks(item.get("content")))
    if kind == "agentmessage":
        return _said(_OF_AGENT, _blocks(item.get("content")))
    return _said(_OF_AGENT, [item]) if kind == "plan" else None


def _said(role: str | None, blocks: list[Fields]) -> Said | None:
    if role not in (_OF_USER, _OF_AGENT):
        return None
    stated = (as_text(block.get("text")) or as_text(block.get("message")) for block in blocks)
    texts = tuple(text for text in stated if text and not _PICTURE_TAG.fullmatch(text))
    files = tuple(file for block in blocks if (file := _file(block)))
    return Said(role == _OF_USER, texts, files)


def _blocks(content: JsonValue) -> list[Fields]:
    listed = content if isinstance(content, list) else [content]
    return [{"text": one} if isinstance(one, str) else as_object(one) for one in listed]


def _pictures(payload: Fields) -> list[Fields]:
    """What an event tells of pictures beside its text, as blocks."""
    found: list[Fields] = []
    for name, field in (("images", "image_url"), ("local_images", "path")):
        listed = payload.get(name)
        found += [{"type": "image", field: one} for one in
                  (listed if isinstance(listed, list) else [])]  # fmt: skip
    return found


def _file(block: Fields) -> Attachment | None:
    """A picture, which lies in the block itself or at a path."""
    if "image" not in (as_text(block.get("type")) or ""):
        return None
    path, url = as_text(block.get("path")), as_text(block.get("image_url"))
    if path:
        return Attachment(name=path.replace("\\", "/").rsplit("/", 1)[-1][:500])
    if url is None:
        return None
    if url.startswith("data:"):
        return Attachment(media_type=url[5:100].split(";")[0] or None)
    return Attachment(uri=url[:2000])


def human_speech(said: Said) -> Speech | None:
    """What a person wrote in a message that stands as the user's; null: nobody did."""
    parts = [part for text in said.texts if (part := _unwrapped(text))]
    if len(parts) == 1:
        return parts[0]
    text = "\n".join(part.text for part in parts).strip()
    return Speech(text, is_prose=all(part.is_prose for part in parts)) if text else None


def _unwrapped(text: str) -> Speech | None:
    shell = _SHELL.match(text)
    if shell:
        return Speech(f"! {shell[1]}", is_prose=False) if shell[1] else None
    if _PROGRAM_SPEAKS.match(text):
        return None
    request = _REQUEST.search(text) if text.lstrip().startswith(_EDITOR) else None
    words = (text[request.end() :] if request else text).strip()
    return Speech(words, is_prose=True) if words else None
