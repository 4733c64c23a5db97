"""Measure how well names of predicates are matched, and store the limit of each model."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated

import typer

from cortex_memory.calibrate.cascade import cascade_report, without_catalogue
from cortex_memory.calibrate.distances import (
    distances_file,
    distances_json,
    measure_distances,
    read_distances,
)
from cortex_memory.calibrate.families import Split, labelled_pairs
from cortex_memory.calibrate.installed_models import installed_embedders
from cortex_memory.calibrate.limits import (
    StoredLimit,
    limit_of,
    limits_file,
    limits_toml,
    read_limits,
    without_limit,
)
from cortex_memory.calibrate.measure import Measured, choose_limit, undecided
from cortex_memory.calibrate.report import distance_table
from cortex_memory.calibrate.shipped import shipped_data
from cortex_memory.embed.opening import Kind, open_embedder
from cortex_memory.embed.port import Embedder
from cortex_memory.retain.match_names import DistanceWanted

Say = Callable[[str], None]


def calibrate(embedders: Iterable[Embedder], folder: Path, say: Say) -> None:
    """Measure each model and the cascade with it; write its limit and distances into `folder`."""
    for embedder in embedders:
        say(f"== {embedder.name} ({embedder.digest[:12]}) ==\n")
        asked = undecided(labelled_pairs(), without_catalogue())
        measured = _measured(embedder, {wanted for _, wanted in asked}, folder)
        found = [Measured(pair, measured[wanted]) for pair, wanted in asked]
        say(distance_table(found))
        chosen = [item for item in found if item.pair.split is Split.CALIBRATION]
        _store(embedder, chosen, folder, say)
        limit = limit_of(embedder.name, embedder.digest, read_limits(folder))
        say(cascade_report(measured, limit))


def _measured(
    embedder: Embedder, wanted: set[DistanceWanted], folder: Path
) -> dict[DistanceWanted, float]:
    """The distances wanted; those that are kept in the model's file are not measured again."""
    kept = read_distances(folder, embedder.name, embedder.digest)
    known = {pair: kept[pair] for pair in wanted & kept.keys()}
    measured = known | measure_distances(embedder, wanted - known.keys())
    text = distances_json(embedder.name, embedder.digest, measured)
    distances_file(folder, embedder.name).write_text(text, "utf-8")
    return measured


def _store(embedder: Embedder, measured: list[Measured], folder: Path, say: Say) -> None:
    rows = without_limit(embedder.name, embedder.digest, read_limits(folder))
    chosen = choose_limit(measured)
    if chosen is None:
        say("\nno limit reaches the precision: this model joins nothing by meaning\n")
    else:
        limit, joined = chosen
        row = StoredLimit(
            name=embedder.name,
            digest=embedder.digest,
            limit=limit,
            precision=joined.precision,
            accepted=joined.accepted,
        )
        rows.append(row)
        say(f"\nwithin {limit} {joined.accepted} pairs are joined: the limit of this model\n")
    limits_file(folder).write_text(limits_toml(rows), "utf-8")


def main(
    embedder: Annotated[
        Kind | None, typer.Option(help="The model to measure; else all that are installed.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="Its name.")] = None,
    path: Annotated[Path | None, typer.Option(help="Its file or folder.")] = None,
) -> None:
    """Print how far apart models put names, and store the limit within which they are the same."""
    if embedder is None:
        calibrate(installed_embedders(), shipped_data(), typer.echo)
        return
    opened = open_embedder(embedder, model, path)
    calibrate([] if opened is None else [opened], shipped_data(), typer.echo)


if __name__ == "__main__":
    typer.run(main)
