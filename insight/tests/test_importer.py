"""An import publishes what the lake does not have, and tells what became of it."""

import asyncio
import json
from pathlib import Path

import pytest
from cortex_insight import importer
from cortex_insight.collect import Job
from cortex_insight.errors import LakeSilent
from cortex_insight.importer import Importer
from cortex_insight.progress import Progress
from roxabi_contracts import ErrorCode, ErrorReply, RawEvent
from roxabi_contracts.client import NoAnswer
from roxabi_contracts.errors import RequestRefused, TooLarge
from roxabi_contracts.operations import EventState, EventStatus, SourcesReply, SourcesRequest

from tests.lines_source import lines_job


class FakeLake:
    """A lake that reads what is published when it is asked for the second time."""

    def __init__(self, *, silent: int = 0, reads: bool = True) -> None:
        self.published: list[str] = []
        self._states: dict[str, EventStatus] = {}
        self._silent = silent
        self._reads = reads

    async def publish(self, event: RawEvent) -> bool:
        text = event.body.to_bytes().decode()
        if text == "huge":
            raise TooLarge("9 MB")
        self.published.append(text)
        rejected = text.startswith("?")
        self._states[event.event_id] = EventStatus(
            event_id=event.event_id,
            state=EventState.REJECTED if rejected else EventState.PARSED,
            observations=0 if rejected else 2,
            reason="unreadable: a question" if rejected else None,
        )
        return True

    async def sources(self, asked: SourcesRequest) -> SourcesReply:
        self._silent -= 1
        if self._silent == 1:
            raise RequestRefused(
                ErrorReply(code=ErrorCode.OVERLOADED, message="later", retryable=True)
            )
        if self._silent >= 0:
            raise NoAnswer("nobody")
        states = self._states if self._reads else {}
        return SourcesReply(
            project=asked.project,
            sources=(),
            events=tuple(
                states.get(name, EventStatus(event_id=name, state=EventState.UNKNOWN))
                for name in asked.event_ids
            ),
        )


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importer, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(importer, "PATIENCE_SECONDS", 0.2)
    monkeypatch.setattr(importer, "CHUNK", 3)


@pytest.fixture
def job(tmp_path: Path) -> Job:
    (tmp_path / "one").write_text("a\nb\n- skipped\n? why\n")
    (tmp_path / "two").write_text("c\nhuge\na\n")
    return lines_job(tmp_path)


async def run(lake: FakeLake, job: Job, reports: list[str] | None = None) -> Progress:
    seen: list[str] = [] if reports is None else reports
    work = Importer(lake, lake, lambda now: seen.append(now.as_json()), asyncio.Event())
    return await work.run(job)


async def test_everything_is_published_once_and_accounted_for(job: Job) -> None:
    lake, reports = FakeLake(), list[str]()
    progress = await run(lake, job, reports)
    assert lake.published == ["a", "b", "? why", "c"]
    assert (progress.files, progress.events, progress.published) == (2, 6, 4)
    assert (progress.known, progress.observations, progress.rejected) == (1, 6, 1)
    assert (progress.skipped, progress.done) == (2, True)
    assert progress.reasons == {
        "not wanted": 1,
        "unreadable: a question": 1,
        "the record is longer than 64 MB": 1,
    }
    assert json.loads(reports[-1]) == json.loads(progress.as_json())
    assert [json.loads(line)["done"] for line in reports[:-1]] == [False] * (len(reports) - 1)


async def test_a_second_import_publishes_nothing(job: Job) -> None:
    lake = FakeLake()
    await run(lake, job)
    before = [*lake.published]
    again = await run(lake, job)
    assert lake.published == before
    assert (again.known, again.published) == (5, 0)


async def test_repeated_records_count_once(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("a\na\nb\n")
    job, lake = lines_job(tmp_path), FakeLake()
    first, again = await run(lake, job), await run(lake, job)
    assert (first.events, first.published) == (2, 2)
    assert (again.events, again.known) == (2, 2)


async def test_few_large_records_are_held_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importer, "CHUNK_BYTES", 20)
    (tmp_path / "one").write_text("".join(f"{number:019}\n" for number in range(6)))
    reports = list[str]()
    await run(FakeLake(), lines_job(tmp_path), reports)
    assert json.loads(reports[0])["events"] == 2


async def test_what_is_passed_over_is_counted(job: Job) -> None:
    (job.paths[0] / "link").symlink_to("one")
    progress = await run(FakeLake(), job)
    assert (progress.files, progress.skipped) == (2, 3)
    assert progress.reasons["links are not followed"] == 1


async def test_a_lake_that_starts_late_is_waited_for(job: Job) -> None:
    assert (await run(FakeLake(silent=4), job)).done


async def test_a_lake_that_never_answers_ends_the_import(job: Job) -> None:
    with pytest.raises(LakeSilent):
        await run(FakeLake(silent=10_000), job)


async def test_a_lake_that_reads_nothing_ends_the_import(job: Job) -> None:
    with pytest.raises(LakeSilent):
        await run(FakeLake(reads=False), job)


async def test_an_interrupt_ends_it_early_and_says_so(job: Job) -> None:
    stopping = asyncio.Event()
    lake = FakeLake()
    work = Importer(lake, lake, lambda _: stopping.set(), stopping)
    progress = await work.run(job)
    assert len(lake.published) == 3
    assert not progress.done
