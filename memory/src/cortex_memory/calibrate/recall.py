"""Measure, for a model, which similarity a text needs to have to do with a question.

The least similarity of a text that is served, the floor of the recall gate, is the highest that
keeps nearly all texts that answer their question. It is printed, not stored: the gate is off until
`CORTEX_MEMORY_RELEVANCE_FLOOR` says otherwise.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Annotated, Final

import numpy as np
import typer

from cortex_memory.embed.opening import Kind, open_embedder
from cortex_memory.embed.port import Embedder

KEPT: Final = 0.98
"""The share of answers that the gate has to let pass."""
_PAIRS: Final = "data/questions.toml"


@dataclass(frozen=True, slots=True)
class Floor:
    """What was measured: the floor, and which share of answers and of other texts passes it."""

    similarity: float
    answers_kept: float
    others_kept: float
    questions: int


def questions() -> list[tuple[str, str]]:
    """Questions, each with a text that answers it and none of the others."""
    text = resources.files("cortex_memory.calibrate").joinpath(_PAIRS).read_text("utf-8")
    return [(question, answer) for question, answer in tomllib.loads(text)["pairs"]]


def measure_floor(embedder: Embedder, pairs: Sequence[tuple[str, str]]) -> Floor:
    """The highest floor that keeps `KEPT` of the answers, and what else passes it."""
    asked = np.stack([embedder.embed_query(question) for question, _ in pairs])
    texts = np.stack(embedder.embed_passages([answer for _, answer in pairs]))
    similar = asked @ texts.T
    answers = np.sort(np.diagonal(similar))
    others = similar[~np.eye(len(pairs), dtype=bool)]
    lost = int(len(answers) * (1 - KEPT))
    floor = float(np.floor(answers[lost] * 1000) / 1000)
    return Floor(
        similarity=floor,
        answers_kept=float(np.mean(answers >= floor)),
        others_kept=float(np.mean(others >= floor)),
        questions=len(pairs),
    )


def main(
    kind: Annotated[Kind, typer.Option("--embedder", help="Kind of embedder.")] = "bundled",
    model: Annotated[str | None, typer.Option(help="Its model, where it has many.")] = None,
    path: Annotated[Path | None, typer.Option(help="A local model of fastembed.")] = None,
) -> None:
    """Measure the floor of the recall gate for a model, and print it."""
    embedder = open_embedder(kind, model, path)
    if embedder is None:
        raise typer.BadParameter("there is no model to measure", param_hint="--embedder")
    floor = measure_floor(embedder, questions())
    typer.echo(f"{embedder.name} ({embedder.digest[:12]}), {floor.questions} questions")
    typer.echo(f"CORTEX_MEMORY_RELEVANCE_FLOOR={floor.similarity:.3f}")
    typer.echo(
        f"keeps {floor.answers_kept:.1%} of the answers, {floor.others_kept:.1%} of the rest"
    )


if __name__ == "__main__":
    typer.run(main)
