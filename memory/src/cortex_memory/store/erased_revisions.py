"""Revisions in which a secret was left: never stored again, and asked to be forgotten."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from psycopg.rows import tuple_row
from roxabi_contracts.observation import Observation
from roxabi_contracts.upkeep import ForgetMode

from cortex_memory.model import Digest
from cortex_memory.retain.assertions import observation_key
from cortex_memory.retain.values import keyed_digest
from cortex_memory.store import forgetting
from cortex_memory.store.columns import columns_of
from cortex_memory.store.db import Connection
from cortex_memory.store.forgetting import REVISIONS, Forgetting
from cortex_memory.store.queries import query

_LAKE: Final = "the lake"


@dataclass(frozen=True, slots=True)
class _Digest:
    project: str
    digest: Digest


@dataclass(frozen=True, slots=True)
class _Request:
    project: str
    forget_id: str


async def ask_to_erase(
    transaction: Connection, observations: Iterable[Observation], keys: Mapping[str, bytes]
) -> None:
    """Have forgotten what these observations erase; what was asked for before changes nothing."""
    told: defaultdict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for seen in observations:
        owner = observation_key(seen, keys[seen.project_id]).subject
        for erased in seen.erases:
            told[seen.project_id, owner][erased] = seen.timestamp
    for (project, subject), moments in sorted(told.items()):
        names = sorted(moments)
        request = Forgetting(
            project=project,
            id=keyed_digest(keys[project], REVISIONS, subject, *names),
            subject=subject,
            scope=REVISIONS,
            target=",".join(names),
            mode=ForgetMode.ERASE.value,
            requested_by=_LAKE,
            requested_at=max(moments.values()),
        )
        digests = [_digest(project, name, keys[project]) for name in names]
        columns = columns_of(digests) | {"forget_id": [request.id] * len(digests)}
        if (await transaction.execute(query("erasing.keep_keys"), columns)).rowcount:
            await forgetting.ask(transaction, request)


async def refuse_revisions(
    transaction: Connection, observations: Sequence[Observation], keys: Mapping[str, bytes]
) -> list[Observation]:
    """Those of the observations that may be stored; the stream is swept of the others again."""
    gone = await erased_revisions(transaction, observations, keys)
    if gone:
        again = {_Request(observations[place].project_id, name) for place, name in gone.items()}
        await transaction.execute(query("erasing.reopen"), columns_of([*again]))
    return [seen for place, seen in enumerate(observations) if place not in gone]


async def erased_revisions(
    transaction: Connection, observations: Sequence[Observation], keys: Mapping[str, bytes]
) -> dict[int, str]:
    """The places of those that were erased by their ids, each with the request that did."""
    digests = [_digest(seen.project_id, seen.id, keys[seen.project_id]) for seen in observations]
    if not digests:
        return {}
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("erasures.erased_keys"), columns_of(digests))
    gone = {
        _Digest(project, Digest(digest)): name for project, digest, name in await cursor.fetchall()
    }
    return {place: gone[digest] for place, digest in enumerate(digests) if digest in gone}


def _digest(project: str, observation_id: str, project_key: bytes) -> _Digest:
    return _Digest(project, keyed_digest(project_key, REVISIONS, project, observation_id))
