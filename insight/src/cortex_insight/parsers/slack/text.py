"""The markup of Slack as the words that people see, and what of them is somebody else's."""

import html
import re
from collections.abc import Mapping
from typing import Final

from pydantic import JsonValue

from cortex_insight.parsers.records import as_object, as_text

_TOKEN: Final = re.compile(r"<([^<>\n]{1,4000})>")
MENTION: Final = re.compile(r"<@([UW][A-Z0-9]{2,20})(?:\|[^<>\n]*)?>")
_QUOTE: Final = re.compile(r"\s*(?:&gt;|>)(?!&gt;&gt;)\s?")
_REST_QUOTED: Final = "&gt;&gt;&gt;"
_DEEPEST: Final = 20


def plain(text: str, names: Mapping[str, str]) -> str:
    """The text with its tokens as people see them.

    Args:
        text: As Slack stores it.
        names: Of the users that it mentions, by id, as far as they are known.
    """
    return html.unescape(_TOKEN.sub(lambda found: _shown(found[1], names), text))


def divided(text: str) -> tuple[str, str]:
    """What the author says, and what they quote, still in markup."""
    said: list[str] = []
    quoted: list[str] = []
    rest = False
    for line in text.split("\n"):
        rest = rest or line.lstrip().startswith(_REST_QUOTED)
        mark = _QUOTE.match(line)
        if rest or mark:
            quoted.append(line.lstrip().removeprefix(_REST_QUOTED)[mark.end() if mark else 0 :])
        else:
            said.append(line)
    return "\n".join(said).strip(), "\n".join(quoted).strip()


def mentioned(text: str) -> tuple[str, ...]:
    """The ids of the users that a text mentions, in its order."""
    return tuple(dict.fromkeys(MENTION.findall(text)))


def text_of_blocks(blocks: JsonValue) -> str:
    """The text of a message that has it in blocks alone, in markup."""
    lines = [_block(one, 0) for one in (blocks if isinstance(blocks, list) else [])]
    return "\n".join(line for line in lines if line).strip()


def _shown(token: str, names: Mapping[str, str]) -> str:
    target, bar, label = token.partition("|")
    if target.startswith("@"):
        return f"@{names.get(target[1:]) or label or target[1:]}"
    if target.startswith("#"):
        return f"#{label or target[1:]}"
    if target.startswith("!"):
        return label if bar and label else f"@{target[1:].split('^')[0]}"
    return label if label else target.removeprefix("mailto:").removeprefix("tel:")


def _block(value: JsonValue, depth: int) -> str:
    one = as_object(value)
    if depth > _DEEPEST:
        return ""
    kind = one.get("type")
    if kind in ("text", "mrkdwn", "plain_text", "raw_text"):
        return as_text(one.get("text")) or ""
    if kind == "link":
        return as_text(one.get("text")) or as_text(one.get("url")) or ""
    if kind == "user":
        return f"<@{one.get('user_id')}>"
    if kind == "channel":
        return f"<#{one.get('channel_id')}>"
    if kind == "emoji":
        return f":{one.get('name')}:"
    inner = one.get("elements")
    parts = inner if isinstance(inner, list) else [one.get("text"), *_fields(one)]
    between = "" if kind in ("rich_text_section", "rich_text_quote") else "\n"
    told = between.join(text for part in parts if (text := _block(part, depth + 1)))
    return f"&gt; {told}" if kind == "rich_text_quote" and told else told


def _fields(one: Mapping[str, JsonValue]) -> list[JsonValue]:
    fields = one.get("fields")
    return fields if isinstance(fields, list) else []
