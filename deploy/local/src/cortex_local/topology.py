"""The streams and durable consumers that the services work on, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from roxabi_contracts import subjects

_DAY: Final = 24 * 3600.0
_GIGABYTE: Final = 1024**3
_WORK_BYTES: Final = 24 * _GIGABYTE
"""Room for what a large import publishes before a service that is down or slow takes it in."""
_KEPT_UNTIL_TAKEN: Final = "interest"
_AT_NO_AGE: Final = 0.0
_SHORTEST: Final = 1.0
"""Of a window in which a message is known again: what was removed may be put again soon."""


@dataclass(frozen=True)
class Stream:
    """A file-backed stream; a full one refuses new messages instead of losing old ones.

    `max_age` and `duplicate_window` are seconds, `max_bytes` is bytes. With the retention
    `interest` a message goes when every durable has acknowledged it, and at no age before. Within
    the window a second message of its id is known even then, unless the broker was restarted: the
    services know by themselves what they have.
    """

    name: str
    account: str
    subjects: tuple[str, ...]
    max_bytes: int
    max_age: float = 30 * _DAY
    duplicate_window: float = 1800.0
    allow_atomic: bool = False
    discard: str = "new"
    retention: str = "limits"


@dataclass(frozen=True)
class Consumer:
    """A durable to pull from, with explicit acknowledgement. `ack_wait` is seconds.

    It is of the whole stream from its beginning, or of one subject from when it was made.

    A message comes again until it is acknowledged: with a bound, a long outage of a database would
    use it up, and the message would never come again. What cannot be read is the service's to bury.
    """

    name: str
    stream: str
    account: str
    ack_wait: float = 30.0
    max_deliver: int = -1
    max_ack_pending: int = 5000
    only: str | None = None


STREAMS: Final = (
    Stream(
        subjects.STREAM_EVENTS,
        subjects.ACCOUNT_INSIGHT,
        (subjects.EVENTS_ALL,),
        _WORK_BYTES,
        max_age=_AT_NO_AGE,
        retention=_KEPT_UNTIL_TAKEN,
    ),
    Stream(
        subjects.STREAM_BODIES,
        subjects.ACCOUNT_INSIGHT,
        (subjects.BODIES_ALL,),
        8 * _GIGABYTE,
        max_age=_AT_NO_AGE,
        duplicate_window=_SHORTEST,
    ),
    Stream(
        subjects.STREAM_EVENTS_REJECTED,
        subjects.ACCOUNT_INSIGHT,
        (subjects.EVENTS_REJECTED,),
        _GIGABYTE,
    ),
    Stream(
        subjects.STREAM_OBSERVATIONS,
        subjects.ACCOUNT_MEMORY,
        (subjects.OBSERVATIONS, subjects.OBSERVATIONS_PARTITIONED),
        _WORK_BYTES,
        max_age=_AT_NO_AGE,
        allow_atomic=True,
        retention=_KEPT_UNTIL_TAKEN,
    ),
    Stream(
        subjects.STREAM_OBSERVATIONS_REJECTED,
        subjects.ACCOUNT_MEMORY,
        (subjects.OBSERVATIONS_REJECTED,),
        _GIGABYTE,
    ),
    Stream(
        subjects.STREAM_CHANGES,
        subjects.ACCOUNT_MEMORY,
        (subjects.CHANGES_ALL,),
        _GIGABYTE,
        max_age=7 * _DAY,
        discard="old",
    ),
)

CONSUMERS: Final = (
    Consumer(subjects.DURABLE_INGEST, subjects.STREAM_EVENTS, subjects.ACCOUNT_INSIGHT),
    Consumer(subjects.DURABLE_INBOX, subjects.STREAM_OBSERVATIONS, subjects.ACCOUNT_MEMORY),
)


def change_consumers(agents: Mapping[str, str]) -> tuple[Consumer, ...]:
    """Through which clients follow the changes of their projects; `agents` maps name to project."""
    return tuple(
        Consumer(
            subjects.changes_durable(name),
            subjects.STREAM_CHANGES,
            subjects.ACCOUNT_MEMORY,
            only=subjects.changes(project),
        )
        for name, project in agents.items()
    )
