"""The default profile over vectors at hand: the same scoring without servers, in seconds.

The arms of the store are imitated in memory: the nearest by meaning, by words and in the times
that a question names, and what was said around the first of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from cortex_memory.lexical.bm25 import Bm25
from cortex_memory.lexical.documents import terms_of_episode
from cortex_memory.lexical.terms import query_terms
from cortex_memory.recall.candidate import Closeness, EpisodeCandidate
from cortex_memory.recall.fusion import Cues, best_of, cues_of, score_episodes
from cortex_memory.recall.profiles import DEFAULT, Fusion
from cortex_memory.recall.score import place
from cortex_memory.recall.times import is_within, times_in
from cortex_memory.store.candidates import MOST_PER_ARM, MOST_SURROUNDED, REACH, SAMPLED
from numpy.typing import NDArray
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.observation import Origin
from roxabi_contracts.payloads import Category
from roxabi_contracts.render import Section, length_around, prompt_line

from benchmarks.conversations import Conversation
from benchmarks.not_taken import Found, Order, as_scored
from benchmarks.plain_rankings import Vectors
from benchmarks.recall_figures import BUDGETS, FIRST, Held

ABLATIONS: Final[Mapping[str, Fusion]] = {
    "as it is": DEFAULT,
    "without rare words": replace(DEFAULT, words=0.0),
    "without meaning": replace(DEFAULT, meaning=0.0),
    "without neighbours": replace(DEFAULT, neighbour=0.0, second_neighbour=0.0),
    "without second neighbours": replace(DEFAULT, second_neighbour=0.0),
    "without answers": replace(DEFAULT, after_question=0.0),
    "without sessions": replace(DEFAULT, session=0.0),
    "without who is asked about": replace(DEFAULT, asked_about=0.0),
    "without times": replace(DEFAULT, time=0.0),
    "without questions set back": replace(DEFAULT, question=0.0),
}


@dataclass(frozen=True)
class _Prepared:
    """A question with its candidates."""

    question: str
    cues: Cues
    candidates: Sequence[EpisodeCandidate]


class OfflineMemory:
    """A conversation as memory would hold it.

    Args:
        conversation: What was said and asked.
        turns: The vectors of the turns, by what was spoken.
        questions: The vectors of the questions.
        now: When they are asked, in epoch milliseconds.
        centred: Whether nearness is seen from the middle of the memory.
    """

    def __init__(
        self,
        conversation: Conversation,
        turns: Vectors,
        questions: Vectors,
        now: int,
        *,
        centred: bool = True,
    ) -> None:
        self._turns = conversation.turns
        self._vectors = np.stack([turns[turn.spoken] for turn in self._turns])
        sampled = self._vectors[:SAMPLED].sum(axis=0) / (min(SAMPLED, len(self._turns)) + 1)
        self._centre = sampled if centred else np.zeros_like(sampled)
        self._bm25 = Bm25(
            [terms_of_episode(turn.who, turn.text).split(" ") for turn in self._turns]
        )
        self._moments = [epoch_ms(turn.at) for turn in self._turns]
        self._away = self._vectors - self._centre
        self._away /= np.linalg.norm(self._away, axis=1, keepdims=True)
        self._places = {turn.id: number for number, turn in enumerate(self._turns)}
        self._prepared = [
            self._prepare(asked.question, questions[asked.question], now)
            for asked in conversation.asked
        ]
        self._lengths = {
            turn.id: len(prompt_line(self._candidate(number, Closeness(cosine=None)).served())) + 1
            for number, turn in enumerate(self._turns)
        }

    def held(self, profile: Fusion, order: Order = as_scored) -> Iterator[Held]:
        """What the profile serves for each question, in this order of its scores."""
        for each in self._prepared:
            best = best_of(each.candidates)
            scored = sorted(score_episodes(each.candidates, best, each.cues, profile), key=place)
            ranked = order(
                Found(
                    each.question,
                    [(one, score.total) for one, score in scored],
                    self._places,
                    self._away,
                    self._bm25,
                )
            )
            packets = (self._within(ranked, budget) for budget in BUDGETS)
            yield Held((frozenset(ranked[:FIRST]), *packets))

    def _prepare(self, question: str, vector: NDArray[np.float32], now: int) -> _Prepared:
        times = times_in(question, now)
        cosines = self._vectors @ vector
        asked = vector - self._centre
        meanings = self._away @ asked / np.linalg.norm(asked)
        words = np.array(self._bm25.scores(query_terms(question)))
        near = _first(cosines, range(len(cosines)))
        worded = [number for number in _first(words, range(len(words))) if words[number] > 0]
        within = [n for n, moment in enumerate(self._moments) if is_within(moment, times)]
        found = {*near, *worded, *_first(cosines, within)}
        for hit in (*near[:MOST_SURROUNDED], *worded[:MOST_SURROUNDED]):
            found.update(self._around(hit))
        rarest = float(np.log(1 + (len(self._turns) - 0.5) / 1.5))
        candidates = [
            self._candidate(
                number,
                Closeness(
                    cosine=float(cosines[number]),
                    meaning=float(meanings[number]),
                    words=float(words[number]),
                    rarest=rarest,
                ),
            )
            for number in sorted(found)
        ]
        return _Prepared(question, cues_of(question, times), candidates)

    def _around(self, hit: int) -> Iterator[int]:
        for number in range(max(0, hit - REACH), min(len(self._turns), hit + REACH + 1)):
            if self._turns[number].session == self._turns[hit].session:
                yield number

    def _candidate(self, number: int, closeness: Closeness) -> EpisodeCandidate:
        turn = self._turns[number]
        before = self._turns[number - 1] if number else None
        follows = before.id if before is not None and before.session == turn.session else None
        return EpisodeCandidate(
            id=turn.id,
            subject="subject",
            kind=Category.INTERACTION,
            moment=self._moments[number],
            who=turn.who,
            origin=Origin.SEMI_TRUSTED,
            text=turn.text,
            closeness=closeness,
            trace=f"session_{turn.session}",
            follows=follows,
        )

    def _within(self, ranked: Iterable[str], budget: int) -> frozenset[str]:
        """What fits, at the price of the rendering."""
        left = 4 * budget + 3 - length_around(()) - len(Section.EPISODES) - 1
        held: list[str] = []
        for id in ranked:
            if self._lengths[id] <= left:
                left -= self._lengths[id]
                held.append(id)
        return frozenset(held)


def _first(scores: NDArray[np.floating], among: Iterable[int]) -> list[int]:
    return sorted(among, key=lambda number: (-scores[number], number))[:MOST_PER_ARM]
