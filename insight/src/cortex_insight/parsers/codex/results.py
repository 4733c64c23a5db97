"""What a tool answered: its words, whether it did what it was asked for, and files it changed."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import JsonValue

from cortex_insight.parsers.codex.record import Fields, Record
from cortex_insight.parsers.records import as_object, as_text, read_json

Outcome = Literal["success", "failure"] | None
Action = Literal["created", "modified", "deleted"]

_CODE: Final = re.compile(r"^(?:Exit code: |Process exited with code )(-?\d+)\s*$", re.MULTILINE)
_OUTPUT: Final = re.compile(r"^Output:[ \t]*\n?", re.MULTILINE)
_HEADER_AT_MOST: Final = 600
_FAILED: Final = ("apply_patch verification failed", "execution error", "failed to", "unsupported")
_BEGIN: Final = "*** Begin Patch"
_FILE: Final = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+?)[ \t]*$", re.MULTILINE)
_MOVED: Final = re.compile(r"^\*\*\* Move to: (.+?)[ \t]*$", re.MULTILINE)
_ACTIONS: Final[dict[str, Action]] = {
    "Add": "created", "Update": "modified", "Delete": "deleted",
}  # fmt: skip
_LONGEST_CALL: Final = 2_000
_MAIN: Final = ("cmd", "command", "query", "path", "prompt", "message", "explanation", "url")


@dataclass(frozen=True)
class Output:
    """What a tool answered."""

    text: str
    outcome: Outcome


@dataclass(frozen=True)
class Change:
    """What a patch does to a file."""

    path: str
    action: Action
    text: str


def output_of(record: Record) -> Output:
    """What a tool answered, in whichever shape the version of the program wrote it."""
    return _read(record.payload.get("output"))


def _read(value: JsonValue) -> Output:
    if isinstance(value, list):
        texts = (as_text(as_object(one).get("text")) for one in value)
        return _read("\n".join(text for text in texts if text))
    if isinstance(value, dict):
        return _of_object(value)
    text = as_text(value) or ""
    inner = _object(text)
    return _of_object(inner) if {"output", "metadata"} <= inner.keys() else _of_text(text)


def _of_object(fields: Fields) -> Output:
    said = fields.get("output", fields.get("content_items", fields.get("content")))
    inner = _read(said) if isinstance(said, str | list) else Output("", None)
    code = as_object(fields.get("metadata")).get("exit_code")
    if isinstance(code, int):
        return Output(inner.text, "success" if code == 0 else "failure")
    succeeded = fields.get("success")
    if isinstance(succeeded, bool):
        return Output(inner.text, "success" if succeeded else "failure")
    return inner


def _of_text(text: str) -> Output:
    """The output below the lines in which the program tells how it ended."""
    output = _OUTPUT.search(text, 0, _HEADER_AT_MOST)
    code = _CODE.search(text, 0, output.start() if output else _HEADER_AT_MOST)
    if code is not None:
        said = text[output.end() :] if output else text
        return Output(said.strip(), "success" if int(code[1]) == 0 else "failure")
    return Output(text.strip(), "failure" if text.startswith(_FAILED) else None)


def tool_of(call: Record) -> str:
    """The name of what is called."""
    stated = as_text(call.payload.get("name"))
    return stated or call.type.removesuffix("_call")


def describe_call(call: Record) -> str:
    """A call in a line: the tool, and what tells most of what it is asked for."""
    told = _asked(call)
    return f"{tool_of(call)}: {told}"[:_LONGEST_CALL] if told else tool_of(call)


def _asked(call: Record) -> str:
    changed = changes_of(call, None)
    if changed:
        return ", ".join(dict.fromkeys(change.path for change in changed))
    raw = as_text(call.payload.get("arguments")) or as_text(call.payload.get("input")) or ""
    arguments = arguments_of(call)
    for name in _MAIN:
        value = arguments.get(name)
        if isinstance(value, list):
            value = " ".join(one for one in value if isinstance(one, str))
        if text := as_text(value):
            return text
    return raw or as_text(call.payload.get("revised_prompt")) or ""


def arguments_of(call: Record) -> Fields:
    """What is asked for, by name."""
    for name in ("arguments", "input", "action"):
        value = call.payload.get(name)
        found = _object(value) if isinstance(value, str) else as_object(value)
        if found:
            return found
    return {}


def changes_of(call: Record, cwd: str | None) -> list[Change]:
    """What a call changes in files, if it is a patch.

    Args:
        call: Of any tool; some pass the patch to a shell.
        cwd: Where paths begin that do not begin at the root.
    """
    patch = _patch(call)
    heads = list(_FILE.finditer(patch))
    ends = [*(head.start() for head in heads[1:]), len(patch)]
    changes: list[Change] = []
    for head, end in zip(heads, ends, strict=False):
        part = patch[head.start() : end].strip()
        moved = _MOVED.search(part)
        path = moved[1] if moved else head[2]
        changes.append(Change(_absolute(path, cwd), _ACTIONS[head[1]], part))
    return changes


def _patch(call: Record) -> str:
    told = [*arguments_of(call).values(), call.payload.get("input")]
    parts = [one for value in told for one in (value if isinstance(value, list) else [value])]
    texts = (one for one in parts if isinstance(one, str) and _BEGIN in one)
    text = next(texts, "")
    return text[text.find(_BEGIN) :].split("*** End Patch")[0] if text else ""


def _absolute(path: str, cwd: str | None) -> str:
    if cwd is None or path.startswith(("/", "~")) or re.match(r"[A-Za-z]:[\\/]", path):
        return path
    between = "\\" if "\\" in cwd and "/" not in cwd else "/"
    return f"{cwd.rstrip(between)}{between}{path.removeprefix('./')}"


def _object(text: str) -> Fields:
    if not text.lstrip().startswith("{"):
        return {}
    try:
        return as_object(read_json(text.encode()))
    except ValueError:
        return {}
