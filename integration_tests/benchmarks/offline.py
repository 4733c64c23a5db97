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
from cortex_memory.recall.search import fused_per_arm, surrounded
from cortex_memory.recall.times import is_within, times_in
from cortex_memory.store.candidates import REACH, SAMPLED
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
    """A question with its candidates, for each budget."""

    question: str
    cues: Cues
    candidates: Sequence[Sequence[EpisodeCandidate]]


@dataclass(frozen=True)
class _Near:
    """Every turn's nearness to a question, and the turns in each arm's order."""

    closeness: Sequence[Closeness]
    by_meaning: Sequence[int]
    by_words: Sequence[int]
    by_time: Sequence[int]


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
            ranked = [
                self._ranked(each, candidates, profile, order) for candidates in each.candidates
            ]
            packets = (
                self._within(ids, budget) for ids, budget in zip(ranked, BUDGETS, strict=True)
            )
            yield Held((frozenset(ranked[-1][:FIRST]), *packets))

    def _ranked(
        self,
        prepared: _Prepared,
        candidates: Sequence[EpisodeCandidate],
        profile: Fusion,
        order: Order,
    ) -> list[str]:
        best = best_of(candidates)
        scored = sorted(score_episodes(candidates, best, prepared.cues, profile), key=place)
        return order(
            Found(
                prepared.question,
                [(one, score.total) for one, score in scored],
                self._places,
                self._away,
                self._bm25,
            )
        )

    def _prepare(self, question: str, vector: NDArray[np.float32], now: int) -> _Prepared:
        times = times_in(question, now)
        within = [n for n, moment in enumerate(self._moments) if is_within(moment, times)]
        near = self._near(question, vector, within)
        candidates = [self._found(near, budget) for budget in BUDGETS]
        return _Prepared(question, cues_of(question, times), candidates)

    def _near(self, question: str, vector: NDArray[np.float32], within: Sequence[int]) -> _Near:
        cosines = self._vectors @ vector
        asked = vector - self._centre
        meanings = self._away @ asked / np.linalg.norm(asked)
        words = np.array(self._bm25.scores(query_terms(question)))
        rarest = float(np.log(1 + (len(self._turns) - 0.5) / 1.5))
        closeness = [
            Closeness(cosine=cosine, meaning=meaning, words=word, rarest=rarest)
            for cosine, meaning, word in zip(
                cosines.tolist(), meanings.tolist(), words.tolist(), strict=True
            )
        ]
        by_words = [number for number in _first(words, range(len(words))) if words[number] > 0]
        return _Near(
            closeness, _first(cosines, range(len(cosines))), by_words, _first(cosines, within)
        )

    def _found(self, near: _Near, budget: int) -> list[EpisodeCandidate]:
        """The candidates, as many as the store finds for a budget."""
        arm, hits = fused_per_arm(budget), surrounded(budget)
        found = {*near.by_meaning[:arm], *near.by_words[:arm], *near.by_time[:arm]}
        for hit in (*near.by_meaning[:hits], *near.by_words[:hits]):
            found.update(self._around(hit))
        return [self._candidate(number, near.closeness[number]) for number in sorted(found)]

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
    return sorted(among, key=lambda number: (-scores[number], number))
