"""Candidates and questions with sensible defaults."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from cortex_memory.model import Authority
from cortex_memory.recall.assemble import Question
from cortex_memory.recall.candidate import Closeness, EpisodeCandidate, FactCandidate
from cortex_memory.recall.filters import DAY, Scope
from cortex_memory.recall.profiles import SEED
from roxabi_contracts.context import Limits
from roxabi_contracts.observation import Origin
from roxabi_contracts.operations import FactStatus
from roxabi_contracts.payloads import Category, Volatility

NOW = 1_760_000_000_000

FACT = FactCandidate(
    id="f1",
    subject="alice",
    about="alice",
    about_name="Alice",
    predicate="lives_in",
    value={"value": "Berlin"},
    status=FactStatus.ACTIVE,
    conflict_id=None,
    authority=Authority.OWN,
    volatility=Volatility.STABLE,
    confidence=0.9,
    valid_from=NOW - 10 * DAY,
    valid_until=None,
    last_confirmed=NOW - 10 * DAY,
    recorded_from=NOW - 9 * DAY,
    sources=("o1",),
    closeness=Closeness(cosine=0.8, text_rank=0.1),
)
EPISODE = EpisodeCandidate(
    id="o1",
    subject="alice",
    kind=Category.STATEMENT,
    moment=NOW - 10 * DAY,
    who="Alice",
    origin=Origin.TRUSTED,
    text="I moved to Berlin.",
    closeness=Closeness(cosine=0.8, text_rank=0.1),
)
QUESTION = Question(
    scope=Scope(frozenset({"alice"})),
    budget_tokens=900,
    limits=Limits(),
    now=NOW,
    profile=SEED,
)


@pytest.fixture
def fact() -> Callable[..., FactCandidate]:
    def build(**changes: Any) -> FactCandidate:
        return replace(FACT, **changes)

    return build


@pytest.fixture
def episode() -> Callable[..., EpisodeCandidate]:
    def build(**changes: Any) -> EpisodeCandidate:
        return replace(EPISODE, **changes)

    return build


@pytest.fixture
def question() -> Callable[..., Question]:
    def build(**changes: Any) -> Question:
        return replace(QUESTION, **changes)

    return build
