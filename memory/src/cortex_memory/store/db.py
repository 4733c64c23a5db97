"""Connections to the warehouse's database, and its errors in our own words."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final, TypeAlias
from weakref import WeakKeyDictionary

import psycopg
from pgvector.psycopg import register_vector_async
from psycopg import AsyncConnection, IsolationLevel, errors
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from cortex_memory.errors import (
    InvalidFact,
    InvariantBroken,
    StoreUnavailable,
    TwoActiveFacts,
    TwoOpenConflicts,
    Unstorable,
)

Connection: TypeAlias = AsyncConnection[tuple[object, ...]]
Pool: TypeAlias = AsyncConnectionPool[Connection]

PLANNING: Final = "-c random_page_cost=1.1 -c jit=off"
"""The hot data is in memory or on flash: a scope is read through its index, not the whole table."""
SEARCHING: Final = (
    f"{PLANNING} -c plan_cache_mode=force_generic_plan -c max_parallel_workers_per_gather=0"
)
"""The statements of a search are long: they are planned once for all, and not for every request."""

AT_LEISURE: Final = f"{PLANNING} -c synchronous_commit=off"
"""For what may go with the last moments of the server: nobody waits until it is on the disk."""

CONSTRAINTS: Final[dict[str, type[InvariantBroken]]] = {
    "fact_one_active_per_slot": TwoActiveFacts,
    "conflict_set_one_open_per_slot": TwoOpenConflicts,
    "fact_status": InvalidFact,
    "fact_interval": InvalidFact,
    "fact_confidence": InvalidFact,
}
"""The named constraints that guard what the fold promises."""

_CHECK_DEFERRED: Final = b"SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED"

RESTED_SECONDS: Final = 1.0
"""For a service: what fails at once for a connection that has just been lost is tried again."""

_HOPELESS: Final = (psycopg.DataError, errors.ProgramLimitExceeded)

_PASSING: Final = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    errors.DeadlockDetected,
    errors.SerializationFailure,
    PoolTimeout,
)


@contextmanager
def translated() -> Iterator[None]:
    """Turn the driver's errors into ours; what no row of the tables explains passes unchanged."""
    try:
        yield
    except _HOPELESS as error:
        raise Unstorable(type(error).__name__) from error
    except _PASSING as error:
        raise StoreUnavailable(str(error)) from error
    except psycopg.IntegrityError as error:
        name = error.diag.constraint_name or ""
        if name not in CONSTRAINTS:
            raise
        raise CONSTRAINTS[name](name) from error  # the driver's own words quote the row


class _CheckedWhenRested:
    """Checks a connection that nobody has used for a while; one in use shows its faults itself."""

    def __init__(self, rested: float) -> None:
        self._rested = rested
        self._seen: WeakKeyDictionary[Connection, float] = WeakKeyDictionary()

    async def __call__(self, connection: Connection) -> None:
        now = asyncio.get_running_loop().time()
        seen = self._seen.get(connection)
        self._seen[connection] = now
        if seen is None or now - seen > self._rested:
            await AsyncConnectionPool.check_connection(connection)


async def _configure(connection: Connection) -> None:
    await register_vector_async(connection)


@asynccontextmanager
async def open_pool(
    url: str,
    size: int,
    patience: float = 30.0,
    rested: float = RESTED_SECONDS,
    planning: str = PLANNING,
) -> AsyncIterator[Pool]:
    """A pool of connections to a migrated database; does not wait for the database to be there.

    Args:
        url: Where the database is.
        size: The most connections at once.
        patience: Seconds to wait for a free connection before `StoreUnavailable`.
        rested: Seconds of rest after which a connection is checked before it is lent again.
        planning: Options of the server, which tell it how to plan what is asked.
    """
    pool: Pool = AsyncConnectionPool(
        url,
        connection_class=AsyncConnection[tuple[object, ...]],
        min_size=1,
        max_size=size,
        timeout=patience,
        configure=_configure,
        check=_CheckedWhenRested(rested),
        open=False,
        kwargs={"application_name": "cortex-memory", "options": planning},
    )
    await pool.open(wait=False)
    try:
        yield pool
    finally:
        await pool.close()


@asynccontextmanager
async def connection(pool: Pool) -> AsyncIterator[Connection]:
    """A connection in a transaction that commits at the end.

    Raises:
        StoreUnavailable: the database is down, or the transaction has to be tried again.
        Unstorable: a value does not fit; trying again is of no use.
        InvariantBroken: a named constraint refused a write.
    """
    with translated():
        async with pool.connection() as borrowed:
            yield borrowed


@asynccontextmanager
async def savepoint(transaction: Connection) -> AsyncIterator[None]:
    """A part of a transaction that is undone alone if it fails; what is deferred is checked.

    Raises:
        StoreUnavailable: the transaction is lost, or has to be tried again.
        Unstorable: a value does not fit; trying again is of no use.
        InvariantBroken: a named constraint refused a write.
    """
    with translated():
        async with transaction.transaction():
            yield
            # Else what is deferred would fail at the end, with all that was done besides.
            await transaction.execute(_CHECK_DEFERRED, prepare=False)


@asynccontextmanager
async def reading(pool: Pool) -> AsyncIterator[Connection]:
    """A connection for statements that stand alone: none waits for a transaction to begin or end.

    Raises:
        StoreUnavailable: the database is down.
    """
    with translated():
        async with pool.connection() as borrowed:
            await borrowed.set_autocommit(True)
            try:
                yield borrowed
            finally:
                if not borrowed.broken:
                    await borrowed.set_autocommit(False)


@asynccontextmanager
async def snapshot(pool: Pool) -> AsyncIterator[Connection]:
    """A connection that reads everything as of one moment, and writes nothing.

    Raises:
        StoreUnavailable: the database is down.
    """
    async with connection(pool) as borrowed:
        await borrowed.set_isolation_level(IsolationLevel.REPEATABLE_READ)
        await borrowed.set_read_only(True)
        try:
            yield borrowed
        finally:
            await borrowed.rollback()
            await borrowed.set_isolation_level(None)
            await borrowed.set_read_only(None)
