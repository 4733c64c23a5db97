"""The one rendering of a packet for a prompt; packing counts what is written here."""

import json
import re
from typing import Final

from pydantic import JsonValue

from roxabi_contracts.base import JsonObject
from roxabi_contracts.context import ContextPacket, PacketEpisode, PacketFact

_STEERING: Final = re.compile("[\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069]")


def count_tokens(text: str) -> int:
    """The price of a text: a quarter of its length in characters, at least one."""
    return max(1, len(text) // 4)


def render_fact(fact: PacketFact) -> str:
    """One line: who, what, and since when."""
    who = fact.about_name or fact.about
    notes = [f"{name} {_plain(value)}" for name, value in sorted(fact.qualifiers.items())]
    if fact.valid_from is not None:
        notes.append(f"since {fact.valid_from.date().isoformat()}")
    if fact.valid_until is not None:
        notes.append(f"until {fact.valid_until.date().isoformat()}")
    if fact.stale:
        notes.append("not confirmed lately")
    suffix = f" ({', '.join(notes)})" if notes else ""
    name = fact.predicate.replace("_", " ")
    return one_line(f"- {who}: {name}: {render_value(fact.value)}{suffix}")


def render_episode(episode: PacketEpisode) -> str:
    """One line: when, who, and the excerpt."""
    who = f" {episode.who}" if episode.who else ""
    day = episode.occurred_at.date().isoformat()
    return one_line(f"- [{day} {episode.kind}]{who}: {episode.excerpt}")


def render_value(value: JsonObject) -> str:
    """A value as a reader would write it: `{"value": x}` is x."""
    if set(value) == {"value"}:
        return _plain(value["value"])
    return ", ".join(f"{key} {_plain(part)}" for key, part in sorted(value.items()))


def render_packet(packet: ContextPacket) -> str:
    """The packet as text for a prompt; the empty string where there is nothing to say."""
    sections = []
    if packet.facts:
        sections.append("\n".join(["Facts:", *map(render_fact, packet.facts)]))
    if packet.episodes:
        sections.append("\n".join(["Episodes:", *map(render_episode, packet.episodes)]))
    if not sections:
        return ""
    sections.extend(f"Warning: {warning}" for warning in packet.warnings)
    return "\n\n".join(sections)


def _plain(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def one_line(text: str) -> str:
    """Text that others wrote, as one line that cannot act on what shows it.

    It loses what steers a terminal or turns the direction of writing.
    """
    return " ".join(_STEERING.sub("", text).split())
