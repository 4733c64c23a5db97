"""What a service is configured to serve."""

import pytest
from cortex_memory.assembly import open_recall
from cortex_memory.recall.filters import Flagging
from cortex_memory.recall.profiles import DEFAULT, SEED
from cortex_memory.settings import Settings, from_environment

NOWHERE = "postgresql://nobody@127.0.0.1:9/nothing?connect_timeout=1"


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORTEX_MEMORY_DATABASE_URL", NOWHERE)
    monkeypatch.setenv("CORTEX_NATS_URL", "nats://127.0.0.1:9")


async def test_by_default_nothing_is_gated_or_shown_with_a_flag() -> None:
    async with open_recall(from_environment(Settings), NOWHERE) as recall:
        assert (recall.profile, recall.flaggings) == (DEFAULT, {})
        assert recall.profile.relevance_floor is None


async def test_projects_choose_what_they_see_with_a_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORTEX_MEMORY_SHOW_CONTESTED", "one, two,")
    monkeypatch.setenv("CORTEX_MEMORY_SHOW_EXPIRED", "two,three")
    async with open_recall(from_environment(Settings), NOWHERE) as recall:
        assert recall.flaggings == {
            "one": Flagging(contested=True),
            "two": Flagging(contested=True, expired=True),
            "three": Flagging(expired=True),
        }


async def test_the_profile_and_its_gate_are_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORTEX_MEMORY_PROFILE", "seed")
    monkeypatch.setenv("CORTEX_MEMORY_RELEVANCE_FLOOR", "0.8")
    async with open_recall(from_environment(Settings), NOWHERE) as recall:
        assert recall.profile.relevance_floor == 0.8
        assert (recall.profile.episodes, type(recall.profile)) == (SEED.episodes, type(SEED))
