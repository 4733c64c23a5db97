import numpy as np
import pytest
from cortex_memory.embed.port import EmbeddingFailed, Vector, clean, normalised
from hypothesis import given
from hypothesis import strategies as st


@given(st.text(st.characters(codec=None)))
def test_a_cleaned_text_can_be_read_by_any_model(text: str) -> None:
    cleaned = clean(text)
    assert "\0" not in cleaned
    cleaned.encode()


def test_a_text_is_capped() -> None:
    assert len(clean("x" * 100_000)) == 2_000


def test_vectors_leave_at_unit_length() -> None:
    (unit,) = normalised([np.array([3, 4], dtype=np.float32)], 1, 2)
    assert unit.tolist() == pytest.approx([0.6, 0.8])


@pytest.mark.parametrize(
    "vectors",
    [
        [],
        [np.zeros(2, dtype=np.float32)],
        [np.array([np.nan, 1], dtype=np.float32)],
        [np.array([np.inf, 1], dtype=np.float32)],
        [np.ones(3, dtype=np.float32)],
    ],
)
def test_a_vector_that_means_nothing_is_refused(vectors: list[Vector]) -> None:
    with pytest.raises(EmbeddingFailed):
        normalised(vectors, 1, 2)
