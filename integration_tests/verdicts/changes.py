"""Changes that people state under another name than before: a set of our own, labelled."""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

from cortex_memory.clock import SystemClock
from pydantic import JsonValue
from roxabi_contracts.event import JsonBody, RawEvent
from samples import MESSAGE, owner

PROJECT: Final = "changes"
SAID_FIRST: Final = SystemClock().now() - timedelta(days=3)


@dataclass(frozen=True, slots=True)
class Saying:
    """A value under a name, in somebody's words."""

    name: str
    value: str
    words: str


@dataclass(frozen=True, slots=True)
class Change:
    """Somebody says one thing, and later another under a name that means the same.

    `tier` is what has to find out that the names are one: the catalogue's synonyms, their words,
    or a model of their meaning; `none`: nothing does. The later saying is a `supersede`, a
    `create` that contradicts, or one that `replace`s the former value by name.
    """

    number: int
    tier: str
    language: str
    change: str
    old: Saying
    new: Saying

    @property
    def who(self) -> str:
        """Whose memory it goes to: everybody has one change."""
        return f"person-{self.number}@example.org"

    def events(self) -> Iterator[RawEvent]:
        """Both sayings, a day apart, not long ago: what changes often is soon out of date."""
        yield self._event(0, self.old, {})
        stated: dict[str, JsonValue] = {"action": "supersede"}
        if self.change == "create":
            stated = {}
        elif self.change == "replace":
            stated = {"replaces": self.old.value}
        yield self._event(1, self.new, stated)

    def _event(self, day: int, said: Saying, stated: dict[str, JsonValue]) -> RawEvent:
        at = SAID_FIRST + timedelta(days=day)
        claim: dict[str, JsonValue] = {
            "about": 0,
            "predicate": said.name,
            "value": {"value": said.value},
            "evidence": said.words,
            **stated,
        }
        content: dict[str, JsonValue] = {
            "id": f"{self.number}-{day}",
            "text": said.words,
            "at": at.isoformat(),
            "author": "owner",
            "claims": [claim],
        }
        return RawEvent(
            project=PROJECT,
            source=MESSAGE,
            source_ref=f"{self.number}-{day}",
            media_type="application/json",
            body=JsonBody(content=content),
            occurred_at=at,
            owner=owner(self.who),
        )


def read_changes() -> list[Change]:
    """All of the set, in the order of the file."""
    text = Path(__file__).with_name("changes.csv").read_text("utf-8")
    return [_change(number, row) for number, row in enumerate(csv.DictReader(text.splitlines()))]


def _change(number: int, row: dict[str, str]) -> Change:
    old, new = (
        Saying(*(row[f"{which}_{part}"] for part in ("name", "value", "words")))
        for which in ("old", "new")
    )
    return Change(number, row["tier"], row["language"], row["change"], old, new)


def report(changes: Iterable[Change], tiers: dict[int, str], leaked: dict[int, bool]) -> str:
    """What carried how many of the changes, and how many old values were served beside the new."""
    known = list(changes)
    lines = [f"{'tier':<10}{'changes':>8}{'share':>8}{'old beside new':>16}"]
    for tier in ("exact", "synonym", "words", "meaning", "none"):
        ours = [each for each in known if tiers[each.number] == tier]
        share = len(ours) / len(known)
        served = sum(leaked[each.number] for each in ours)
        lines.append(f"{tier:<10}{len(ours):>8}{share:>8.1%}{served:>16}")
    return "\n".join(lines)
