"""What of a user record a person wrote: much of it the program puts there itself."""

import re
from dataclasses import dataclass
from typing import Final

from cortex_insight.parsers.claude_code_jsonl.record import Record, text_of
from cortex_insight.parsers.records import as_object, as_text

_ENVELOPES: Final = ("system-reminder", "ide_opened_file", "ide_selection", "ide_diagnostics")
"""Tags that are put before a prompt; only there are they removed, a person may quote them."""

_PROGRAM_SPEAKS: Final = (
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<local-command-caveat>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "<teammate-message",
    "<user-prompt-submit-hook>",
    "Caveat: The messages below",
    "[Request interrupted",
    "[Image: ",
    "Stop hook feedback:",
)
_SUMMARY: Final = "This session is being continued"

_COMMAND: Final = re.compile(r"<command-name>\s*(/?[^<\s]{1,100})\s*</command-name>")
_ARGUMENTS: Final = re.compile(r"<command-args>([^<]*(?:<(?!/command-args>)[^<]*)*)</command-args>")
_SHELL: Final = re.compile(r"<bash-input>([^<]*(?:<(?!/bash-input>)[^<]*)*)</bash-input>")
_CONTROL: Final = frozenset(
    f"/{name}"
    for name in (
        "clear", "compact", "config", "context", "cost", "doctor", "exit", "help", "ide", "login",
        "logout", "mcp", "memory", "model", "permissions", "quit", "resume", "rewind", "status",
        "theme", "usage", "vim",
    )
)  # fmt: skip
"""Commands that steer the program and tell nothing."""


@dataclass(frozen=True)
class Speech:
    """What a person wrote."""

    text: str
    is_prose: bool
    """False: a command, in which nobody speaks of themself."""


def is_summary(record: Record, text: str) -> bool:
    """Whether the text is the program's summary of earlier records."""
    return record.flag("isCompactSummary") or text.lstrip().startswith(_SUMMARY)


def human_speech(record: Record, text: str) -> Speech | None:
    """What a person wrote in a text of a user record; null: nobody did."""
    if record.flag("isMeta") or record.by_agent or is_summary(record, text):
        return None
    return unwrapped(text)


def is_prompt(record: Record) -> bool:
    """Whether a person asks something in it."""
    texts = (as_text(block.get("text")) for block in record.blocks if block.get("type") == "text")
    return record.type == "user" and any(human_speech(record, text) for text in texts if text)


def queued_prompt(record: Record) -> str | None:
    """What a person typed while the agent was at work, as an attachment tells; null: it is none."""
    attachment = as_object(record.fields.get("attachment"))
    if attachment.get("type") != "queued_command" or record.by_agent:
        return None
    if attachment.get("commandMode") not in (None, "prompt"):
        return None
    return text_of(attachment.get("prompt")) or None


def unwrapped(text: str) -> Speech | None:
    """What a person wrote, without what the program put around it; null: nothing."""
    said = _without_envelopes(text)
    if said.startswith(("<command-name>", "<command-message>")):
        return _command(said)
    shell = _SHELL.match(said)
    if shell:
        command = shell[1].strip()
        return Speech(f"! {command}", is_prose=False) if command else None
    if not said or said.startswith(_PROGRAM_SPEAKS):
        return None
    return Speech(said, is_prose=True)


def _without_envelopes(text: str) -> str:
    said = text.strip()
    while True:
        tag = next((tag for tag in _ENVELOPES if said.startswith(f"<{tag}>")), None)
        if tag is None:
            return said
        _, closing, rest = said.partition(f"</{tag}>")
        if not closing:
            return ""
        said = rest.lstrip()


def _command(said: str) -> Speech | None:
    name = _COMMAND.search(said)
    if name is None or name[1] in _CONTROL:
        return None
    arguments = _ARGUMENTS.search(said)
    words = arguments[1].strip() if arguments else ""
    return Speech(f"{name[1]} {words}".strip(), is_prose=False)
