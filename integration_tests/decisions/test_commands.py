"""The commands of a person who decides, as real processes: their output and exit codes."""

import asyncio
import json
import os
import sys
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import pytest
from cortex_local.errors import ExitCode
from cortex_local.layout import claim_layout
from cortex_local.locks import exclusive_lock
from cortex_local.state import Endpoints, write_endpoints
from decisions.operator import ANN_KEY, Operator
from memory.observing import ANN, PROJECT, actor, claim, observe
from roxabi_contracts.actor import ActorRole
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.decisions import ConflictRecord, ConflictsReply, DecisionReply
from roxabi_contracts.observation import Origin
from roxabi_contracts.operations import FactsReply, FactStatus
from roxabi_contracts.payloads import ClaimAction
from services import Servers

HOME_KEY = "ann.home@gmail.com"

SAID = [
    observe(claim("name", "Ann"), at=1, ref="a"),
    observe(claim("name", "Anna"), at=2, ref="b"),
    observe(claim("name", "Annie"), at=3, ref="c"),
    observe(claim("hobby", "chess"), at=4, ref="d", origin=Origin.UNTRUSTED),
    observe(claim("lives_in", "Oslo"), at=5, ref="e"),
]


@dataclass(frozen=True, slots=True)
class Ended:
    """What a command left behind."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Terminal:
    """A shell in which the stack of the folder runs."""

    folder: Path

    async def run(self, *arguments: str) -> Ended:
        """Run `cortex` to its end."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "cortex_local", *arguments, "--project", PROJECT),
            env={**os.environ, "CORTEX_HOME": str(self.folder), "COLUMNS": "200"},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await process.communicate()
        return Ended(process.returncode or 0, out.decode(), err.decode())

    async def done(self, *arguments: str) -> str:
        """Run `cortex`, which has to succeed; what it printed."""
        ended = await self.run(*arguments)
        assert ended.code == ExitCode.OK, ended.err
        return ended.out


@pytest.fixture
def folder(servers: Servers, tmp_path: Path) -> Generator[Path]:
    """The folder of a stack that runs, on the servers of the session."""
    layout = claim_layout(tmp_path / "stack")
    nowhere = "postgresql://nowhere"
    broker = servers.broker
    write_endpoints(layout, Endpoints(nowhere, nowhere, nowhere, broker.url, broker.seeds))
    with exclusive_lock(layout.supervisor_lock):
        yield layout.folder


@pytest.fixture
async def terminal(operator: Operator, folder: Path) -> Terminal:
    """A shell beside a memory in which something contradicts itself."""
    operator.warehouse.clock.moment = from_epoch_ms(10_000_000_000_000)
    await operator.warehouse.retain(SAID)
    return Terminal(folder)


async def fact_id(operator: Operator, value: str) -> str:
    return (await operator.fact(value)).id[:8]


async def conflict_id(operator: Operator) -> str:
    (conflict,) = (await operator.conflicts(settled=True)).conflicts
    return conflict.id[:8]


async def test_a_contested_fact_is_seen_to_be_contested(terminal: Terminal) -> None:
    (ann,) = [
        line for line in (await terminal.done("facts", ANN_KEY)).splitlines() if "Ann " in line
    ]
    assert "active (contested)" in ann
    history = await terminal.done("facts", ANN_KEY, "--history")
    assert history.count("candidate (contested)") == 2


async def test_conflicts_are_listed_shown_and_settled(
    terminal: Terminal, operator: Operator
) -> None:
    conflict, anna = await conflict_id(operator), await fact_id(operator, "Anna")
    listed = await terminal.done("conflicts", "list", "--subject", ANN_KEY)
    assert conflict in listed
    assert "Ann | Anna | Annie" in listed
    shown = await terminal.run("conflicts", "show", conflict)
    assert all(name in shown.out for name in ("Ann", "Anna", "Annie", anna))
    assert f"cortex conflicts resolve {conflict} --keep" in shown.err

    settling = ("conflicts", "resolve", conflict, "--keep", anna, "--by", "dora")
    settled = await terminal.done(*settling, "--reason", "I asked her.")

    assert "active" in settled
    assert "contested" not in settled
    assert await operator.shown() == {
        "Ann": "superseded",
        "Anna": "active",
        "Annie": "superseded",
        "chess": "quarantined",
        "Oslo": "active",
    }
    nothing = await terminal.run("conflicts", "list")
    assert (nothing.code, nothing.out) == (ExitCode.OK, "")
    assert "Nothing contradicts itself" in nothing.err
    assert conflict in await terminal.done("conflicts", "list", "--settled")
    assert "Settled on" in (await terminal.run("conflicts", "show", conflict)).err


async def test_some_of_a_conflict_can_lose(terminal: Terminal, operator: Operator) -> None:
    conflict = await conflict_id(operator)
    anna, ann = await fact_id(operator, "Anna"), await fact_id(operator, "Ann")
    settling = ("conflicts", "resolve", conflict, "--keep", anna, "--lose", ann)
    assert "(contested)" in await terminal.done(*settling)
    assert (await operator.fact("Annie")).status is FactStatus.CANDIDATE


@pytest.mark.parametrize(("action", "status"), [("release", "active"), ("reject", "disabled")])
async def test_quarantine_is_listed_and_judged(
    terminal: Terminal, operator: Operator, action: str, status: str
) -> None:
    chess = await fact_id(operator, "chess")
    assert chess in await terminal.done("quarantine", "list", ANN_KEY)
    assert status in await terminal.done("quarantine", action, ANN_KEY, chess)
    empty = await terminal.run("quarantine", "list", ANN_KEY)
    assert (empty.out, "Nothing is in quarantine" in empty.err) == ("", True)


async def test_a_fact_is_doubted_hidden_and_brought_back(
    terminal: Terminal, operator: Operator
) -> None:
    oslo = await fact_id(operator, "Oslo")
    assert "disputed" in await terminal.done("decide", "dispute", ANN_KEY, oslo)
    assert "disabled" in await terminal.done("decide", "disable", ANN_KEY, oslo)
    assert "Oslo" not in await terminal.done("facts", ANN_KEY)
    assert "active" in await terminal.done("decide", "enable", ANN_KEY, oslo)
    assert "Oslo" in await terminal.done("facts", ANN_KEY)


async def test_why_a_fact_holds_is_explained(terminal: Terminal, operator: Operator) -> None:
    oslo = await fact_id(operator, "Oslo")
    decision = ("decide", "dispute", ANN_KEY, oslo, "--by", "dora", "--reason", "moved?")
    await terminal.done(*decision)
    explained = await terminal.done("facts", ANN_KEY, "--why", oslo)
    assert "words" in explained
    assert "notes e" in explained
    assert "dispute by dora: moved?" in explained
    past = await terminal.done("facts", ANN_KEY, "--why", oslo, "--as-of", "1970-01-02")
    assert "words" in past
    assert "dora" not in past


async def test_a_memory_as_it_was_is_listed(terminal: Terminal) -> None:
    listed = await terminal.done("facts", ANN_KEY, "--as-of", "1970-01-01T00:00:00.001Z")
    assert "Ann" in listed
    assert "contested" not in listed
    assert "Oslo" not in listed


async def test_only_the_statuses_asked_for_are_listed(terminal: Terminal) -> None:
    listed = await terminal.done("facts", ANN_KEY, "--status", "quarantined")
    assert "chess" in listed
    assert "Oslo" not in listed


async def test_programs_get_json(terminal: Terminal, operator: Operator) -> None:
    conflict, anna = await conflict_id(operator), (await operator.fact("Anna")).id
    listed = ConflictsReply.model_validate_json(await terminal.done("conflicts", "list", "--json"))
    assert [len(one.members) for one in listed.conflicts] == [3]
    shown = await terminal.done("conflicts", "show", conflict, "--json")
    assert ConflictRecord.model_validate_json(shown).id.startswith(conflict)
    quarantined = await terminal.done("quarantine", "list", ANN_KEY, "--json")
    assert len(FactsReply.model_validate_json(quarantined).facts) == 1
    settling = ("conflicts", "resolve", conflict, "--keep", anna, "--at", "2026-01-01", "--json")
    first = DecisionReply.model_validate_json(await terminal.done(*settling))
    again = DecisionReply.model_validate_json(await terminal.done(*settling[:-1], "--json"))
    assert (first.known, again.known) == (False, True)
    explained = json.loads(await terminal.done("facts", ANN_KEY, "--why", anna, "--json"))
    assert [one["action"] for one in explained["explanation"]["decisions"]] == ["resolve"]


async def test_the_same_decision_again_is_said_to_be_known(
    terminal: Terminal, operator: Operator
) -> None:
    disabling = ("decide", "disable", ANN_KEY, await fact_id(operator, "Oslo"))
    await terminal.done(*disabling, "--at", "2026-01-01")
    assert "decided already" in (await terminal.run(*disabling, "--at", "2026-01-01")).err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("conflicts", "show", "nothing"), ExitCode.FAILED, "cortex conflicts list"),
        (("conflicts", "resolve", "nothing", "--keep", "x"), ExitCode.FAILED, "no conflict"),
        (("decide", "disable", ANN_KEY, "nothing"), ExitCode.FAILED, "not_found"),
        (("decide", "disable", "nobody@a.org", "x"), ExitCode.FAILED, "unknown_subject"),
        (("facts", ANN_KEY, "--why", "nothing"), ExitCode.FAILED, "not_found"),
        (("decide", "praise", ANN_KEY, "x"), ExitCode.USAGE, "praise"),
        (("decide", "disable", ANN_KEY, ""), ExitCode.USAGE, "ids begin with"),
        (("decide", "disable", ANN_KEY, "x", "--at", "soon"), ExitCode.USAGE, "soon"),
        (("facts", ANN_KEY, "--status", "odd"), ExitCode.USAGE, "odd"),
    ],
)
async def test_what_cannot_be_done_is_said_with_its_own_exit_code(
    terminal: Terminal, arguments: tuple[str, ...], code: int, said: str
) -> None:
    ended = await terminal.run(*arguments)
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err
    assert "Traceback" not in ended.err


async def test_who_is_who_is_seen_said_and_taken_back(
    terminal: Terminal, operator: Operator
) -> None:
    twice = [actor("ann.bee@gmail.com", name="Ann Bee"), actor("account:forge:17", name="Bee, Ann")]
    await operator.warehouse.retain([observe(at=9, ref="z", actors=[ANN, *twice])])
    pair = ("ann.bee@gmail.com", "account:forge:17")

    listed = await terminal.done("entities", "candidates", "--of", pair[0])
    assert "same_name_and_handle" in listed
    assert "both are called" in listed
    linked = await terminal.done("entities", "link", *pair, "--reason", "she told me")
    assert "email:ann.bee@gmail.com, account:forge:17" in linked or (
        "account:forge:17, email:ann.bee@gmail.com" in linked
    )
    assert "known already" in (await terminal.run("entities", "link", *pair)).err
    assert "she told me" in await terminal.done("entities", "show", pair[1])
    assert "Nobody seems" in (await terminal.run("entities", "candidates")).err
    await terminal.done("entities", "unlink", *pair)
    await terminal.done("entities", "distinct", *pair)
    assert "distinct, confirmed" in await terminal.done("entities", "show", pair[1])
    assert (await terminal.done("entities", "find", "bee")).count("Ann") == 2
    undone = await terminal.run("entities", "undo-rule", "no_rule")
    assert (undone.code, undone.out) == (ExitCode.FAILED, "")
    assert "no link stands under the rule" in undone.err


async def test_a_rule_is_undone_and_facts_follow_who_is_who(
    terminal: Terminal, operator: Operator
) -> None:
    record = actor(HOME_KEY, "account:forge:17", role=ActorRole.MENTIONED)
    said = [
        observe(claim("plays", "the oboe", about=1), at=9, ref="x", actors=[ANN, actor(HOME_KEY)]),
        observe(at=10, ref="y", actors=[ANN, record]),
    ]
    await operator.warehouse.retain(said)
    assert len(await operator.people()) == 2

    undone = await terminal.run("entities", "undo-rule", "one_record", "--reason", "wrong export")
    assert (undone.code, undone.err) == (ExitCode.OK, "Took back 1 links.\n")
    assert len(await operator.people()) == 3

    assert (await operator.fact("the oboe")).about != (await operator.fact("Oslo")).about
    await terminal.done("entities", "link", ANN_KEY, HOME_KEY)
    assert (await operator.fact("the oboe")).about == (await operator.fact("Oslo")).about
    await terminal.done("entities", "unlink", ANN_KEY, HOME_KEY)
    assert (await operator.fact("the oboe")).about != (await operator.fact("Oslo")).about


async def test_names_are_joined_and_parted_and_their_facts_follow(
    terminal: Terminal, operator: Operator
) -> None:
    north, south = claim("zinnia_host", "north"), claim("box_upstairs", "south", begin=11)
    replacing = south.model_copy(update={"action": ClaimAction.SUPERSEDE})
    said = [observe(north, at=9, ref="x"), observe(replacing, at=11, ref="y")]
    await operator.warehouse.retain(said)
    assert (await operator.fact("north")).status is FactStatus.ACTIVE
    assert "zinnia_host" in await terminal.done("predicates", "list")
    pair = ("zinnia_host", "box_upstairs")

    joined = await terminal.run("predicates", "link", *pair, "--reason", "moved upstairs")
    assert joined.code == ExitCode.OK
    assert "mean the same from now on" in joined.out
    await operator.warehouse.drain()
    assert (await operator.fact("north")).status is FactStatus.SUPERSEDED
    assert "moved upstairs" in await terminal.done("predicates", "pairs", pair[0])

    parted = await terminal.run("predicates", "unlink", *pair)
    assert "are different from now on" in parted.out
    await operator.warehouse.drain()
    assert (await operator.fact("north")).status is FactStatus.ACTIVE

    unfit = await terminal.run("predicates", "link", pair[0], pair[0])
    assert (unfit.code != ExitCode.OK, unfit.out) == (True, "")
    assert "Traceback" not in unfit.err


async def test_the_owners_accounts_stand_in_a_file(
    terminal: Terminal, operator: Operator, tmp_path: Path
) -> None:
    await operator.warehouse.retain([observe(at=9, ref="z", actors=[ANN, actor(HOME_KEY)])])
    await terminal.done("owner", "add", ANN_KEY, HOME_KEY, "account:forge:17")
    assert len(await operator.people()) == 1
    listed = await terminal.done("owner", "list")
    assert listed == f"<{ANN_KEY}> <{HOME_KEY}> <account:forge:17>\n"

    await terminal.done("owner", "remove", HOME_KEY)
    assert len(await operator.people()) == 2
    mailmap = tmp_path / "mailmap"
    mailmap.write_text(f"Ann <{ANN_KEY}> Ann Bee <{HOME_KEY}> # at home\n")
    await terminal.done("owner", "apply", str(mailmap))
    assert len(await operator.people()) == 1
    assert "# at home" in await terminal.done("owner", "list")

    wrong = await terminal.run("owner", "add", "17")
    assert (wrong.code, wrong.out) == (ExitCode.FAILED, "")
    assert "Keys look like" in wrong.err
