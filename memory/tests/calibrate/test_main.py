"""What a measurement prints and writes, with a model whose distances are known."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from cortex_memory.calibrate.__main__ import calibrate
from cortex_memory.calibrate.distances import distances_file
from cortex_memory.calibrate.limits import limits_file, limits_toml, read_limits
from cortex_memory.calibrate.shipped import shipped_data
from cortex_memory.embed.bundled import NAME as BUNDLED
from cortex_memory.embed.port import Vector


class Lettered:
    """A model that sees only with which letter a text begins."""

    name = "tests/lettered"
    digest = "d1"
    dimensions = 26

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed_query(self, text: str) -> Vector:
        self.asked.append(text)
        vector = np.zeros(self.dimensions, dtype=np.float32)
        vector[ord(text[0]) - ord("a")] = 1
        return vector

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        return [self.embed_query(text) for text in texts]


class Remembered(Lettered):
    """The bundled model, of which only the kept distances are left."""

    name = BUNDLED

    def __init__(self) -> None:
        super().__init__()
        kept = distances_file(shipped_data(), BUNDLED).read_text("utf-8")
        self.digest: str = json.loads(kept)["digest"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    limits_file(tmp_path).write_text(limits_toml(read_limits(shipped_data())), "utf-8")
    return tmp_path


def test_a_model_that_cannot_tell_names_apart_gets_no_limit(folder: Path) -> None:
    said: list[str] = []
    calibrate([Lettered()], folder, said.append)
    printed = "\n".join(said)
    assert "no limit reaches the precision" in printed
    assert "families that the catalogue has never seen" in printed
    assert read_limits(folder) == read_limits(shipped_data())


def test_a_model_that_was_measured_has_its_limit_written(folder: Path) -> None:
    limits_file(folder).write_text(limits_toml([]), "utf-8")
    kept = distances_file(shipped_data(), BUNDLED)
    (folder / kept.name).write_bytes(kept.read_bytes())
    calibrate([Remembered()], folder, lambda _: None)
    stored = [row for row in read_limits(shipped_data()) if row.name == BUNDLED]
    assert list(read_limits(folder)) == stored


def test_what_was_measured_is_not_asked_again(folder: Path) -> None:
    first, again = Lettered(), Lettered()
    calibrate([first], folder, lambda _: None)
    calibrate([again], folder, lambda _: None)
    assert first.asked
    assert again.asked == []
