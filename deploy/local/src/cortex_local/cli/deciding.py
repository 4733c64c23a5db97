"""Deciding about facts: what a person says of them, sent to memory and shown."""

import getpass
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final

import typer
from roxabi_contracts.client import Connection, MemoryClient
from roxabi_contracts.decisions import DecisionReply, DecisionRequest
from roxabi_contracts.operations import DecisionAction, FactsRequest

from cortex_local.cli.clock import now
from cortex_local.cli.console import JsonOption, ProjectOption, answers, messages
from cortex_local.cli.rendering import fact_rows
from cortex_local.cli.requests import as_operator, build, moment
from cortex_local.health import DEFAULT_PROJECT

WHOLE_ID: Final = 32
"""Digits of an id; what is shorter is the beginning of one."""
MOST_FACTS: Final = 5000

SubjectArgument = Annotated[
    str, typer.Argument(help="Whose memory: an e-mail address or scheme:value.")
]
FactArgument = Annotated[
    str, typer.Argument(help="The id of the fact, or its beginning (see cortex facts).")
]
ByOption = Annotated[str, typer.Option("--by", help="Who decides; by default you.")]
ReasonOption = Annotated[
    str | None, typer.Option("--reason", help="Why; shown by cortex facts WHO --why FACT.")
]
AtOption = Annotated[
    str | None, typer.Option("--at", help="When it was decided (ISO 8601); by default now.")
]


class Mark(StrEnum):
    """What can be said of any fact."""

    DISPUTE = DecisionAction.DISPUTE.value
    DISABLE = DecisionAction.DISABLE.value
    ENABLE = DecisionAction.ENABLE.value


@dataclass(frozen=True, slots=True)
class Ruling:
    """Who decides, why, and when."""

    project: str
    by: str
    reason: str | None
    at: str | None

    def request(
        self, action: DecisionAction, subject: str, fact_id: str, lose: Sequence[str] = ()
    ) -> DecisionRequest:
        """The decision on a fact."""
        return build(
            DecisionRequest,
            project=self.project,
            subject=subject,
            action=action,
            fact_id=fact_id,
            lose=tuple(lose),
            decided_by=self.by or getpass.getuser(),
            decided_at=now() if self.at is None else moment(self.at),
            reason=self.reason,
        )


def decide(
    action: Annotated[
        Mark,
        typer.Argument(help="dispute: doubt it; disable: hide it; enable: lift either."),
    ],
    subject: SubjectArgument,
    fact: FactArgument,
    by: ByOption = "",
    reason: ReasonOption = None,
    at: AtOption = None,
    project: ProjectOption = DEFAULT_PROJECT,
    as_json: JsonOption = False,
) -> None:
    """Doubt a fact, hide it, or bring it back.

    What is disputed or disabled is kept and not served. The latest decision wins.

    Example: cortex decide disable you@example.com 3f2a91bc --reason "that was a joke"
    """
    ruling = Ruling(project, by, reason, at)
    decide_on(DecisionAction(action.value), subject, fact, ruling, as_json=as_json)


def decide_on(
    action: DecisionAction, subject: str, fact: str, ruling: Ruling, *, as_json: bool
) -> None:
    """Send the decision on one fact, and show what became of it."""

    async def send(connection: Connection) -> DecisionReply:
        memory = MemoryClient(connection)
        fact_id = await whole_id(memory, ruling.project, subject, fact)
        return await memory.decide(ruling.request(action, subject, fact_id))

    show_decision(as_operator(send), as_json=as_json)


def show_decision(reply: DecisionReply, *, as_json: bool) -> None:
    """What a decision made of the facts that it speaks of."""
    if as_json:
        answers.print_json(reply.model_dump_json())
        return
    if reply.known:
        messages.print("This was decided already; nothing has changed.")
    answers.print(fact_rows(reply.facts))


async def whole_id(memory: MemoryClient, project: str, subject: str, given: str) -> str:
    """The id that begins so; memory says itself that there is none."""
    if len(given) >= WHOLE_ID:
        return given
    request = build(FactsRequest, project=project, subject=subject, history=True, limit=MOST_FACTS)
    return only_match(given, [fact.id for fact in (await memory.facts(request)).facts])


def only_match(given: str, ids: Iterable[str]) -> str:
    """The one id that begins so, else what was given.

    Raises:
        typer.BadParameter: several ids begin so.
    """
    matches = {known for known in ids if known.startswith(given)}
    if len(matches) > 1:
        raise typer.BadParameter(f"{len(matches)} ids begin with {given!r}: give more of it.")
    return matches.pop() if matches else given
