"""Finds whose memory is meant, and which of its facts, or refuses with the reason."""

from collections.abc import Collection

from roxabi_contracts.errors import ErrorCode

from cortex_memory.refusal import Refused
from cortex_memory.store import subjects
from cortex_memory.store.db import Connection
from cortex_memory.store.decisions import NamedFact, named_facts


async def memory_of(transaction: Connection, project: str, reference: str) -> str:
    """The entity whose memory is meant.

    Raises:
        Refused: nobody is known by the reference.
    """
    known = await subjects.entities_of(transaction, project, [reference])
    if reference not in known:
        raise Refused(ErrorCode.UNKNOWN_SUBJECT, f"nobody is known as {reference!r}")
    return known[reference]


async def facts_in_memory(
    transaction: Connection, project: str, memory: str, names: Collection[str]
) -> dict[str, NamedFact]:
    """The facts that answer to these ids, by the id.

    Raises:
        Refused: nothing answers to one of them, or it is a fact of another memory.
    """
    found = await named_facts(transaction, project, names)
    for name in names:
        if name not in found:
            raise Refused(ErrorCode.NOT_FOUND, f"no fact answers to {name!r}")
        if found[name].subject != memory:
            raise Refused(ErrorCode.NOT_PERMITTED, f"fact {name!r} is of another memory")
    return found
