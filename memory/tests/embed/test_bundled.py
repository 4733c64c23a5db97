from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from cortex_memory.embed.bundled import BundledEmbedder
from cortex_memory.embed.port import EmbedderUnavailable


def test_translations_are_nearer_than_strangers(bundled: BundledEmbedder) -> None:
    english, french, other = bundled.embed_passages(
        [
            "I moved to Lyon last spring.",
            "J'ai déménagé à Lyon au printemps dernier.",
            "The invoice was paid in full on Monday.",
        ]
    )
    assert float(english @ french) > float(english @ other) + 0.03


def test_a_query_finds_its_answer_across_languages(bundled: BundledEmbedder) -> None:
    query = bundled.embed_query("Where does she live now?")
    texts = ["Elle habite maintenant à Lyon.", "Le café est trop fort.", "The build is green."]
    scores = [float(query @ vector) for vector in bundled.embed_passages(texts)]
    assert scores.index(max(scores)) == 0


def test_what_the_engine_would_choke_on_is_embedded(bundled: BundledEmbedder) -> None:
    vectors = bundled.embed_passages(["a\0b", "\ud800", "", "x" * 100_000])
    assert [vector.shape for vector in vectors] == [(384,)] * 4
    assert all(abs(float(np.linalg.norm(vector)) - 1) < 1e-5 for vector in vectors)


def test_two_threads_get_the_same_vectors(bundled: BundledEmbedder) -> None:
    texts = [f"sentence number {index}" for index in range(6)]
    alone = bundled.embed_passages(texts)
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(lambda text: bundled.embed_passages([text])[0], texts))
    assert all(np.array_equal(one, other) for one, other in zip(alone, together, strict=True))


def test_it_names_itself(bundled: BundledEmbedder) -> None:
    assert (bundled.name, bundled.dimensions) == ("multilingual-e5-small-q4", 384)
    assert len(bundled.digest) == 64


def test_a_missing_model_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(EmbedderUnavailable, match=r"gone\.bin"):
        BundledEmbedder(tmp_path / "gone.bin")


def test_a_broken_model_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "broken.bin").write_bytes(b"no model")
    with pytest.raises(EmbedderUnavailable):
        BundledEmbedder(tmp_path / "broken.bin")
