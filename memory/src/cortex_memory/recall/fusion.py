"""The default profile: meaning and rare words together, and what was said around a hit.

A text's own part of the score is its nearness by meaning and by words, each as a share of the best
among all candidates. An episode also takes part in the nearness of those said right before and
after it, of the best of its session, and more where it follows a question; who is asked about and
the times that the question names count as well. A fact says in a line what episodes say around it:
its own part counts so much more. So facts and episodes stand in one order, and are served in it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from cortex_memory.recall.candidate import EpisodeCandidate, FactCandidate
from cortex_memory.recall.filters import DAY
from cortex_memory.recall.profiles import Fusion
from cortex_memory.recall.score import Score
from cortex_memory.recall.times import Span, is_within

NEIGHBOUR_GAP: Final = DAY // 4
"""Milliseconds after which what follows in a trace belongs to another talk."""

_WORD: Final = re.compile(r"\w+")
_NOTHING: Final = ""
"""The id of no episode."""


@dataclass(frozen=True, slots=True)
class Cues:
    """What a question says beside its words: whom it names, and which times."""

    words: frozenset[str]
    times: tuple[Span, ...] = ()

    def names(self, name: str | None) -> bool:
        """Whether a part of the name is a word of the question."""
        parts = _WORD.findall((name or "").casefold())
        return any(part in self.words for part in parts if len(part) > 1)


NO_CUES: Final = Cues(frozenset())


def cues_of(query: str, times: tuple[Span, ...]) -> Cues:
    """The cues of a question in which these times are named."""
    return Cues(frozenset(_WORD.findall(query.casefold())), times)


@dataclass(frozen=True, slots=True)
class Best:
    """The best nearness among all candidates, to which every other is compared.

    By words it is at least that of one rare word: common words alone never count in full.
    """

    meaning: float
    words: float


def best_of(candidates: Iterable[FactCandidate | EpisodeCandidate]) -> Best:
    """The best by meaning and by words, of facts and episodes alike."""
    meaning = words = 0.0
    for candidate in candidates:
        meaning = max(meaning, _meaning(candidate))
        words = max(words, candidate.closeness.words, candidate.closeness.rarest)
    return Best(meaning, words)


def score_facts(
    facts: Sequence[FactCandidate],
    hops: frozenset[str],
    best: Best,
    cues: Cues,
    profile: Fusion,
) -> list[tuple[FactCandidate, Score]]:
    """The facts with their scores; `hops` are the ids of those reached over a shared name."""
    own = {fact.id: _own(fact, best, profile) for fact in facts}
    hop = profile.hop * max((part.total for part in own.values()), default=0.0)
    is_asked_about = {name: cues.names(name) for name in {fact.about_name for fact in facts}}
    scored: list[tuple[FactCandidate, Score]] = []
    for fact in facts:
        part = own[fact.id]
        begins_then = fact.valid_from is not None and is_within(fact.valid_from, cues.times)
        terms = {
            "meaning": part.meaning,
            "words": part.words,
            "asked_about": profile.asked_about * is_asked_about[fact.about_name],
            "time": profile.time * begins_then,
            "fact": profile.fact * part.total,
            "hop": hop * (fact.id in hops),
        }
        scored.append((fact, Score(terms)))
    return scored


def score_episodes(
    episodes: Sequence[EpisodeCandidate], best: Best, cues: Cues, profile: Fusion
) -> list[tuple[EpisodeCandidate, Score]]:
    """The episodes with their scores."""
    own = {one.id: _own(one, best, profile) for one in episodes}
    questions = frozenset(one.id for one in episodes if _only_asks(one))
    around = _Surroundings(episodes, {id: part.total for id, part in own.items()}, questions)
    asked_about = _asked_about(episodes, cues)
    scored: list[tuple[EpisodeCandidate, Score]] = []
    for one in episodes:
        part = own[one.id]
        terms = {
            "meaning": part.meaning,
            "words": part.words,
            "neighbours": profile.neighbour * around.next_to(one.id)
            + profile.second_neighbour * around.second_to(one.id),
            "after_question": profile.after_question * around.question_before(one.id),
            "session": profile.session * around.session_of(one),
            "asked_about": profile.asked_about * (one.who in asked_about),
            "time": profile.time * is_within(one.moment, cues.times),
            "question": -profile.question * (one.id in questions),
        }
        scored.append((one, Score(terms)))
    return scored


class _Surroundings:
    """What was said around each episode, and how near that is to the question."""

    def __init__(
        self,
        episodes: Sequence[EpisodeCandidate],
        own: Mapping[str, float],
        questions: frozenset[str],
    ) -> None:
        self._own = own
        self._questions = questions
        moments = {one.id: one.moment for one in episodes}
        self._before: dict[str, str] = {}
        self._after: dict[str, str] = {}
        sessions: defaultdict[tuple[str, str | None, int], float] = defaultdict(float)
        for one in sorted(episodes, key=lambda one: (one.moment, one.id)):
            before = one.follows
            if (
                before is not None
                and before in moments
                and one.moment - moments[before] <= NEIGHBOUR_GAP
            ):
                self._before[one.id] = before
                self._after.setdefault(before, one.id)
            key = _session(one)
            sessions[key] = max(sessions[key], own[one.id])
        self._sessions = sessions

    def next_to(self, id: str) -> float:
        before, after = self._before.get(id, _NOTHING), self._after.get(id, _NOTHING)
        return self._own.get(before, 0.0) + self._own.get(after, 0.0)

    def second_to(self, id: str) -> float:
        before = self._before.get(self._before.get(id, _NOTHING), _NOTHING)
        after = self._after.get(self._after.get(id, _NOTHING), _NOTHING)
        return self._own.get(before, 0.0) + self._own.get(after, 0.0)

    def question_before(self, id: str) -> float:
        before = self._before.get(id, _NOTHING)
        return self._own[before] if before in self._questions else 0.0

    def session_of(self, one: EpisodeCandidate) -> float:
        return 0.0 if one.trace is None else self._sessions[_session(one)]


class _Own(NamedTuple):
    """A text's own part of its score."""

    meaning: float
    words: float

    @property
    def total(self) -> float:
        return self.meaning + self.words


def _own(candidate: FactCandidate | EpisodeCandidate, best: Best, profile: Fusion) -> _Own:
    meaning, words = _meaning(candidate), candidate.closeness.words
    return _Own(
        meaning=profile.meaning * meaning / best.meaning if meaning > 0 else 0.0,
        words=profile.words * words / best.words if words > 0 else 0.0,
    )


def _meaning(candidate: FactCandidate | EpisodeCandidate) -> float:
    return max(0.0, candidate.closeness.meaning or 0.0)


def _session(one: EpisodeCandidate) -> tuple[str, str | None, int]:
    return one.subject, one.trace, one.moment // DAY


def _asked_about(episodes: Iterable[EpisodeCandidate], cues: Cues) -> frozenset[str]:
    """Who of the speakers is asked about; nobody, where all of them are."""
    speakers = {one.who for one in episodes if one.who is not None}
    named = {who for who in speakers if cues.names(who)}
    return frozenset() if named == speakers else frozenset(named)


def _only_asks(one: EpisodeCandidate) -> bool:
    return one.text.rstrip().endswith("?")
