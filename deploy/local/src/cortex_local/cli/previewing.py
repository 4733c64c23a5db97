"""What an import would bring, summed up from what the lake's program reads."""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from cortex_local.cli.console import answers, environment, messages
from cortex_local.importing import ImportRequest, parsed_lines

EXAMPLES: Final = 2
"""Of each category of a source, so many texts are shown."""
_WIDTH: Final = 70


@dataclass
class Kind:
    """The observations of one category of a source."""

    count: int = 0
    first: int | None = None
    last: int | None = None
    examples: list[str] = field(default_factory=list[str])

    def add(self, observation: Mapping[str, Any]) -> None:
        """Count one."""
        self.count += 1
        moment = int(observation["timestamp"])
        self.first = moment if self.first is None else min(self.first, moment)
        self.last = moment if self.last is None else max(self.last, moment)
        text = " ".join(str(observation["payload_typed"]["text"]).split())
        if text and len(self.examples) < EXAMPLES:
            self.examples.append(text)


@dataclass
class Preview:
    """All that would come out."""

    kinds: dict[tuple[str, str], Kind] = field(default_factory=dict[tuple[str, str], Kind])
    claims: Counter[str] = field(default_factory=Counter[str])
    left_out: Counter[str] = field(default_factory=Counter[str])
    places: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, line: Mapping[str, Any]) -> None:
        """Count a line of the program's output."""
        if "payload_typed" in line:
            self.kinds.setdefault((line["source"], line["category"]), Kind()).add(line)
            self.claims.update(one["predicate"] for one in line["payload_typed"].get("claims", ()))
        elif "unknown_type" in line:
            self.left_out[f"unknown record type {line['unknown_type']}"] += int(line["count"])
        else:
            reason = line.get("skipped") or f"{line['rejected']}: {line['reason']}"
            self.left_out[reason] += 1
            if place := line.get("place"):
                self.places.setdefault(reason, place)


def show_preview(request: ImportRequest, *, as_json: bool) -> None:
    """Show what the files say, without a stack; nothing is stored or sent."""
    lines = parsed_lines(request, environment())
    if as_json:
        for line in lines:
            sys.stdout.write(line + "\n")
        return
    preview = sum_up(map(json.loads, lines))
    if preview.kinds:
        answers.print(_table(preview))
    else:
        messages.print("Nothing would come out.")
    if preview.claims:
        said = ", ".join(f"{count} {name}" for name, count in preview.claims.most_common())
        answers.print(f"Claims read by rules: {said}.")
    for reason, count in preview.left_out.most_common():
        place = f": {preview.places[reason]}" if reason in preview.places else ""
        messages.print(f"  {count} x {reason}{place}", markup=False)


def sum_up(lines: Iterable[Mapping[str, Any]]) -> Preview:
    """The preview of all lines."""
    preview = Preview()
    for line in lines:
        preview.add(line)
    return preview


def _table(preview: Preview) -> Table:
    table = Table("source", "category", "count", "from", "to", "for example", box=None)
    for (source, category), kind in sorted(preview.kinds.items()):
        example = Text("\n".join(one[:_WIDTH] for one in kind.examples))
        table.add_row(source, category, str(kind.count), _day(kind.first), _day(kind.last), example)
    return table


def _day(moment: int | None) -> str:
    if moment is None:
        return ""
    return datetime.fromtimestamp(moment / 1_000, tz=UTC).date().isoformat()
