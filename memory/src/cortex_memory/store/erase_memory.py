"""Takes what was derived of forgotten things out of the tables beside the journal."""

from collections.abc import Callable, Collection, Sequence

from psycopg.rows import scalar_row, tuple_row
from roxabi_contracts.actor import Identifier
from roxabi_contracts.changes import Change

from cortex_memory.model import IdentifierId, ScopeWithdrawal
from cortex_memory.retain.key_spelling import spelling
from cortex_memory.retain.placing import GroupKey
from cortex_memory.retain.refused_record import RefusedRecord, refused_record
from cortex_memory.store.columns import columns_of
from cortex_memory.store.db import Connection
from cortex_memory.store.decisions import decisions_on_groups
from cortex_memory.store.erasures import SCOPE_WITHDRAWAL
from cortex_memory.store.evidence import ObservationId, id_columns, stored_assertions
from cortex_memory.store.queries import query


async def begin_erasing(transaction: Connection, project: str) -> None:
    """Let nobody take in observations of the project until the transaction ends."""
    await transaction.execute(query("erasing.begin"), {"project": project})


async def observations_of_memories(
    transaction: Connection, row: ScopeWithdrawal
) -> list[ObservationId]:
    """What the row covers of the observations that are stored."""
    cursor = transaction.cursor(row_factory=tuple_row)
    wanted = {
        "project": row.project,
        "subjects": sorted(row.subjects),
        "source": row.source,
        "until": row.at,
    }
    await cursor.execute(query("erasing.of_memories"), wanted)
    return [(row.project, identity) for (identity,) in await cursor.fetchall()]


async def forgotten_with(
    transaction: Connection, project: str, members: Collection[str]
) -> frozenset[IdentifierId]:
    """These identifiers, and those that were forgotten together with any of them before."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("erasing.scopes"), {"project": project})
    found = frozenset(map(IdentifierId, members))
    for (content,) in await cursor.fetchall():
        known = SCOPE_WITHDRAWAL.validate_python(content).subjects
        if known & found:
            found |= known
    return found


async def remove_episode_vectors(
    transaction: Connection, observations: Collection[ObservationId]
) -> int:
    """Take out the vectors of these observations; how many there were."""
    columns = id_columns(observations)
    return (await transaction.execute(query("erasing.remove_episode_vectors"), columns)).rowcount


async def remove_stale_vectors(transaction: Connection, groups: Sequence[GroupKey]) -> int:
    """Take out the vectors of texts that the facts of these groups no longer have; how many."""
    if not groups:
        return 0
    columns = columns_of(groups)
    return (await transaction.execute(query("erasing.remove_stale_vectors"), columns)).rowcount


async def remove_traces(transaction: Connection, project: str, references: Collection[str]) -> int:
    """Take out every trace of a question about these memories, however it names them; how many."""
    cursor = transaction.cursor(row_factory=scalar_row)
    await cursor.execute(query("erasing.asked_references"), {"project": project})
    meant = {_as_compared(each) for each in references}
    asked = [str(each) for each in await cursor.fetchall() if _as_compared(each) in meant]
    wanted = {"project": project, "references": sorted(asked)}
    return (await transaction.execute(query("erasing.remove_traces"), wanted)).rowcount


def _as_compared(reference: str) -> str:
    """A reference to a memory in the spelling by which it is looked up."""
    try:
        identifier = Identifier.parse(reference)
    except ValueError:
        return reference
    return f"{identifier.scheme}:{spelling(identifier.scheme, identifier.value)}"


async def remove_waiting_changes(transaction: Connection, groups: Collection[GroupKey]) -> int:
    """Announce nothing of what the facts of these groups said before; how many there were."""
    removed = 0
    for project in {group.project for group in groups}:
        cursor = transaction.cursor(row_factory=tuple_row)
        await cursor.execute(query("erasing.waiting_changes"), {"project": project})
        told = {(group.subject, group.about, group.predicate) for group in groups}
        positions = [
            position
            for position, message in await cursor.fetchall()
            if tells(Change.model_validate_json(message), told)
        ]
        await transaction.execute(query("erasing.remove_changes"), {"positions": positions})
        removed += len(positions)
    return removed


def tells(change: Change, groups: Collection[tuple[str, str, str]]) -> bool:
    """Whether an announcement says what a fact of one of the groups said."""
    return change.value is not None and (change.subject, change.about, change.predicate) in groups


async def remove_letters(
    transaction: Connection, project: str, is_about: Callable[[RefusedRecord], bool]
) -> int:
    """Take out refused messages about these records; how many there were."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("erasing.letters"), {"project": project})
    named = [(name, refused_record(body)) for name, body in await cursor.fetchall()]
    ids = [name for name, record in named if record is not None and is_about(record)]
    await transaction.execute(query("erasing.remove_letters"), {"ids": ids})
    return len(ids)


async def letters_gone(transaction: Connection, ids: Collection[str]) -> set[str]:
    """Those of the ids under which nothing is refused any more."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("erasing.letters_kept"), {"ids": list(ids)})
    return set(ids).difference(name for (name,) in await cursor.fetchall())


async def forget_reasons(transaction: Connection, groups: Collection[GroupKey]) -> None:
    """Keep what was decided about the facts of these groups, and not why."""
    said = await stored_assertions(transaction, groups)
    decisions = await decisions_on_groups(transaction, said)
    for key, decided in decisions.items():
        ids = [each.id for each in decided]
        await transaction.execute(
            query("erasing.forget_reasons"), {"project": key.project, "ids": ids}
        )


async def forget_persons_words(
    transaction: Connection, project: str, members: Collection[str]
) -> None:
    """Keep nothing of what persons decided in these memories, nor why they were linked."""
    wanted = {"project": project, "subjects": sorted(members)}
    await transaction.execute(query("erasing.remove_decisions"), wanted)
    await transaction.execute(query("erasing.forget_link_evidence"), wanted)
