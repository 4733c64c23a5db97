"""The bundled embedder, opened once."""

import pytest
from cortex_memory.embed.bundled import BundledEmbedder


@pytest.fixture(scope="session")
def bundled() -> BundledEmbedder:
    return BundledEmbedder()
