"""The pool of connections, and the driver's errors as ours."""

import contextlib
from collections.abc import AsyncGenerator, Generator, Mapping
from typing import Any, Final

import psycopg
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from cortex_insight.errors import StoreRefused, StoreUnavailable

POOL_SIZE: Final = 8
POOL_SECONDS: Final = 5.0

Parameters = Mapping[str, object]
Row = Mapping[str, Any]


@contextlib.contextmanager
def translated() -> Generator[None]:
    """Turn the driver's errors into ours; none carries a value of the statement.

    Raises:
        StoreUnavailable: the database cannot be reached, or the work can be tried again.
        StoreRefused: the database refuses these very values.
    """
    try:
        yield
    except (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout, PoolClosed) as error:
        raise StoreUnavailable(_first_line(error)) from error
    except psycopg.Error as error:
        raise StoreRefused(type(error).__name__) from error


def _first_line(error: Exception) -> str:
    """What such errors say of the server; values of a statement stand further down, if at all."""
    return next(iter(str(error).splitlines()), type(error).__name__)


class Transaction:
    """Statements that are applied together or not at all."""

    def __init__(self, connection: psycopg.AsyncConnection) -> None:
        self._connection = connection

    async def execute(self, statement: bytes, parameters: Parameters) -> None:
        """Run a statement for its effect."""
        await self._connection.execute(statement, parameters)

    async def fetch(self, statement: bytes, parameters: Parameters) -> list[Row]:
        """Run a statement for its rows."""
        async with self._connection.cursor(binary=True, row_factory=dict_row) as cursor:
            await cursor.execute(statement, parameters)
            return [*await cursor.fetchall()]


class Database:
    """The lake's database.

    Args:
        url: How to connect, with the role's password.
    """

    def __init__(self, url: str) -> None:
        self._pool = AsyncConnectionPool(
            url,
            min_size=1,
            max_size=POOL_SIZE,
            timeout=POOL_SECONDS,
            check=AsyncConnectionPool.check_connection,
            open=False,
        )

    async def __aenter__(self) -> "Database":
        await self._pool.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._pool.close()

    @contextlib.asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Transaction]:
        """A transaction, committed at the end.

        Raises:
            StoreUnavailable: the database cannot be reached, or the work can be tried again.
            StoreRefused: the database refuses these very values.
        """
        with translated():
            async with self._pool.connection() as connection, connection.transaction():
                yield Transaction(connection)

    async def execute_alone(self, statement: bytes) -> None:
        """Run a statement that cannot be in a transaction.

        Raises:
            StoreUnavailable: the database cannot be reached, or the work can be tried again.
            StoreRefused: the database refuses it.
        """
        with translated():
            async with self._pool.connection() as connection:
                await connection.set_autocommit(True)
                try:
                    await connection.execute(statement)
                finally:
                    await connection.set_autocommit(False)
