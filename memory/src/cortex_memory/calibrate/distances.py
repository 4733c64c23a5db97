"""Cosine distances between names, kept in a file so that no model is asked twice."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from cortex_memory.embed.port import Embedder, Vector
from cortex_memory.retain.match_names import DistanceWanted

_DIGITS: Final = 5


def measure_distances(
    embedder: Embedder, wanted: Iterable[DistanceWanted]
) -> dict[DistanceWanted, float]:
    """The cosine distance of each two texts, both taken as queries.

    Raises:
        EmbeddingFailed: no vector could be made of a text.
    """
    asked = list(wanted)
    texts = sorted({text for pair in asked for text in (pair.first, pair.second)})
    vectors = {text: embedder.embed_query(text) for text in texts}
    return {pair: distance_between(vectors[pair.first], vectors[pair.second]) for pair in asked}


def distance_between(first: Vector, second: Vector) -> float:
    """The cosine distance of two unit vectors, in as many digits as limits are measured in."""
    return round(1 - float(first @ second), _DIGITS)


def distances_file(folder: Path, model: str) -> Path:
    """Where in a folder the distances of a model are kept."""
    return folder / f"distances-{model.rpartition('/')[2]}.json"


def read_distances(folder: Path, model: str, digest: str) -> dict[DistanceWanted, float]:
    """The distances that are kept of a model; empty: none are, or of another file of its name."""
    path = distances_file(folder, model)
    return distances_from_json(path.read_text("utf-8"), digest) if path.is_file() else {}


def distances_from_json(text: str, digest: str) -> dict[DistanceWanted, float]:
    """Read kept distances; empty: they are of another file of the model."""
    kept = json.loads(text)
    if kept["digest"] != digest:
        return {}
    return {DistanceWanted(first, second): value for first, second, value in kept["distances"]}


def distances_json(model: str, digest: str, measured: Mapping[DistanceWanted, float]) -> str:
    """A model's distances as JSON, a pair a line."""
    rows = sorted((pair.first, pair.second, value) for pair, value in measured.items())
    lines = ",\n".join(json.dumps(row) for row in rows)
    head = json.dumps({"model": model, "digest": digest})[1:-1]
    return f'{{{head}, "distances": [\n{lines}\n]}}\n'
