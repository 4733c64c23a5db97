"""Measure how well names of predicates are matched, and store the limit of each model."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated

import typer
from roxabi_contracts.predicates import PredicateCatalogue, bundled_catalogue

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
from cortex_memory.calibrate.measure import Measured, choose_limit, judge, undecided
from cortex_memory.calibrate.report import confusion_table, distance_table, mistakes
from cortex_memory.embed.opening import Kind, open_embedder
from cortex_memory.embed.port import Embedder
from cortex_memory.retain.lexicon import bundled_lexicon
from cortex_memory.retain.match_names import DistanceWanted, ModelLimit, NameMatcher

Say = Callable[[str], None]


def calibrate(embedders: Iterable[Embedder], say: Say) -> None:
    """Measure each model and the cascade with it; write its limit and its distances."""
    for embedder in embedders:
        say(f"== {embedder.name} ({embedder.digest[:12]}) ==\n")
        asked = undecided(labelled_pairs(), without_catalogue())
        measured = _measured(embedder, {wanted for _, wanted in asked})
        found = [Measured(pair, measured[wanted]) for pair, wanted in asked]
        say(distance_table(found))
        _store(embedder, [item for item in found if item.pair.split is Split.CALIBRATION], say)
        limit = limit_of(embedder.name, embedder.digest, read_limits())
        say(cascade_report(measured, limit))


def _measured(embedder: Embedder, wanted: set[DistanceWanted]) -> dict[DistanceWanted, float]:
    """The distances wanted; those that are kept in the model's file are not measured again."""
    kept = read_distances(embedder.name, embedder.digest)
    known = {pair: kept[pair] for pair in wanted & kept.keys()}
    measured = known | measure_distances(embedder, wanted - known.keys())
    text = distances_json(embedder.name, embedder.digest, measured)
    distances_file(embedder.name).write_text(text, "utf-8")
    return measured


def without_catalogue() -> NameMatcher:
    """The cascade as it judges names that no catalogue knows."""
    return NameMatcher(PredicateCatalogue(()), bundled_lexicon())


def cascade_report(measured: Mapping[DistanceWanted, float], limit: ModelLimit | None) -> str:
    """What the whole cascade gets right on families that chose no limit.

    Raises:
        KeyError: a distance that is wanted is not among `measured`.
    """
    pairs = labelled_pairs()
    whole = judge(pairs, NameMatcher(bundled_catalogue(), bundled_lexicon()), measured, limit)
    blind = judge(pairs, without_catalogue(), measured, limit)
    held_out = [item for item in whole if item.pair.split is Split.HELD_OUT]
    unseen = [item for item in whole if item.pair.split is Split.UNSEEN]
    alone = [item for item in blind if item.pair.split is Split.HELD_OUT]
    parts = [
        confusion_table("held-out families", held_out),
        confusion_table("families that the catalogue has never seen", unseen),
        mistakes([*held_out, *unseen]),
        confusion_table("held-out families, judged without the catalogue", alone),
        mistakes(alone),
    ]
    return "\n\n".join(parts) + "\n"


def _store(embedder: Embedder, measured: list[Measured], say: Say) -> None:
    rows = without_limit(embedder.name, embedder.digest, read_limits())
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
    limits_file().write_text(limits_toml(rows), "utf-8")


def main(
    embedder: Annotated[
        Kind | None, typer.Option(help="The model to measure; else all that are installed.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="Its name.")] = None,
    path: Annotated[Path | None, typer.Option(help="Its file or folder.")] = None,
) -> None:
    """Print how far apart models put names, and store the limit within which they are the same."""
    if embedder is None:
        calibrate(installed_embedders(), typer.echo)
        return
    opened = open_embedder(embedder, model, path)
    calibrate([] if opened is None else [opened], typer.echo)


if __name__ == "__main__":
    typer.run(main)
