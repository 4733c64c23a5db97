"""A third party adds a source without a fork: a package, an entry point, the suite, an import."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from checkout import INSIGHT
from imports import Import
from samples import OWNER
from stack import Stack
from test_packages import uv
from third_party import write_package


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package of the third party."""
    return write_package(tmp_path_factory.mktemp("diary"))


@pytest.fixture(scope="session")
def environment(
    environment: dict[str, str], package: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """Surroundings in which insight finds the package beside its own."""
    wheels, site = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("site")
    uv("build", "--wheel", "--out-dir", wheels, package)
    (wheel,) = wheels.glob("*.whl")
    uv("pip", "install", "--no-deps", "--target", site, "--python", INSIGHT.interpreter, wheel)
    return {**environment, "PYTHONPATH": str(site)}


def test_it_passes_the_suite(package: Path, environment: dict[str, str]) -> None:
    command = [str(INSIGHT.interpreter), "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, env=environment, cwd=package, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "12 passed" in done.stdout


def test_the_command_lists_it(environment: dict[str, str]) -> None:
    program = INSIGHT.interpreter.parent / "cortex-insight"
    listed = subprocess.run([program, "sources"], env=environment, capture_output=True, check=True)
    assert "diary" in [json.loads(line)["source"] for line in listed.stdout.splitlines()]
    without = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    listed = subprocess.run([program, "sources"], env=without, capture_output=True, check=True)
    assert "diary" not in [json.loads(line)["source"] for line in listed.stdout.splitlines()]


async def test_its_files_are_recognised_imported_and_remembered(
    shared_stack: Stack, environment: dict[str, str], tmp_path: Path
) -> None:
    project = "third-party"
    (tmp_path / "my.diary").write_text("2026-03-01: I live in Porto.\nno day\n")
    done = Import(
        shared_stack.endpoints, environment, tmp_path, project=project, source=None, owner=OWNER
    ).finished()
    assert (done["events"], done["observations"], done["rejected"]) == (2, 1, 1)
    await shared_stack.drained(project)
    (fact,) = await shared_stack.facts(project=project)
    assert (fact.predicate, fact.value) == ("lives_in", {"value": "Porto"})
