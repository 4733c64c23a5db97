"""The README keeps its word: its commands, files and settings exist, and its code runs."""

import asyncio
import json
import re
import shlex
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Final, cast

import pytest
from checkout import PACKAGES, ROOT
from cortex_insight.parsers import BUILT_IN
from cortex_local import accounts
from cortex_local.cli.app import app
from cortex_local.keys import seed_file
from polling import NotYet, eventually
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.event import JsonBody
from roxabi_contracts.predicates import CatalogueLayer
from samples import note, notes
from stack import Stack
from typer.core import TyperGroup
from typer.main import get_command

README: Final = (ROOT / "README.md").read_text("utf-8")
COMMANDS: Final = cast("TyperGroup", get_command(app)).commands
FOR_OPERATORS: Final = {"broker-config"}
"""Described where a broker of one's own is, not in the table of commands."""


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def inline_code() -> list[str]:
    """What stands between backticks in the text."""
    text = re.sub(r"^```.*?^```", "", README, flags=re.DOTALL | re.MULTILINE)
    return re.findall(r"`([^`\n]+)`", text)


def lines_of(program: str) -> Iterator[list[str]]:
    """The words after the program in every command line that is shown."""
    typed = [line.removeprefix("$ ") for block in blocks("console") for line in block.splitlines()]
    for line in [*typed, *inline_code()]:
        words = shlex.split(line, comments=True)
        if len(words) > 1 and words[0] == program:
            yield words[1:]


def test_every_source_is_named_and_no_other() -> None:
    table = README.split("| source | what it reads |", 1)[1].split("\n\n", 1)[0]
    first_cells = [row.split("|")[1] for row in table.splitlines()[2:]]
    named = [name for cell in first_cells for name in re.findall(r"`([a-z-]+)`", cell)]
    assert sorted(named) == sorted(parser.source for parser in BUILT_IN)


def test_every_command_and_option_that_it_shows_exists() -> None:
    shown = list(lines_of("cortex"))
    assert len(shown) > 5
    for name, *arguments in shown:
        assert name in COMMANDS, f"cortex {name}"
        command = COMMANDS[name]
        if isinstance(command, TyperGroup):
            assert arguments[0] in command.commands, f"cortex {name} {arguments[0]}"
            command = command.commands[arguments[0]]
        known = {option for parameter in command.params for option in parameter.opts}
        used = {word.strip("[]") for word in arguments if word.startswith(("--", "[--"))}
        assert used <= known, f"cortex {name}"


def test_every_command_is_shown() -> None:
    visible = {name for name, command in COMMANDS.items() if not command.hidden}
    assert visible - {name for name, *_ in lines_of("cortex")} - FOR_OPERATORS == set()


def test_every_target_of_make_that_it_shows_exists() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    shown = {words[0] for words in lines_of("make")}
    assert {"setup", "demo", "test"} <= shown
    missing = [name for name in shown if not re.search(rf"^{name}:", makefile, re.MULTILINE)]
    assert missing == []


def test_every_file_that_it_names_exists() -> None:
    named = {code for code in inline_code() if re.fullmatch(r"[a-z_/.-]+(\.py|/)", code)}
    assert len(named) > 8
    there = [
        f"{path}/" if path.is_dir() else str(path)
        for package in PACKAGES
        for path in package.source.rglob("*")
    ] + [f"{path}/" for path in (ROOT / "deploy").iterdir()]
    missing = [name for name in named if not any(path.endswith(f"/{name}") for path in there)]
    assert missing == []


def test_every_setting_that_it_names_is_read_by_some_package() -> None:
    code = "".join(path.read_text("utf-8") for p in PACKAGES for path in p.source.rglob("*.py"))
    named = set(re.findall(r"CORTEX_[A-Z_]+", README))
    assert named
    assert [name for name in named if name not in code] == []


def test_its_example_of_predicates_extends_the_catalogue() -> None:
    (example,) = blocks("toml")
    catalogues = Catalogues.from_toml(example)
    harbour, garden = map(catalogues.for_project, ("harbour", "garden"))
    assert harbour.layer_of("chosen_tool") is CatalogueLayer.PROJECT
    assert garden.layer_of("chosen_tool") is None
    assert garden.layer_of("amarrage") is CatalogueLayer.INSTALLATION


async def test_its_example_of_a_client_runs(shared_stack: Stack) -> None:
    example, _ = blocks("python")
    names: dict[str, object] = {}
    exec(compile(example, "README.md", "exec"), names)
    remember = cast("Callable[..., Awaitable[str]]", names["remember"])
    await shared_stack.publish(notes("I live in Bergen.", email="you@example.org"))
    await shared_stack.drained()
    seed = seed_file(shared_stack.endpoints.seeds, accounts.AGENT)
    assert "Bergen" in await remember(shared_stack.endpoints.broker, seed, "lives in Bergen")


async def test_its_example_of_following_changes_runs(
    shared_stack: Stack, capsys: pytest.CaptureFixture[str]
) -> None:
    _, example = blocks("python")
    names: dict[str, object] = {}
    exec(compile(example, "README.md", "exec"), names)
    follow = cast("Callable[..., Coroutine[None, None, None]]", names["print_changes"])
    async with shared_stack.connected(accounts.AGENT) as connection:
        following = asyncio.create_task(follow(connection))
        await shared_stack.publish(notes("I live in Tromsø.", email="follower@example.org"))
        told: list[str] = []

        async def look() -> None:
            told.append(capsys.readouterr().out)
            if "created lives_in {'value': 'Tromsø'}" not in "".join(told):
                raise NotYet(f"it printed {told}")

        await eventually("a change that is printed", look)
        following.cancel()


async def test_its_example_of_a_message_becomes_a_fact(shared_stack: Stack) -> None:
    project = "readme"
    (example,) = blocks("json")
    body = JsonBody(content=json.loads(example))
    event = note("", project=project).model_copy(update={"body": body, "source_ref": "42"})
    await shared_stack.publish([event])
    await shared_stack.drained(project)
    (fact,) = await shared_stack.facts(project=project)
    assert (fact.predicate, fact.value) == ("lives_in", {"value": "Berlin"})
