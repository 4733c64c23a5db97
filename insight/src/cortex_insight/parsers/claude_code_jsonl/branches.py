"""Branches of a session: which prompts the user took back, as far as the session says so."""

from collections.abc import Container
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import RawEvent

from cortex_insight.parsers.claude_code_jsonl.record import Record
from cortex_insight.parsers.claude_code_jsonl.speech import is_prompt

LEFT: Final = "left"
RETURNED: Final = "returned"
SEQUENCE: Final = "sequence"

_STATED_LEAF: Final = "last-prompt"


class Branches:
    """The records of a file as far as it was read, by what they follow.

    Two prompts below one record may both hold: two programs can go on with one session. Only a
    record that names the end of the current line tells which was taken back.
    """

    def __init__(self) -> None:
        self._nodes: dict[str, str | None] = {}
        self._prompts: dict[str, str] = {}
        self._parents: dict[str, str] = {}
        """By what they follow: the first prompt there."""
        self._is_branched = False
        """Where there is no branch, no line has to be followed."""
        self._left: set[str] = set()
        self._told = 0

    def place(self, record: Record, episode: str | None) -> dict[str, JsonValue]:
        """Take in the next record; which episodes are left or again current by it."""
        uuid, above = record.text("uuid"), record.above
        if uuid:
            self._nodes[uuid] = above
        if uuid and episode and is_prompt(record):
            self._prompts[uuid] = episode
            self._is_branched |= bool(above) and self._parents.setdefault(above or "", uuid) != uuid
        leaf = record.text("leafUuid") or ""
        if record.type != _STATED_LEAF or not self._is_branched or leaf not in self._nodes:
            return {}
        return self._line(leaf)

    def _line(self, leaf: str) -> dict[str, JsonValue]:
        off = self._off_line(leaf)
        kept = {episode for uuid, episode in self._prompts.items() if uuid not in off}
        left = {episode for uuid, episode in self._prompts.items() if uuid in off} - kept
        newly, returned = sorted(left - self._left), sorted(self._left - left)
        if not newly and not returned:
            return {}
        self._left = left
        self._told += 1
        return {LEFT: [*newly], RETURNED: [*returned], SEQUENCE: self._told}

    def _off_line(self, leaf: str) -> set[str]:
        """The prompts that branch off above the end of the line; below it none is chosen yet."""
        line = set(self._up_from(leaf, ()))
        is_off = dict.fromkeys(line, False)
        for prompt in self._prompts:
            path = self._up_from(prompt, is_off)
            met = self._nodes[path[-1]] if path else None
            verdict = met != leaf and (met in line or is_off.get(met or "", False))
            is_off.update(dict.fromkeys(path, verdict))
        return {prompt for prompt in self._prompts if is_off[prompt]}

    def _up_from(self, start: str, known: Container[str]) -> list[str]:
        """A record and those above it, up to the first known one; of a circle each once."""
        found: dict[str, None] = {}
        at: str | None = start
        while at in self._nodes and at not in found and at not in known:
            found[at] = None
            at = self._nodes[at]
        return list(found)


def told_lines(event: RawEvent) -> tuple[str, ...]:
    """The keys of the episodes of which an event tells whether they are left."""
    return tuple(f"line:{one}" for name in (LEFT, RETURNED) for one in _listed(event, name))


def is_left(event: RawEvent, episode: str) -> bool:
    """Whether an episode is left by what an event tells."""
    return episode in _listed(event, LEFT)


def branch_keys(record: Record) -> tuple[str, ...]:
    """What prompts share that follow the same record."""
    return (f"branch:{record.above}",) if record.above and is_prompt(record) else ()


def _listed(event: RawEvent, name: str) -> list[str]:
    stated = event.attributes.get(name)
    return [one for one in stated if isinstance(one, str)] if isinstance(stated, list) else []
