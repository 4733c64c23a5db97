"""Which embedder the settings ask for."""

from pathlib import Path
from typing import Literal

from cortex_memory.embed import fastembed, openai
from cortex_memory.embed.bundled import BundledEmbedder
from cortex_memory.embed.fastembed import FastembedEmbedder
from cortex_memory.embed.openai import OpenaiEmbedder
from cortex_memory.embed.port import Embedder

Kind = Literal["bundled", "fastembed", "openai", "none"]


def open_embedder(kind: Kind, model: str | None, path: Path | None) -> Embedder | None:
    """Open the embedder; null: none is wanted, and answers are lexical.

    Args:
        kind: What is behind it.
        model: The model's name; null: the default of the kind.
        path: A model file (bundled) or folder (fastembed); null: what is installed or cached.

    Raises:
        EmbedderUnavailable: it cannot be opened; the message says what is missing.
    """
    match kind:
        case "bundled":
            return BundledEmbedder(path)
        case "fastembed":
            return FastembedEmbedder(model or fastembed.DEFAULT_MODEL, path)
        case "openai":
            return OpenaiEmbedder(model or openai.DEFAULT_MODEL)
        case "none":
            return None
