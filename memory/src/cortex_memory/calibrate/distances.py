"""Cosine distances between names, kept in a file so that no model is asked twice."""

import json
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Final

from cortex_memory.embed.port import Embedder
from cortex_memory.retain.match_names import DistanceWanted

_DIGITS: Final = 5


def distance(embedder: Embedder, wanted: DistanceWanted) -> float:
    """The cosine distance of two texts, both taken as queries.

    Raises:
        EmbeddingFailed: no vector could be made of one of them.
    """
    first, second = embedder.embed_query(wanted.first), embedder.embed_query(wanted.second)
    return 1 - float(first @ second)


def distances(
    embedder: Embedder, wanted: Iterable[DistanceWanted], known: Mapping[DistanceWanted, float]
) -> dict[DistanceWanted, float]:
    """All distances wanted, of which those that are not known are measured."""
    asked = set(wanted)
    texts = {text for pair in asked - known.keys() for text in (pair.first, pair.second)}
    vectors = {text: embedder.embed_query(text) for text in sorted(texts)}
    measured = {
        pair: round(1 - float(vectors[pair.first] @ vectors[pair.second]), _DIGITS)
        for pair in asked - known.keys()
    }
    return {pair: known[pair] if pair in known else measured[pair] for pair in asked}


def kept_distances(model: str, digest: str) -> dict[DistanceWanted, float]:
    """The distances that are kept of a model; empty: none are, or of another file of its name."""
    path = _path(model)
    if not path.is_file():
        return {}
    kept = json.loads(path.read_text("utf-8"))
    if kept["digest"] != digest:
        return {}
    return {DistanceWanted(first, second): value for first, second, value in kept["distances"]}


def keep_distances(model: str, digest: str, measured: Mapping[DistanceWanted, float]) -> Path:
    """Write a model's distances, a pair a line."""
    rows = sorted((pair.first, pair.second, value) for pair, value in measured.items())
    lines = ",\n".join(json.dumps(row) for row in rows)
    head = json.dumps({"model": model, "digest": digest})[1:-1]
    path = _path(model)
    path.write_text(f'{{{head}, "distances": [\n{lines}\n]}}\n', "utf-8")
    return path


def _path(model: str) -> Path:
    folder = Path(str(resources.files("cortex_memory.calibrate"))) / "data"
    return folder / f"distances-{model.rpartition('/')[2]}.json"
