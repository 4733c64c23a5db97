"""Clients of Cortex over NATS; needs the extra `client`."""

from roxabi_contracts.client.changes import follow_changes
from roxabi_contracts.client.connection import Connection, connect
from roxabi_contracts.client.errors import (
    BrokerUnavailable,
    ClientError,
    NoAnswer,
    NoDurable,
    NotAcknowledged,
    PermissionViolation,
    StreamFull,
)
from roxabi_contracts.client.lake import LakeClient
from roxabi_contracts.client.memory import MemoryClient
from roxabi_contracts.client.producer import ProducerClient
from roxabi_contracts.client.upkeep import UpkeepClient

__all__ = [
    "BrokerUnavailable",
    "ClientError",
    "Connection",
    "LakeClient",
    "MemoryClient",
    "NoAnswer",
    "NoDurable",
    "NotAcknowledged",
    "PermissionViolation",
    "ProducerClient",
    "StreamFull",
    "UpkeepClient",
    "connect",
    "follow_changes",
]
