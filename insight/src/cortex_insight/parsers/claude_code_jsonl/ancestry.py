"""What a record follows: the nearest one above it that says something."""

from collections import deque
from typing import Final

from pydantic import JsonValue

from cortex_insight.parsers.claude_code_jsonl.answers import answer_key, blocks_told
from cortex_insight.parsers.claude_code_jsonl.record import Record, block_ref
from cortex_insight.parsers.claude_code_jsonl.speech import (
    human_speech,
    is_summary,
    queued_prompt,
    unwrapped,
)
from cortex_insight.parsers.records import as_text

FOLLOWS: Final = "follows"

_REMEMBERED: Final = 64
"""Records of one answer."""
_SPOKEN_BLOCKS: Final = ("tool_use", "tool_result")


class Ancestry:
    """The records of a file as far as it was read."""

    def __init__(self) -> None:
        self._stands_for: dict[str, str | None] = {}
        """By uuid, where it is not the record's own first block that those below it follow."""
        self._answer: deque[Record] = deque(maxlen=_REMEMBERED)
        self._answer_key: str | None = None

    def place(self, record: Record, episode: str | None) -> dict[str, JsonValue]:
        """Take in the next record; what it follows, where that is not the one that it names."""
        above = record.above
        stated = f"{above}#0" if above else None
        follows = self._stands_for.get(above, stated) if above else None
        uuid = record.text("uuid")
        if uuid:
            ref = self._spoken(record, episode) or follows
            if ref != f"{uuid}#0":
                self._stands_for[uuid] = ref
        return {} if follows == stated else {FOLLOWS: follows}

    def _spoken(self, record: Record, episode: str | None) -> str | None:
        """The first block of a record that says something."""
        for told_record, index in self._told(record, episode):
            if _speaks(told_record, index):
                return block_ref(told_record, index)
        return None

    def _told(self, record: Record, episode: str | None) -> list[tuple[Record, int]]:
        key = answer_key(record, episode)
        if key is None:
            return [(record, index) for index in range(len(record.blocks))]
        if key != self._answer_key:
            self._answer.clear()
        self._answer_key = key
        self._answer.append(record)
        told = blocks_told(self._answer)
        return [(one.record, one.index) for one, keys in told if record.key in keys]


def _speaks(record: Record, index: int) -> bool:
    if record.type == "attachment":
        return unwrapped(queued_prompt(record) or "") is not None
    if record.type == "system":
        return record.text("subtype") == "api_error"
    if record.type not in ("user", "assistant") or index >= len(record.blocks):
        return False
    block = record.blocks[index]
    text = as_text(block.get("text"))
    if block.get("type") != "text" or text is None:
        return block.get("type") in _SPOKEN_BLOCKS
    if record.type == "assistant" or is_summary(record, text):
        return True
    return human_speech(record, text) is not None or (record.by_agent and not record.flag("isMeta"))
