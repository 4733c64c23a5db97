"""Shows what the lake refused, and reads it again when an operator says so."""

from roxabi_contracts import subjects
from roxabi_contracts.upkeep import DeadLettersReply, DeadLettersRequest

from cortex_insight.admit import admit
from cortex_insight.ingest import Ingest
from cortex_insight.outbox import Receipt
from cortex_insight.parser import Reject
from cortex_insight.reading import EventKey, key_of
from cortex_insight.replay import Replay
from cortex_insight.sanitise import SANITISER
from cortex_insight.store.dead_letters import DeadLetterStore, Refused


class DeadLetters:
    """Answers for what was refused.

    Args:
        store: Where it is kept.
        ingest: Takes in messages that are events at last.
        replay: Reads events that the lake has.
    """

    def __init__(self, store: DeadLetterStore, ingest: Ingest, replay: Replay) -> None:
        self._store = store
        self._ingest = ingest
        self._replay = replay

    async def answer(self, asked: DeadLettersRequest) -> DeadLettersReply:
        """The letters asked for, after they were tried again if that was asked, too.

        Raises:
            StoreUnavailable: some may have been tried again; asking again does no harm.
        """
        retried = 0
        if asked.retry:
            for letter_id in await self._store.to_retry(asked):
                retried += await self._read_again(letter_id)
        letters = await self._store.letters(asked, asked.limit + 1)
        return DeadLettersReply(
            project=asked.project,
            letters=tuple(letters[: asked.limit]),
            retried=retried,
            truncated=len(letters) > asked.limit,
        )

    async def _read_again(self, letter_id: str) -> bool:
        """Whether it was read; what was read stays a letter until that is stored."""
        refused = await self._store.refused(letter_id)
        if refused is None:
            return False
        event = await self._read(refused)
        if isinstance(event, Reject):
            await self._store.refuse_again(letter_id, event.code, SANITISER.redact(event.reason))
            return False
        return await self._store.settle(letter_id, event)

    async def _read(self, refused: Refused) -> EventKey | Reject:
        if refused.source is None or refused.project is None:
            return Reject("invalid_subject", "its subject named no source and no project")
        if refused.data is None:
            event = EventKey(refused.project, str(refused.event_id))
            await self._replay.read_again({event})
            return event
        subject = subjects.events(refused.source, refused.project)
        receipt = Receipt(subject, refused.data, refused.received_at)
        admitted = admit(receipt)
        if isinstance(admitted, Reject):
            return admitted
        await self._ingest.take([receipt])
        return key_of(admitted)
