"""One answer of the model in several records: its blocks come apart, again, or as they grow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from cortex_insight.parsers.claude_code_jsonl.record import Record
from cortex_insight.parsers.records import as_text

Block = Mapping[str, JsonValue]


@dataclass(frozen=True)
class Told:
    """A block of an answer.

    Args:
        record: The first record that tells it.
        index: Its place in there.
        block: What it says at its longest.
    """

    record: Record
    index: int
    block: Block


def answer_key(record: Record, episode: str | None) -> str | None:
    """What the records of one answer share; null: the record is of none.

    Not every gateway gives its answers ids of their own, so the prompt counts, too.
    """
    message_id = as_text(record.message.get("id"))
    if record.type != "assistant" or message_id is None or record.is_api_error:
        return None
    place = record.text("promptId") or episode or record.session or ""
    return f"answer:{message_id}:{record.text('requestId') or ''}:{place}"


def blocks_told(records: Sequence[Record]) -> list[tuple[Told, frozenset[str]]]:
    """The blocks of an answer in the order of its records, each with the keys of all that tell it.

    Blocks of one record are never the same one: only another record repeats a block.
    """
    told: list[tuple[Told, frozenset[str]]] = []
    for record in sorted(records, key=moment):
        for index, block in enumerate(record.blocks):
            place = _place(told, record, block)
            if place is None:
                told.append((Told(record, index, block), frozenset({record.key})))
                continue
            known, keys = told[place]
            longest = block if _length(block) > _length(known.block) else known.block
            told[place] = (replace(known, block=longest), keys | {record.key})
    return told


def told_by(record: Record, records: Sequence[Record]) -> list[Record]:
    """What a record says of an answer: under the records that tell it first, without the rest."""
    mine = [told for told, keys in blocks_told(records) if record.key in keys]
    first = {told.record.key: told.record for told in mine}
    return [
        one.with_blocks({told.index: told.block for told in mine if told.record.key == key})
        for key, one in first.items()
    ]


def moment(record: Record) -> tuple[str, str]:
    """Where a record stands among those of its answer."""
    return record.text("timestamp") or "", record.key


def _place(told: Sequence[tuple[Told, frozenset[str]]], record: Record, block: Block) -> int | None:
    places = (
        place
        for place, (known, keys) in enumerate(told)
        if record.key not in keys and _is_same(known.block, block)
    )
    return next(places, None)


def _is_same(one: Block, other: Block) -> bool:
    if one.get("type") != other.get("type"):
        return False
    if one.get("type") == "text":
        texts = as_text(one.get("text")) or "", as_text(other.get("text")) or ""
        return all(texts) and (texts[0].startswith(texts[1]) or texts[1].startswith(texts[0]))
    call_id = as_text(one.get("id"))
    return call_id == as_text(other.get("id")) if call_id else one == other


def _length(block: Block) -> int:
    return len(as_text(block.get("text")) or str(block.get("input") or ""))
