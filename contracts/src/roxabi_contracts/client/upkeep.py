"""Looking after the queues and taking a memory along, as an operator."""

from collections.abc import AsyncIterator
from typing import Final

from roxabi_contracts import subjects
from roxabi_contracts.client.connection import Connection
from roxabi_contracts.client.requests import request
from roxabi_contracts.subjects import InsightCommand, MemoryCommand, Query
from roxabi_contracts.upkeep import (
    DeadLettersReply,
    DeadLettersRequest,
    ExportPage,
    ExportRequest,
    ReplayPage,
    ReplayRequest,
    RetainReply,
    RetainRequest,
)

DEADLINE: Final = 60.0


class UpkeepClient:
    """Asks both services over an open connection; every method raises as `request` does."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def memory_dead_letters(self, asked: DeadLettersRequest) -> DeadLettersReply:
        """What memory refused."""
        subject = subjects.query(Query.DEAD_LETTERS, asked.project)
        return await request(self._connection, subject, asked, DeadLettersReply, DEADLINE)

    async def insight_dead_letters(self, asked: DeadLettersRequest) -> DeadLettersReply:
        """What insight refused."""
        subject = subjects.insight_command(InsightCommand.DEAD_LETTERS, asked.project)
        return await request(self._connection, subject, asked, DeadLettersReply, DEADLINE)

    async def retain(self, asked: RetainRequest) -> RetainReply:
        """Put failed jobs back into the queue."""
        subject = subjects.memory_command(MemoryCommand.RETAIN, asked.project)
        return await request(self._connection, subject, asked, RetainReply, DEADLINE)

    async def replay(self, asked: ReplayRequest) -> AsyncIterator[ReplayPage]:
        """Every page of a replay, from the cursor on; each is done when it is here."""
        subject = subjects.insight_command(InsightCommand.REPLAY, asked.project)
        while True:
            page = await request(self._connection, subject, asked, ReplayPage, DEADLINE)
            yield page
            if page.cursor is None:
                return
            asked = asked.model_copy(update={"cursor": page.cursor})

    async def export(self, asked: ExportRequest) -> AsyncIterator[ExportPage]:
        """Every page of a subject's memory, from the cursor on."""
        subject = subjects.memory_command(MemoryCommand.EXPORT, asked.project)
        while True:
            page = await request(self._connection, subject, asked, ExportPage, DEADLINE)
            yield page
            if page.cursor is None:
                return
            asked = asked.model_copy(update={"cursor": page.cursor})
