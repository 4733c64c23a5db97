"""The sources that can be imported, and what the lake holds of each."""

import json
from collections.abc import Mapping, Sequence

from rich.table import Table
from roxabi_contracts.client import Connection, LakeClient
from roxabi_contracts.operations import ModelUsage, SourcesReply, SourcesRequest, SourceStats

from cortex_local.cli.console import (
    JsonOption,
    ProjectOption,
    answers,
    environment,
    messages,
)
from cortex_local.cli.requests import as_operator, build
from cortex_local.errors import StackNotRunning
from cortex_local.health import DEFAULT_PROJECT
from cortex_local.importing import KnownSource, known_sources


def sources(project: ProjectOption = DEFAULT_PROJECT, as_json: JsonOption = False) -> None:
    """List the sources that can be imported, and what came of each so far.

    Another source is a package with an entry point of the group cortex_insight.parsers.

    Example: cortex sources
    """
    known = known_sources(environment())
    held = _held(project)
    stats = {one.source: one for one in held.sources} if held else {}
    if as_json:
        _print_json(known, stats)
        return
    table = Table("source", "events", "observations", "rejected", "what it reads", box=None)
    for source in known:
        table.add_row(source.source, *_counts(stats.pop(source.source, None)), source.title)
    for name, one in sorted(stats.items()):
        table.add_row(name, *_counts(one), "nobody here reads it")
    answers.print(table)
    for one in held.sources if held else ():
        for kind, count in sorted(one.record_types.items()):
            messages.print(f"  {one.source}: {count} x unknown record type {kind}", markup=False)
        for kind, count in sorted(one.redactions.items()):
            messages.print(f"  {one.source}: {count} x secret taken out, {kind}", markup=False)
    if held and held.model:
        waiting = sum(queue.waiting or 0 for queue in held.queues if queue.name == "questions")
        messages.print(model_line(held.model, waiting), markup=False)


def model_line(usage: ModelUsage, waiting: int) -> str:
    """What the lake's model was asked, and what it is still to be asked."""
    tokens = usage.input_tokens + usage.output_tokens
    parts = [f"{usage.model} was asked {usage.requests} times, {tokens} tokens"]
    if usage.cost is not None:
        parts.append(f"{usage.cost:.2f} by the configured prices")
    parts.append(f"{waiting} texts wait for it")
    if usage.paused_until is not None:
        parts.append(f"today's tokens are spent, it goes on at {usage.paused_until:%Y-%m-%d %H:%M}")
    return ", ".join(parts) + "."


def _held(project: str) -> SourcesReply | None:
    """What the lake holds; null: no stack runs here."""
    request = build(SourcesRequest, project=project)

    async def ask(connection: Connection) -> SourcesReply:
        return await LakeClient(connection).sources(request)

    try:
        return as_operator(ask)
    except StackNotRunning:
        messages.print("No stack runs here: what was imported is not counted.")
        return None


def _counts(stats: SourceStats | None) -> tuple[str, str, str]:
    if stats is None:
        return "", "", ""
    return str(stats.events), str(stats.observations), str(stats.rejected)


def _print_json(known: Sequence[KnownSource], stats: Mapping[str, SourceStats]) -> None:
    names = {source.source: source for source in known}
    for name in sorted(names.keys() | stats.keys()):
        title = names[name].title if name in names else None
        held = stats[name].model_dump(mode="json") if name in stats else None
        answers.print(
            json.dumps({"source": name, "title": title, "held": held}), markup=False, soft_wrap=True
        )
