"""The floor of the recall gate is measured."""

from collections.abc import Sequence

import numpy as np
from cortex_memory.calibrate.recall import KEPT, measure_floor, questions
from cortex_memory.embed.port import Vector


class Turning:
    """Texts are numbers of degrees; near numbers are near in meaning."""

    name, digest, dimensions = "turning", "0", 2

    def embed_query(self, text: str) -> Vector:
        angle = np.deg2rad(float(text))
        return np.array([np.cos(angle), np.sin(angle)], dtype=np.float32)

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        return [self.embed_query(text) for text in texts]


def test_the_floor_keeps_the_answers_and_as_little_else_as_it_can() -> None:
    pairs = [(str(place), str(place + 10)) for place in (0, 60, 120, 180)]
    floor = measure_floor(Turning(), pairs)
    assert floor.answers_kept == 1
    assert floor.others_kept == 0
    assert abs(floor.similarity - np.cos(np.deg2rad(10))) < 0.001


def test_a_few_answers_may_be_lost_where_there_are_many() -> None:
    lost = 2
    pairs = [("0", "1")] * (100 - lost) + [("0", "90")] * lost
    floor = measure_floor(Turning(), pairs)
    assert floor.answers_kept == KEPT
    assert floor.similarity > 0.9


def test_every_question_has_a_text_of_its_own() -> None:
    asked, texts = zip(*questions(), strict=True)
    assert len(set(asked)) == len(set(texts)) == len(asked) >= 40
