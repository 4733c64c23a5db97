import shutil
from pathlib import Path

import numpy as np
import pytest
from cortex_memory.embed.fastembed import FastembedEmbedder
from cortex_memory.embed.port import EmbedderUnavailable

ENGLISH_MODEL = "sentence-transformers/all-MiniLM-L6-v2"


def test_likeness_of_meaning_is_likeness_of_vectors(fastembed: FastembedEmbedder) -> None:
    cat, feline, budget = fastembed.embed_passages(
        ["The cat sleeps.", "A feline is asleep.", "Quarterly budget review"]
    )
    assert float(cat @ feline) > float(cat @ budget) + 0.2


def test_vectors_have_unit_length_and_a_query_finds_its_answer(
    fastembed: FastembedEmbedder,
) -> None:
    query = fastembed.embed_query("Where does she live?")
    texts = ["She lives in Berlin.", "The build is green."]
    vectors = fastembed.embed_passages(texts)
    assert float(query @ vectors[0]) > float(query @ vectors[1])
    assert all(abs(float(np.linalg.norm(vector)) - 1) < 1e-5 for vector in (query, *vectors))


def test_hostile_texts_are_embedded(fastembed: FastembedEmbedder) -> None:
    assert len(fastembed.embed_passages(["a\0b", "\ud800", "", "x" * 100_000])) == 4


def test_it_names_itself(fastembed: FastembedEmbedder) -> None:
    assert (fastembed.name, fastembed.dimensions) == (ENGLISH_MODEL, 384)
    assert len(fastembed.digest) == 64


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_missing_file_is_named(model_folder: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "model"
    shutil.copytree(model_folder, folder)
    (folder / name).unlink()
    with pytest.raises(EmbedderUnavailable, match=f"lacks {name}"):
        FastembedEmbedder(ENGLISH_MODEL, folder)


def test_a_broken_model_file_is_said(model_folder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(model_folder, folder)
    (folder / "model.onnx").write_bytes(b"no model")
    with pytest.raises(EmbedderUnavailable, match="cannot be opened"):
        FastembedEmbedder(ENGLISH_MODEL, folder)


def test_an_unknown_model_is_said() -> None:
    with pytest.raises(EmbedderUnavailable, match="knows no model"):
        FastembedEmbedder("nobody/nothing", None)
