"""The two rankings that everyone has: all turns by BM25, and all turns by cosine similarity."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from cortex_memory.lexical.bm25 import Bm25
from cortex_memory.lexical.terms import query_terms, terms_of
from numpy.typing import NDArray

from benchmarks.conversations import Conversation, Turn

Vectors = Mapping[str, NDArray[np.float32]]
"""Unit vectors by text."""


def by_words(conversation: Conversation) -> Iterator[Sequence[Turn]]:
    """All turns, by the words that they share with each question."""
    bm25 = Bm25([terms_of(turn.spoken) for turn in conversation.turns])
    for asked in conversation.asked:
        yield _ranked(conversation, np.array(bm25.scores(query_terms(asked.question))))


def by_meaning(
    conversation: Conversation, turns: Vectors, questions: Vectors
) -> Iterator[Sequence[Turn]]:
    """All turns, by the similarity of their vectors to each question's."""
    matrix = np.stack([turns[turn.spoken] for turn in conversation.turns])
    for asked in conversation.asked:
        yield _ranked(conversation, matrix @ questions[asked.question])


def _ranked(conversation: Conversation, scores: NDArray[np.floating]) -> Sequence[Turn]:
    order: list[int] = np.argsort(-scores, kind="stable").tolist()
    return [conversation.turns[number] for number in order]
