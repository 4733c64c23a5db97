"""Folds of large groups, kept in memory from one transaction to the next."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from cortex_memory.retain.group_fold import GroupFold
from cortex_memory.retain.placing import GroupKey

LARGE: Final = 100
"""Assertions from which on a group is worth keeping."""
MOST: Final = 20_000
"""Assertions that are kept at most, in all groups together: some 40 MB at the worst."""


@dataclass(frozen=True, slots=True)
class _Kept:
    mark: str
    fold: GroupFold


class KeptFolds:
    """What the workers of one process remember of large groups.

    Every fold carries the mark of the transaction that last changed its memory. It is taken only
    by a transaction that holds the memory's lock and finds the same mark in the store: nobody has
    changed anything since. Whatever is not kept is folded from the journal.
    """

    def __init__(self, large: int = LARGE, most: int = MOST) -> None:
        self.large = large
        self._most = most
        self._kept: OrderedDict[GroupKey, _Kept] = OrderedDict()

    def names_of(self, key: GroupKey) -> frozenset[str]:
        """The names under which a kept fold was said; none: the group's is not kept."""
        kept = self._kept.get(key)
        return frozenset() if kept is None else kept.fold.names

    def take(self, key: GroupKey, mark: str | None) -> GroupFold | None:
        """The fold of a group as of this mark; it is not kept any longer."""
        kept = self._kept.pop(key, None)
        return kept.fold if kept is not None and kept.mark == mark else None

    def keep(self, key: GroupKey, mark: str, fold: GroupFold) -> None:
        """Keep a fold that is what a transaction leaves, should it commit."""
        self._kept[key] = _Kept(mark, fold)
        self._kept.move_to_end(key)
        while self._kept and sum(kept.fold.size for kept in self._kept.values()) > self._most:
            self._kept.popitem(last=False)

    def forget(self) -> None:
        """Keep nothing: the store may not be the one that was left."""
        self._kept.clear()
