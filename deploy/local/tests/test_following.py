"""Clients follow the changes of their own project, each at its own pace, and no other."""

import asyncio
import shutil
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing, asynccontextmanager
from typing import Final

import pytest
from cortex_local import accounts, nats
from cortex_local.broker_user import connect_as
from cortex_local.parts import terminate
from cortex_local.provision import find_drift, provision
from nats.errors import Error as NatsError
from roxabi_contracts import codec, subjects
from roxabi_contracts.changes import Change
from roxabi_contracts.client import Connection, NoDurable, PermissionViolation, follow_changes
from roxabi_contracts.errors import InvalidToken

from .conftest import Broker, make_short_folder

AGENTS: Final = {"ada-agent": "ada", "bob-agent": "bob"}


@pytest.fixture(scope="module")
def tenants() -> Generator[Broker]:
    """A broker with a client in each of two projects."""
    folder = make_short_folder()
    seeds, configuration, log = folder / "seeds", folder / "nats.conf", folder / "nats.log"
    nats.write_configuration(
        configuration,
        store=folder / "store",
        seeds=seeds,
        listening=nats.Listening(),
        agents=AGENTS,
        ports_folder=folder,
    )
    with log.open("ab") as output:
        process = nats.start(configuration, output)
    listening = nats.wait_until_ready(process, folder, log)
    url = f"nats://{listening.client}"
    asyncio.run(provision(url, seeds, AGENTS))
    yield Broker(url, listening.monitoring, seeds)
    terminate(process)
    shutil.rmtree(folder)


def change(project: str, version: int) -> Change:
    return Change(
        id=f"{project}-{version}",
        project=project,
        subject="s",
        version=version,
        what="fact",
        change="created",
        predicate="name",
        about="s",
        occurred_at=None,
    )


async def announce(broker: Broker, *changes: Change) -> None:
    async with connect_as(broker.url, broker.seeds, accounts.MEMORY) as memory:
        for each in changes:
            await memory.client.jetstream().publish(
                subjects.changes(each.project), codec.encode(each)
            )


@asynccontextmanager
async def client(broker: Broker, name: str) -> AsyncGenerator[Connection]:
    async with connect_as(broker.url, broker.seeds, name) as connection:
        yield connection


async def heard(connection: Connection, name: str, count: int) -> list[Change]:
    """The next so many changes; the client is done with all but the last of them."""
    found: list[Change] = []
    async with aclosing(follow_changes(connection, name)) as changes:
        async for each in changes:
            found.append(each)
            if len(found) == count:
                break
    return found


async def test_each_client_follows_its_own_project_and_goes_on_where_it_was(
    tenants: Broker,
) -> None:
    ours, theirs = [change("ada", version) for version in (1, 2, 3)], change("bob", 1)
    await announce(tenants, ours[0], theirs, *ours[1:])
    async with client(tenants, "ada-agent") as ada, client(tenants, "bob-agent") as bob:
        assert await heard(ada, "ada-agent", 2) == ours[:2]
        assert await heard(bob, "bob-agent", 1) == [theirs]
    async with client(tenants, "ada-agent") as ada:
        assert {each.id for each in await heard(ada, "ada-agent", 2)} == {"ada-2", "ada-3"}


async def test_no_client_follows_another(tenants: Broker) -> None:
    await announce(tenants, change("bob", 7))
    async with client(tenants, "ada-agent") as ada:
        with pytest.raises(PermissionViolation, match="changes-bob-agent"):
            await heard(ada, "bob-agent", 1)
        refused = await ada.client.subscribe(subjects.changes("bob"))
        await announce(tenants, change("bob", 8))
        with pytest.raises(NatsError):
            await refused.next_msg(timeout=0.15)
        assert ada.violation_on(subjects.changes("bob")) is not None


async def test_a_client_that_nothing_was_set_up_for_is_told(tenants: Broker) -> None:
    async with connect_as(tenants.url, tenants.seeds, accounts.MEMORY_PROVISIONER) as connection:
        manager = connection.client.jetstream()
        durable = subjects.changes_durable("bob-agent")
        await manager.delete_consumer(subjects.STREAM_CHANGES, durable)
    async with client(tenants, "bob-agent") as bob:
        with pytest.raises(NoDurable, match=durable):
            await anext(follow_changes(bob, "bob-agent", patience=0))
    (drift,) = await find_drift(tenants.url, tenants.seeds, AGENTS)
    assert str(drift) == f"{subjects.STREAM_CHANGES}/{durable}: missing"
    await provision(tenants.url, tenants.seeds, AGENTS)


@pytest.mark.parametrize(("name", "project"), [("a.b", "ada"), ("a", "*"), ("a", "unassigned")])
def test_no_client_is_let_in_under_such_names(name: str, project: str) -> None:
    with pytest.raises(InvalidToken):
        accounts.users({name: project})
