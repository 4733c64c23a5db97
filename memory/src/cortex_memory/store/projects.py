"""What is kept of every project: the key of its digests, and by which catalogue it is computed."""

import hashlib
import secrets
from collections.abc import Iterable, Mapping

from psycopg.rows import tuple_row
from roxabi_contracts.catalogues import Catalogues

from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query

KEY_BYTES = 32


class ProjectKeys:
    """Knows the key of every project it was asked for; it is made at first sight, kept for good.

    Args:
        secret: From which the keys of new projects derive; null: they are random.
        catalogues: By which new projects are computed.
    """

    def __init__(self, secret: bytes | None, catalogues: Catalogues) -> None:
        self._catalogues = catalogues
        self._secret = None if secret is None else hashlib.sha256(secret).digest()
        self._known: dict[str, bytes] = {}

    async def of(self, transaction: Connection, projects: Iterable[str]) -> Mapping[str, bytes]:
        """The keys of these projects, among others."""
        unknown = sorted(set(projects) - self._known.keys())
        if not unknown:
            return self._known
        for project in unknown:
            row = {
                "project": project,
                "digest_key": self._new_key(project),
                "catalogue": self._catalogues.for_project(project).digest,
            }
            await transaction.execute(query("projects.register"), row)
        return await project_keys(transaction, unknown) | self._known

    def remember(self, keys: Mapping[str, bytes]) -> None:
        """Keep keys in mind once the transaction that may have made them has committed."""
        self._known.update(keys)

    def _new_key(self, project: str) -> bytes:
        if self._secret is None:
            return secrets.token_bytes(KEY_BYTES)
        return hashlib.blake2b(project.encode(), key=self._secret, digest_size=KEY_BYTES).digest()


async def all_projects(transaction: Connection) -> list[str]:
    """Every project that was ever seen."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("dump.projects"))
    return [project for (project,) in await cursor.fetchall()]


async def project_keys(transaction: Connection, projects: Iterable[str]) -> dict[str, bytes]:
    """The keys of those projects that were ever seen."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("projects.keys"), {"projects": sorted(set(projects))})
    return {str(project): bytes(key) for project, key in await cursor.fetchall()}


async def note_rebuilt(transaction: Connection, project: str, catalogue: str) -> None:
    """Keep the digest of the catalogue by which all of a project was computed anew."""
    row = {"project": project, "catalogue": catalogue}
    await transaction.execute(query("projects.rebuilt"), row)


async def outdated_projects(transaction: Connection, catalogues: Catalogues) -> list[str]:
    """The projects whose facts follow from another catalogue, or nobody knows from which."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("projects.catalogues"))
    return [
        project
        for project, digest in await cursor.fetchall()
        if digest != catalogues.for_project(project).digest
    ]
