"""Shows what was refused or failed, and tries it again when an operator says so."""

from collections.abc import Callable

from roxabi_contracts import subjects
from roxabi_contracts.errors import DecodeError, InvalidMessage
from roxabi_contracts.observation import Observation
from roxabi_contracts.upkeep import DeadLettersReply, DeadLettersRequest

from cortex_memory.errors import Unstorable
from cortex_memory.store import dead_letters
from cortex_memory.store.db import Pool, connection
from cortex_memory.store.inbox import Inbox
from cortex_memory.store.jobs import requeue_failed

Decode = Callable[[str, bytes], Observation]
"""Reads an observation as it came on a subject; raises `DecodeError`."""


class DeadLetterAnswerer:
    """Answers for the messages that are no observations, and for jobs that have failed.

    Args:
        pool: Connections to the store.
        inbox: Where a message goes that is understood by now.
        decode: How messages are read today.
    """

    def __init__(self, pool: Pool, inbox: Inbox, decode: Decode) -> None:
        self._pool = pool
        self._inbox = inbox
        self._decode = decode

    async def answer(self, asked: DeadLettersRequest) -> DeadLettersReply:
        """The letters asked for, after they were tried again if that was asked, too.

        Raises:
            StoreUnavailable: some may have been tried again; asking again does no harm.
        """
        retried = await self._retry(asked) if asked.retry else 0
        async with connection(self._pool) as transaction:
            letters = await dead_letters.list_letters(transaction, asked, asked.limit + 1)
        return DeadLettersReply(
            project=asked.project,
            letters=tuple(letters[: asked.limit]),
            retried=retried,
            truncated=len(letters) > asked.limit,
        )

    async def _retry(self, asked: DeadLettersRequest) -> int:
        async with connection(self._pool) as transaction:
            named = None if asked.id is None else [asked.id]
            requeued = await requeue_failed(transaction, asked.project, named)
            identities = await dead_letters.letters_to_retry(transaction, asked)
        return sum([await self._read_again(identity) for identity in identities], requeued)

    async def _read_again(self, identity: str) -> bool:
        """Whether it was understood; one that was stays a letter until it is in the inbox."""
        async with connection(self._pool) as transaction:
            refused = await dead_letters.refused_message(transaction, identity)
        if refused is None:
            return False
        try:
            await self._take_in(refused)
        except DecodeError as error:
            async with connection(self._pool) as transaction:
                await dead_letters.refuse_again(transaction, identity, error.code, str(error))
            return False
        async with connection(self._pool) as transaction:
            await dead_letters.remove_letter(transaction, identity)
        return True

    async def _take_in(self, refused: dead_letters.RefusedMessage) -> None:
        observation = self._decode(refused.subject or subjects.OBSERVATIONS, refused.body)
        try:
            await self._inbox.store([observation])
        except Unstorable as error:
            raise InvalidMessage(f"a number or text is out of bounds: {error}") from error
