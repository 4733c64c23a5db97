import asyncio
import json
import socket
from pathlib import Path

import pytest
from cortex_local import nats
from cortex_local.accounts import inbox_prefix, users
from cortex_local.broker_user import connect_as, require_synchronous_writes, server_figures
from cortex_local.errors import StackError, StackUnhealthy
from cortex_local.keys import ensure_keys
from cortex_local.parts import terminate

from .conftest import Broker


def test_configuration_is_accepted_by_the_server(tmp_path: Path) -> None:
    path = tmp_path / "nats.conf"
    nats.write_configuration(
        path, store=tmp_path, seeds=tmp_path / "seeds", listening=nats.Listening()
    )
    nats.check_configuration(path)


def test_the_address_is_kept_unless_another_program_took_it(tmp_path: Path) -> None:
    path = tmp_path / "nats.conf"
    assert nats.last_listening(path) == nats.Listening()
    with (
        socket.create_server(("127.0.0.1", 0)) as other,
        socket.create_server(("127.0.0.1", 0)) as free,
    ):
        taken, left = (f"127.0.0.1:{each.getsockname()[1]}" for each in (other, free))
        free.close()
        path.write_text(json.dumps({"listen": left, "http": taken}))
        assert nats.last_listening(path) == nats.Listening(client=left)
    path.write_text(json.dumps({"listen": "127.0.0.1:-1", "http": "127.0.0.1:-1"}))
    assert nats.last_listening(path) == nats.Listening()


def test_configuration_that_is_wrong_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "nats.conf"
    path.write_text('{"listen": {}, "nonsense": ')
    with pytest.raises(StackError, match="refuses its configuration"):
        nats.check_configuration(path)


def test_configuration_holds_no_secret(tmp_path: Path) -> None:
    path = tmp_path / "nats.conf"
    seeds = tmp_path / "seeds"
    nats.write_configuration(path, store=tmp_path, seeds=seeds, listening=nats.Listening())
    text = path.read_text()
    for seed in seeds.iterdir():
        assert seed.stat().st_mode & 0o777 == 0o600
        assert seed.read_text() not in text


def test_every_user_has_an_inbox_of_its_own() -> None:
    prefixes = [inbox_prefix(user.name) for user in users({"agent": "personal", "bot": "work"})]
    assert len(set(prefixes)) == len(prefixes)


def test_keys_are_made_once(tmp_path: Path) -> None:
    first = ensure_keys(tmp_path, ["one", "two"])
    assert first["one"] != first["two"]
    assert ensure_keys(tmp_path, ["one", "two"]) == first


def test_damaged_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "one.seed").write_text("SUNONSENSE")
    with pytest.raises(StackError, match="no nkey seed"):
        ensure_keys(tmp_path, ["one"])


async def test_messages_are_on_disk_before_they_are_acknowledged(broker: Broker) -> None:
    figures = await server_figures(broker.url, broker.seeds)
    require_synchronous_writes(figures)


def test_broker_without_synchronous_writes_is_refused(tmp_path: Path) -> None:
    seeds, configuration, log = tmp_path / "seeds", tmp_path / "nats.conf", tmp_path / "log"
    text = nats.configuration(
        store=tmp_path / "store",
        listening=nats.Listening(),
        public_keys=ensure_keys(seeds, [user.name for user in users(nats.DEFAULT_AGENTS)]),
        ports_folder=tmp_path,
    )
    settings = json.loads(text)
    del settings["jetstream"]["sync_interval"]
    configuration.write_text(json.dumps(settings))
    with log.open("ab") as output:
        process = nats.start(configuration, output)
    try:
        listening = nats.wait_until_ready(process, tmp_path, log)
        figures = asyncio.run(server_figures(f"nats://{listening.client}", seeds))
        with pytest.raises(StackUnhealthy, match="before they are on disk") as refused:
            require_synchronous_writes(figures)
        assert "sync_interval: always" in refused.value.hint
    finally:
        terminate(process)


def test_server_that_ends_while_starting_is_reported(tmp_path: Path, broker: Broker) -> None:
    configuration, log = tmp_path / "nats.conf", tmp_path / "log"
    taken = broker.url.removeprefix("nats://")
    nats.write_configuration(
        configuration,
        store=tmp_path / "store",
        seeds=tmp_path / "seeds",
        listening=nats.Listening(client=taken),
        ports_folder=tmp_path,
    )
    with log.open("ab") as output:
        process = nats.start(configuration, output)
    with pytest.raises(StackError, match="ended while starting"):
        nats.wait_until_ready(process, tmp_path, log)


async def test_missing_key_and_silent_address_are_said(tmp_path: Path, broker: Broker) -> None:
    with pytest.raises(StackError, match=r"operator\.seed is missing"):
        async with connect_as(broker.url, tmp_path, "operator"):
            pass
    with pytest.raises(StackError, match="cannot be used as operator"):
        async with connect_as("nats://127.0.0.1:1", broker.seeds, "operator"):
            pass


async def test_key_that_the_broker_does_not_know_is_said(tmp_path: Path, broker: Broker) -> None:
    ensure_keys(tmp_path, ["operator"])
    with pytest.raises(StackError, match="cannot be used as operator"):
        async with connect_as(broker.url, tmp_path, "operator"):
            pass
