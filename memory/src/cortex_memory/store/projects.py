"""The keys of the projects' digests: made at first sight, kept for good."""

import hashlib
import secrets
from collections.abc import Iterable, Mapping

from psycopg.rows import tuple_row

from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query

KEY_BYTES = 32


class ProjectKeys:
    """Knows the key of every project it was asked for.

    Args:
        secret: From which the keys of new projects derive; null: they are random.
    """

    def __init__(self, secret: bytes | None = None) -> None:
        self._secret = None if secret is None else hashlib.sha256(secret).digest()
        self._known: dict[str, bytes] = {}

    async def of(self, transaction: Connection, projects: Iterable[str]) -> Mapping[str, bytes]:
        """The keys of these projects, among others."""
        unknown = sorted(set(projects) - self._known.keys())
        if not unknown:
            return self._known
        for project in unknown:
            row = {"project": project, "digest_key": self._new_key(project)}
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
