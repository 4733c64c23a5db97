"""Makes the broker's streams and durables what the topology says, and reports where they differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from nats.js import JetStreamContext
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DeliverPolicy,
    DiscardPolicy,
    RetentionPolicy,
    StorageType,
    StreamConfig,
)
from nats.js.errors import NotFoundError
from roxabi_contracts import subjects

from cortex_local import accounts
from cortex_local.broker_user import connect_as
from cortex_local.nats import DEFAULT_AGENTS
from cortex_local.topology import CONSUMERS, STREAMS, Consumer, Stream, change_consumers

PROVISIONERS: Final[Mapping[str, str]] = {
    subjects.ACCOUNT_INSIGHT: accounts.INSIGHT_PROVISIONER,
    subjects.ACCOUNT_MEMORY: accounts.MEMORY_PROVISIONER,
}


@dataclass(frozen=True)
class Drift:
    """A stream or durable that is not what the topology says; `difference` is empty if missing."""

    name: str
    difference: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}: {', '.join(self.difference) if self.difference else 'missing'}"


async def provision(
    url: str, seeds: Path, agents: Mapping[str, str] = DEFAULT_AGENTS
) -> list[Drift]:
    """Create what is missing and correct what differs; returns what had differed.

    `agents` maps the name of a client to its project.
    """
    return await _over_accounts(url, seeds, agents, correct=True)


async def find_drift(
    url: str, seeds: Path, agents: Mapping[str, str] = DEFAULT_AGENTS
) -> list[Drift]:
    """What is missing or differs, changing nothing."""
    return await _over_accounts(url, seeds, agents, correct=False)


async def _over_accounts(
    url: str, seeds: Path, agents: Mapping[str, str], *, correct: bool
) -> list[Drift]:
    consumers = (*CONSUMERS, *change_consumers(agents))
    drifts: list[Drift] = []
    for account, user in PROVISIONERS.items():
        async with connect_as(url, seeds, user) as connection:
            manager = connection.client.jetstream()
            for stream in STREAMS:
                if stream.account == account:
                    of_stream = [each for each in consumers if each.stream == stream.name]
                    drifts += await _settle_stream(manager, stream, of_stream, correct=correct)
    return drifts


async def _settle_stream(
    manager: JetStreamContext, stream: Stream, consumers: Sequence[Consumer], *, correct: bool
) -> list[Drift]:
    """Settle a stream around its durables.

    A stream that keeps what somebody waits for drops a message that nobody waits for yet, and a
    change to that retention drops what is acknowledged: so the durables are there first.
    """
    wanted = _stream_config(stream)
    drifts: list[Drift] = []
    try:
        found = (await manager.stream_info(stream.name)).config
    except NotFoundError:
        drifts.append(Drift(stream.name))
        if correct:
            await manager.add_stream(wanted.evolve(retention=RetentionPolicy.LIMITS))
    else:
        if difference := _difference(wanted.as_dict(), found.as_dict()):
            drifts.append(Drift(stream.name, difference))
    differs = bool(drifts)
    for consumer in consumers:
        drifts += await _settle_consumer(manager, consumer, correct=correct)
    if differs and correct:
        await manager.update_stream(wanted)
    return drifts


async def _settle_consumer(
    manager: JetStreamContext, consumer: Consumer, *, correct: bool
) -> list[Drift]:
    wanted = _consumer_config(consumer)
    name = f"{consumer.stream}/{consumer.name}"
    try:
        found = (await manager.consumer_info(consumer.stream, consumer.name)).config
    except NotFoundError:
        if correct:
            await manager.add_consumer(consumer.stream, wanted)
        return [Drift(name)]
    difference = _difference(wanted.as_dict(), found.as_dict())
    if difference and correct:
        await manager.add_consumer(consumer.stream, wanted)
    return [Drift(name, difference)] if difference else []


def _stream_config(stream: Stream) -> StreamConfig:
    return StreamConfig(
        name=stream.name,
        subjects=list(stream.subjects),
        retention=RetentionPolicy(stream.retention),
        storage=StorageType.FILE,
        discard=DiscardPolicy(stream.discard),
        max_bytes=stream.max_bytes,
        max_age=stream.max_age,
        duplicate_window=stream.duplicate_window,
        allow_atomic=stream.allow_atomic,
        allow_direct=True,
    )


def _consumer_config(consumer: Consumer) -> ConsumerConfig:
    return ConsumerConfig(
        durable_name=consumer.name,
        ack_policy=AckPolicy.EXPLICIT,
        ack_wait=consumer.ack_wait,
        max_deliver=consumer.max_deliver,
        max_ack_pending=consumer.max_ack_pending,
        filter_subject=consumer.only,
        deliver_policy=DeliverPolicy.ALL if consumer.only is None else DeliverPolicy.NEW,
    )


_COMPARED: Final = (
    "subjects",
    "retention",
    "storage",
    "discard",
    "max_bytes",
    "max_age",
    "duplicate_window",
    "allow_atomic",
    "ack_policy",
    "ack_wait",
    "max_deliver",
    "max_ack_pending",
    "filter_subject",
)


def _difference(wanted: Mapping[str, object], found: Mapping[str, object]) -> tuple[str, ...]:
    """Where they differ; nothing, zero and no are the same to the broker."""
    pairs = [(key, _plain(wanted.get(key)), _plain(found.get(key))) for key in _COMPARED]
    return tuple(
        f"{key} is {now}, not {then}" for key, then, now in pairs if (then or None) != (now or None)
    )


def _plain(value: object) -> object:
    return value.value if isinstance(value, Enum) else value
