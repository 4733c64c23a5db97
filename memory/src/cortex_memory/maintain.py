"""What an operator does to the store itself, besides the service: migrate, dump, rebuild."""

from functools import partial
from typing import TypeVar

from roxabi_contracts.catalogues import catalogues_with

from cortex_memory.assembly import open_configured_embedder, retain_parts
from cortex_memory.dump import dump_journal, dump_store
from cortex_memory.embed.service import EmbeddingOnDemand
from cortex_memory.faults import faults
from cortex_memory.log import configure_logging
from cortex_memory.rebuild import progress_on_stderr, rebuild
from cortex_memory.settings import RetainSettings, StoreSettings, from_environment
from cortex_memory.store.db import open_pool, snapshot
from cortex_memory.store.migrate import migrate

AnySettings = TypeVar("AnySettings", bound=StoreSettings)


def _settings(kind: type[AnySettings]) -> AnySettings:
    settings = from_environment(kind)
    configure_logging(settings.log_level)
    return settings


async def migrate_store() -> list[str]:
    """Bring the database to this version's schema; the steps applied."""
    return await migrate(_settings(StoreSettings).database_url.get_secret_value())


async def dump_lines(project: str | None, now: int | None) -> list[bytes]:
    """The dump of the store, or computed from the journal at `now` (epoch ms)."""
    settings = _settings(StoreSettings)
    url, catalogues = settings.database_url.get_secret_value(), catalogues_with(settings.predicates)
    async with open_pool(url, size=1) as pool, snapshot(pool) as transaction:
        if now is None:
            return await dump_store(transaction, project)
        return await dump_journal(transaction, project, catalogues, now)


async def rebuild_store(project: str | None) -> None:
    """Compute a project, or all, anew from the journal; tell of progress on standard error.

    An embedding model is opened only if there are names on which nobody has decided.
    """
    settings = _settings(RetainSettings)
    fault = faults(settings.fault, settings.stops)
    url = settings.database_url.get_secret_value()
    with EmbeddingOnDemand(partial(open_configured_embedder, settings)) as embedding:
        async with open_pool(url, size=2, rested=0.0) as pool:  # nothing tries a rebuild again
            parts = retain_parts(pool, settings, fault, embedding)
            await rebuild(parts, project, progress_on_stderr())
