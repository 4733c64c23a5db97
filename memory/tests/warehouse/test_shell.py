"""Settings, faults, queries and errors: what the shell promises without any server."""

import os
import signal
import subprocess
import sys
from importlib import resources

import pytest
from cortex_memory import errors
from cortex_memory.faults import KILLED, Step
from cortex_memory.settings import Settings, StoreSettings, from_environment
from cortex_memory.store.jobs import LONGEST_DELAY_SECONDS, Job
from cortex_memory.store.migrate import bundled_migrations
from cortex_memory.store.observations import content_of, observation_of, versions_of
from cortex_memory.store.queries import all_queries, query
from pydantic import ValidationError
from retain.observing import claim, observe


def test_a_fault_point_ends_the_process_at_its_step_only() -> None:
    program = (
        "from cortex_memory.faults import Step, faults\n"
        "reach = faults(Step.AFTER_LEASE, ())\n"
        "reach(Step.BEFORE_APPLY_COMMIT)\n"
        "print('alive', flush=True)\n"
        "reach(Step.AFTER_LEASE)\n"
        "print('still alive', flush=True)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)

    assert (ended.returncode, ended.stdout) == (KILLED, b"alive\n")


def test_a_fault_point_stops_the_process_as_often_as_its_step_is_named() -> None:
    program = (
        "from cortex_memory.faults import Step, faults\n"
        "reach = faults(None, [Step.AFTER_LEASE])\n"
        "reach(Step.BEFORE_APPLY_COMMIT)\n"
        "reach(Step.AFTER_LEASE)\n"
        "reach(Step.AFTER_LEASE)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program]) as process:
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        process.send_signal(signal.SIGCONT)
        assert process.wait() == 0


def test_a_missing_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CORTEX_MEMORY_DATABASE_URL", raising=False)
    with pytest.raises(ValidationError, match="CORTEX_MEMORY_DATABASE_URL"):
        from_environment(StoreSettings)


def test_settings_come_from_the_environment_and_show_no_secret(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CORTEX_MEMORY_DATABASE_URL", "postgresql://u:secret@h/d")
    monkeypatch.setenv("CORTEX_NATS_URL", "nats://h")
    monkeypatch.setenv("CORTEX_FAULT", "after_lease")
    settings = from_environment(Settings)

    assert settings.fault is Step.AFTER_LEASE
    assert "secret" not in repr(settings)


def test_every_query_has_a_comment_and_is_found_by_name() -> None:
    for name, text in all_queries().items():
        assert text.startswith(b"-- "), name
        assert b"-- use:" not in text, name
        assert query(name) is text
    with pytest.raises(KeyError):
        query("nothing.at_all")


def test_what_several_queries_share_is_written_once() -> None:
    told = b"status = 'candidate' AND fact.conflict_id IS NOT NULL"
    folder = resources.files("cortex_memory.store").joinpath("sql")

    assert sum(file.read_bytes().count(told) for file in folder.iterdir()) == 1
    for name in ("candidates.facts", "fusion.facts"):
        assert query(name).count(told) > 1


def test_migrations_are_numbered_without_a_gap() -> None:
    numbers = [step.number for step in bundled_migrations()]

    assert numbers == list(range(1, len(numbers) + 1))


def test_every_error_says_what_it_means_and_stands_in_the_tree() -> None:
    pending = [errors.WarehouseError]
    while pending:
        kind = pending.pop()
        assert kind.__doc__
        assert kind.__name__ in (errors.__doc__ or "")
        pending.extend(kind.__subclasses__())


def test_a_job_waits_twice_as_long_after_each_failure_up_to_an_hour() -> None:
    delays = [Job("p", "o", "s", attempts).delay for attempts in (1, 2, 5, 50)]

    assert delays == [2, 4, 32, LONGEST_DELAY_SECONDS]


def test_an_observation_comes_out_of_the_store_as_it_went_in() -> None:
    seen = observe(claim("likes", {"a": 1e30, "b": [None, True]}), at=1, ref="é\u2028", parser=3)
    again = observation_of(seen.id, versions_of(seen.made_by), content_of(seen).decode())

    assert again == seen
    assert again.payload == seen.payload
