"""The vectors of facts and episodes, by model, and the queue of texts that wait for one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector

from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query


@dataclass(frozen=True, slots=True, order=True)
class Waiting:
    """A fact or an episode in the queue."""

    project: str
    kind: str
    id: str


async def register_model(transaction: Connection, name: str, digest: str, dimensions: int) -> int:
    """The number that stands for a model beside its vectors, given at first sight."""
    row = {"name": name, "digest": digest, "dimensions": dimensions}
    while True:
        found = await (
            await transaction.execute(query("embeddings.register_model"), row)
        ).fetchone()
        if found is not None:  # another service may register it between the two halves
            return int(str(found[0]))


async def enqueue_missing(transaction: Connection, model: int) -> int:
    """Queue all that has no vector of a model, after a change of models; how many are new."""
    cursor = await transaction.execute(query("embeddings.enqueue_missing"), {"model": model})
    return cursor.rowcount


async def try_again(transaction: Connection, model: int) -> int:
    """Let what other models could not embed wait for this one; how many."""
    cursor = await transaction.execute(query("embeddings.try_again"), {"model": model})
    return cursor.rowcount


async def newest_waiting(transaction: Connection, limit: int) -> list[Waiting]:
    """The newest of the queue, the projects in turn, without what could not be embedded."""
    cursor = await transaction.execute(query("embeddings.waiting"), {"limit": limit})
    return [
        Waiting(str(project), str(kind), str(id)) for project, kind, id in await cursor.fetchall()
    ]


async def hold(transaction: Connection, waiting: Sequence[Waiting]) -> list[Waiting]:
    """Those that still wait; nobody can queue or finish them before the transaction ends."""
    cursor = await transaction.execute(query("embeddings.hold"), _columns(waiting))
    return [
        Waiting(str(project), str(kind), str(id)) for project, kind, id in await cursor.fetchall()
    ]


async def texts_of(
    transaction: Connection, waiting: Sequence[Waiting], characters: int
) -> dict[Waiting, str]:
    """What to embed, as it reads now; what is left out has nothing to embed any more."""
    parameters = _columns(waiting) | {"characters": characters}
    cursor = await transaction.execute(query("embeddings.texts"), parameters)
    return {
        Waiting(str(project), str(kind), str(id)): str(text)
        for project, kind, id, text in await cursor.fetchall()
    }


async def replace_vectors(
    transaction: Connection,
    model: int,
    held: Sequence[Waiting],
    vectors: Mapping[Waiting, NDArray[np.float32]],
) -> None:
    """Give those held their vectors, or none, and take them off the queue."""
    of_model = {"model": model}
    made = _columns(list(vectors)) | {
        "vectors": [HalfVector(vector).to_text() for vector in vectors.values()]
    }
    for name in ("embeddings.forget_facts", "embeddings.forget_episodes"):
        await transaction.execute(query(name), _columns(held) | of_model)
    for name in ("embeddings.store_facts", "embeddings.store_episodes"):
        await transaction.execute(query(name), made | of_model)
    await transaction.execute(query("embeddings.finish"), _columns(held))


async def record_failures(
    transaction: Connection, model: int, reasons: Mapping[Waiting, str]
) -> None:
    """Keep what the model cannot embed, with the reason, until their text or the model changes."""
    failed = _columns(list(reasons)) | {"model": model, "reasons": list(reasons.values())}
    await transaction.execute(query("embeddings.fail"), failed)


def _columns(waiting: Sequence[Waiting]) -> dict[str, object]:
    return {
        "projects": [one.project for one in waiting],
        "kinds": [one.kind for one in waiting],
        "ids": [one.id for one in waiting],
    }
