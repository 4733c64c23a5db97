"""Notices where the catalogue of a project is not the one by which its facts were computed."""

import asyncio
from typing import Final

import structlog
from roxabi_contracts.catalogues import Catalogues

from cortex_memory.errors import StoreUnavailable
from cortex_memory.store.db import Pool, connection
from cortex_memory.store.projects import outdated_projects
from cortex_memory.waiting import pause

RETRY_SECONDS: Final = 1.0

_log = structlog.get_logger()


async def notice_catalogues(pool: Pool, catalogues: Catalogues, stopping: asyncio.Event) -> None:
    """Name every project that a rebuild is due in, as soon as the database is there."""
    while not stopping.is_set():
        try:
            async with connection(pool) as transaction:
                outdated = await outdated_projects(transaction, catalogues)
        except StoreUnavailable as error:
            _log.warning("noticing_waits", reason=str(error).strip())
            await pause(stopping, RETRY_SECONDS)
            continue
        for project in outdated:
            _log.warning(
                "catalogue_changed",
                project=project,
                effect="what was remembered before is kept under the names of then",
                remedy=f"cortex rebuild --project {project}",
            )
        return
