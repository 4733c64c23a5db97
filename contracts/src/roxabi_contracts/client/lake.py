"""Asking the lake what it knows of its sources and events."""

from typing import Final

from roxabi_contracts import subjects
from roxabi_contracts.client.connection import Connection
from roxabi_contracts.client.requests import request
from roxabi_contracts.operations import SourcesReply, SourcesRequest
from roxabi_contracts.subjects import InsightCommand
from roxabi_contracts.upkeep import LakeForgetReply, LakeForgetRequest

DEADLINE: Final = 30.0
FORGET_DEADLINE: Final = 15.0
"""A lake that needs longer says so before, and is asked again."""


class LakeClient:
    """Asks insight over an open connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def sources(self, asked: SourcesRequest) -> SourcesReply:
        """The sources of a project, and what became of the events asked for.

        Raises:
            ClientError, RequestRefused: as `request`.
        """
        subject = subjects.insight_command(InsightCommand.SOURCES, asked.project)
        return await request(self._connection, subject, asked, SourcesReply, DEADLINE)

    async def forget(self, asked: LakeForgetRequest) -> LakeForgetReply:
        """Erase events; what the lake confirms is gone from its tables and streams.

        Raises:
            ClientError, RequestRefused: as `request`.
        """
        subject = subjects.insight_command(InsightCommand.FORGET, asked.project)
        return await request(self._connection, subject, asked, LakeForgetReply, FORGET_DEADLINE)
