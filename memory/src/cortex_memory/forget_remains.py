"""Removes what is left of the forgotten beside facts and observations, and counts it."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from roxabi_contracts.observation import Observation
from roxabi_contracts.operations import FactStatus

from cortex_memory.retain.placing import GroupKey
from cortex_memory.retain.refused_record import RefusedRecord
from cortex_memory.store import erase_memory, forgetting
from cortex_memory.store.db import Connection
from cortex_memory.store.evidence import ObservationId, stored_rows
from cortex_memory.store.forgetting import Forgetting


@dataclass(slots=True)
class Forgotten:
    """What a request removed, by what it was, and the digests that keep it away."""

    removed: Counter[str] = field(default_factory=Counter[str])
    kept_digests: int = 0


class ForgetRemains:
    """Removes vectors, traces, refused messages, announcements, in a transaction of the caller's.

    Args:
        transaction: It owns the project.
        request: Of whom, or of what, nothing may be left.
        forgotten: Where it is counted.
    """

    def __init__(self, transaction: Connection, request: Forgetting, forgotten: Forgotten) -> None:
        self._transaction = transaction
        self._request = request
        self._forgotten = forgotten

    async def remove_letters_about(self, seen: Iterable[Observation]) -> None:
        """What was refused about these records says what they say."""
        records = {(each.source, each.source_ref) for each in seen}
        await self._remove_letters(lambda refused: refused.key() in records)

    async def remove_letters_of(self, owner: Collection[str], *, until: int) -> None:
        """What was refused may be of records of which nothing was ever understood."""
        names, source = {name.lower() for name in owner}, self._request.target
        await self._remove_letters(
            lambda refused: (
                bool(refused.owners() & names)
                and source in (None, refused.source)
                and refused.is_said_until(until)
            )
        )

    async def _remove_letters(self, is_about: Callable[[RefusedRecord], bool]) -> None:
        self._forgotten.removed["dead_letters"] += await erase_memory.remove_letters(
            self._transaction, self._request.project, is_about
        )

    async def clean_up(self, groups: Collection[GroupKey], before: set[str]) -> None:
        """Take out what was made of the facts of these groups beside their rows."""
        touched = sorted(groups)
        self._forgotten.removed["facts"] += len(before - await self.live_ids(touched))
        self._forgotten.removed["vectors"] += await erase_memory.remove_stale_vectors(
            self._transaction, touched
        )
        self._forgotten.removed["changes"] += await erase_memory.remove_waiting_changes(
            self._transaction, touched
        )
        await erase_memory.forget_reasons(self._transaction, touched)
        await forgetting.note_groups(self._transaction, self._request, touched)

    async def live_ids(self, groups: Collection[GroupKey]) -> set[str]:
        """The facts of these groups that have content."""
        rows = await stored_rows(self._transaction, groups)
        return {row.id for row in rows.facts if row.status != FactStatus.ERASED}

    async def remove_vectors(self, observations: Collection[ObservationId]) -> None:
        """A vector tells of the text that it was made of."""
        if observations:
            self._forgotten.removed["vectors"] += await erase_memory.remove_episode_vectors(
                self._transaction, observations
            )

    async def remove_traces(self, seen: Iterable[Observation]) -> None:
        """Every question about the memory goes: it may quote what is forgotten."""
        await self.remove_traces_of({name for each in seen for name in owner_of(each)})

    async def remove_traces_of(self, owner: Collection[str]) -> None:
        """The same for a memory whose owner goes, or went, by these names (`scheme:value`)."""
        project, subject = self._request.project, self._request.subject
        known = await forgetting.identifiers_of_entity(self._transaction, project, subject)
        references = {subject, *(each.id for each in known), *(each.value for each in known)}
        references |= {f"{each.scheme}:{each.value}" for each in known}
        for name in owner:
            references |= {name, name.partition(":")[2]}
        self._forgotten.removed["traces"] += await erase_memory.remove_traces(
            self._transaction, project, references
        )


def owner_of(seen: Observation) -> list[str]:
    """By what the owner of the memory that it went to is known, as `scheme:value`."""
    return [f"{key.scheme}:{key.value}" for key in seen.actors[seen.subject].identifiers]
