"""Vectors of texts by the bundled model, kept in a folder if one is given, made where missing."""

import hashlib
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import numpy as np
from cortex_memory.embed.bundled import BundledEmbedder
from numpy.typing import NDArray

from benchmarks.plain_rankings import Vectors

THREADS: Final = 2
TOLD_EVERY: Final = 200


class KeptVectors:
    """Makes the vectors of texts, and keeps them for the next time.

    Args:
        folder: Where they are kept; null: nowhere.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._embedder = BundledEmbedder()

    def of_turns(self, texts: Iterable[str]) -> Vectors:
        """The vectors of texts that are to be found."""
        return self._of("turns", texts, lambda text: self._embedder.embed_passages([text])[0])

    def of_questions(self, texts: Iterable[str]) -> Vectors:
        """The vectors of texts that are to find others."""
        return self._of("questions", texts, self._embedder.embed_query)

    def _of(
        self, side: str, texts: Iterable[str], embed: Callable[[str], NDArray[np.float32]]
    ) -> Vectors:
        wanted = sorted(set(texts), key=lambda text: (len(text), text))
        digest = hashlib.sha256("\0".join([self._embedder.digest, *wanted]).encode()).hexdigest()
        file = None if self._folder is None else self._folder / f"{side}-{digest[:16]}.npy"
        if file is not None and file.exists():
            return dict(zip(wanted, np.load(file), strict=True))
        made = _make(side, wanted, embed)
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            np.save(file, np.stack(made))
        return dict(zip(wanted, made, strict=True))


def _make(
    side: str, texts: Sequence[str], embed: Callable[[str], NDArray[np.float32]]
) -> list[NDArray[np.float32]]:
    made: list[NDArray[np.float32]] = []
    with ThreadPoolExecutor(THREADS) as pool:
        for vector in pool.map(embed, texts):
            made.append(vector)
            if len(made) % TOLD_EVERY == 0:
                sys.stderr.write(f"embedded {len(made)} of {len(texts)} {side}\n")
                sys.stderr.flush()
    return made
