"""Which observations count as never said."""

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

from roxabi_contracts.observation import Observation

from cortex_memory.model import Digest, ObservationKey, ScopeWithdrawal, Withdrawal
from cortex_memory.retain.assertions import observation_key
from cortex_memory.retain.values import keyed_digest

AnyWithdrawal: TypeAlias = Withdrawal | ScopeWithdrawal


@lru_cache(maxsize=4096)  # a batch asks several times of each of its observations
def key_digest(key: ObservationKey, project_key: bytes) -> Digest:
    """What is left of the key of an observation that was withdrawn."""
    return keyed_digest(project_key, key.project, key.subject, key.source, key.source_ref)


class Withdrawals:
    """The withdrawals of a project, in any order: of those that cover an observation the latest
    holds, but a final one holds for ever.
    """

    def __init__(self, rows: Iterable[AnyWithdrawal]) -> None:
        self._by_digest: defaultdict[Digest, list[AnyWithdrawal]] = defaultdict(list)
        self._scopes: list[ScopeWithdrawal] = []
        for row in rows:
            if isinstance(row, ScopeWithdrawal):
                self._scopes.append(row)
            else:
                self._by_digest[row.key_digest].append(row)

    def covering(self, observation: Observation, project_key: bytes) -> AnyWithdrawal | None:
        """By which row an observation counts as never said; null: it counts."""
        if not self._by_digest and not self._scopes:
            return None
        key, said = observation_key(observation, project_key), observation.timestamp
        digest = key_digest(key, project_key)
        rows = [
            *self._by_digest.get(digest, ()),
            *(row for row in self._scopes if _covers(row, key, said)),
        ]
        if not rows:
            return None
        latest = max(rows, key=_rank)
        return latest if latest.withdrawn else None


def _rank(row: AnyWithdrawal) -> tuple[bool, int, str]:
    return row.final, row.at, row.id


def _covers(row: ScopeWithdrawal, key: ObservationKey, said: int) -> bool:
    return (
        row.project == key.project
        and key.subject in row.subjects
        and row.source in (None, key.source)
        and said <= row.at
    )
