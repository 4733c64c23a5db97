"""A person who looks at facts and decides about them, over the broker."""

from collections.abc import Sequence
from datetime import datetime

from memory.observing import PROJECT
from memory.warehouse import Warehouse
from roxabi_contracts.base import JsonObject, from_epoch_ms
from roxabi_contracts.client import Connection, MemoryClient
from roxabi_contracts.decisions import (
    ConflictsReply,
    ConflictsRequest,
    DecisionReply,
    DecisionRequest,
)
from roxabi_contracts.identities import (
    EntitiesReply,
    EntitiesRequest,
    EntitiesView,
    LinkAction,
    LinkReply,
    LinkRequest,
)
from roxabi_contracts.operations import (
    DecisionAction,
    FactRecord,
    FactsReply,
    FactsRequest,
    FactStatus,
)

ANN_KEY = "ann@garden.org"
BOB_KEY = "bob@garden.org"


def deciding(
    action: DecisionAction,
    fact_id: str,
    *,
    lose: Sequence[str] = (),
    at: int = 100,
    subject: str = ANN_KEY,
    reason: str | None = None,
) -> DecisionRequest:
    """What Dora decides about a fact, by default of Ann's memory."""
    return DecisionRequest(
        project=PROJECT,
        subject=subject,
        action=action,
        fact_id=fact_id,
        lose=tuple(lose),
        decided_by="dora",
        decided_at=from_epoch_ms(at),
        reason=reason,
    )


def saying(
    action: LinkAction,
    first: str | None = None,
    second: str | None = None,
    *,
    at: int = 100,
    rule: str | None = None,
    accounts: Sequence[Sequence[str]] = (),
) -> LinkRequest:
    """What Dora says of who is who."""
    return LinkRequest(
        project=PROJECT,
        action=action,
        first=first,
        second=second,
        rule=rule,
        accounts=tuple(tuple(keys) for keys in accounts),
        decided_by="dora",
        decided_at=from_epoch_ms(at),
    )


class Operator:
    """Asks and decides as the operator of the broker."""

    def __init__(self, warehouse: Warehouse, connection: Connection) -> None:
        self.warehouse = warehouse
        self.connection = connection
        self.client = MemoryClient(connection)

    async def decide(self, request: DecisionRequest) -> DecisionReply:
        """Send a decision."""
        return await self.client.decide(request)

    async def link(
        self,
        action: LinkAction,
        first: str | None = None,
        second: str | None = None,
        *,
        at: int = 100,
        rule: str | None = None,
        accounts: Sequence[Sequence[str]] = (),
    ) -> LinkReply:
        """Say who is who."""
        said = saying(action, first, second, at=at, rule=rule, accounts=accounts)
        return await self.client.link(said)

    async def entities(
        self, view: EntitiesView, text: str | None = None, limit: int = 100
    ) -> EntitiesReply:
        """Who is known."""
        return await self.client.entities(
            EntitiesRequest(project=PROJECT, view=view, text=text, limit=limit)
        )

    async def people(self) -> set[frozenset[str]]:
        """The keys of each entity."""
        found = (await self.entities(EntitiesView.FIND)).entities
        return {frozenset(f"{key.scheme}:{key.value}" for key in one.keys) for one in found}

    async def conflicts(
        self, *, subject: str | None = None, settled: bool = False, limit: int = 200
    ) -> ConflictsReply:
        """The conflicts of the project."""
        return await self.client.conflicts(
            ConflictsRequest(project=PROJECT, subject=subject, settled=settled, limit=limit)
        )

    async def facts(
        self,
        *,
        subject: str = ANN_KEY,
        statuses: Sequence[FactStatus] = (),
        why: str | None = None,
        as_of: datetime | None = None,
        history: bool = True,
    ) -> FactsReply:
        """The facts of a memory, by default all of Ann's."""
        return await self.client.facts(
            FactsRequest(
                project=PROJECT,
                subject=subject,
                history=history,
                statuses=tuple(statuses),
                why=why,
                as_of=as_of,
            )
        )

    async def shown(self) -> dict[str, str]:
        """Each value of Ann's facts with its status, where no value has two facts."""
        return shown((await self.facts()).facts)

    async def fact(self, value: str, subject: str = ANN_KEY) -> FactRecord:
        """The fact of a value."""
        (found,) = [
            fact for fact in (await self.facts(subject=subject)).facts if text(fact.value) == value
        ]
        return found


def text(value: JsonObject | None) -> str:
    """The scalar of `{"value": scalar}`."""
    assert value is not None
    return str(value["value"])


def shown(facts: Sequence[FactRecord]) -> dict[str, str]:
    """Each value with its status, where no value has two facts."""
    found = {text(fact.value): fact.status.value for fact in facts}
    assert len(found) == len(facts)
    return found
