"""Asks a stack to forget, and waits until it has."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from cortex_local.errors import StackError
from polling import NotYet, eventually
from roxabi_contracts.client import ClientError, MemoryClient
from roxabi_contracts.errors import RequestRefused
from roxabi_contracts.operations import FactRecord
from roxabi_contracts.upkeep import ForgetMode, ForgetReceipt, ForgetRequest, ForgetScope
from samples import FIRST_DAY, OWNER, PROJECT
from stack import Stack

SINCE_THEN: Final = FIRST_DAY + timedelta(days=30)
"""After all that the tests have anybody say."""


@dataclass(frozen=True)
class Operator:
    """A person at the command of a stack."""

    stack: Stack

    def request(
        self,
        scope: ForgetScope,
        target: str | None,
        mode: ForgetMode = ForgetMode.ERASE,
        at: datetime = SINCE_THEN,
        subject: str = OWNER,
    ) -> ForgetRequest:
        """What is asked for."""
        return ForgetRequest(
            project=PROJECT,
            subject=subject,
            scope=scope,
            target=target,
            mode=mode,
            requested_by="tester",
            requested_at=at,
        )

    async def ask(self, request: ForgetRequest) -> ForgetReceipt:
        """Ask once; the receipt may be of something unfinished."""
        async with self.stack.connected() as connection:
            return await MemoryClient(connection).forget(request)

    async def forget(self, request: ForgetRequest) -> ForgetReceipt:
        """Ask until it is finished, as a refusal has to allow; the last receipt."""

        async def look() -> ForgetReceipt:
            try:
                receipt = await self.ask(request)
            except RequestRefused as error:
                if not error.reply.retryable:
                    raise
                raise NotYet(f"{error!r}\n{self.stack.memory.log()}") from error
            except (ClientError, StackError) as error:
                raise NotYet(f"{error!r}\n{self.stack.memory.log()}") from error
            if not receipt.finished:
                logs = self.stack.memory.log() + self.stack.insight.log()
                raise NotYet(f"{receipt}\n{logs}")
            return receipt

        return await eventually("an end of forgetting", look)

    async def fact(self, value: str, subject: str = OWNER) -> FactRecord:
        """The fact of somebody that has this value."""
        facts = await self.stack.facts(subject=subject)
        (found,) = [fact for fact in facts if fact.value and value in str(fact.value)]
        return found
