"""Takes observations off the stream: stored in one transaction, then acknowledged."""

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Final

import structlog
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from pydantic import BaseModel, ConfigDict, ValidationError
from roxabi_contracts import codec, subjects
from roxabi_contracts.client.connection import Connection
from roxabi_contracts.client.errors import BrokerUnavailable
from roxabi_contracts.client.pull import Puller
from roxabi_contracts.errors import DecodeError, ErrorCode, InvalidMessage, InvalidToken
from roxabi_contracts.ids import content_id
from roxabi_contracts.observation import Observation
from roxabi_contracts.operations import RejectedMessage
from roxabi_contracts.subjects import Token

from cortex_memory.bus.publish import outgoing, publish
from cortex_memory.clock import Clock
from cortex_memory.errors import StoreUnavailable, Unstorable
from cortex_memory.faults import FaultPoint, Step
from cortex_memory.store.inbox import Inbox, Rejection

LETTERS: Final = 500
FETCH_SECONDS: Final = 1.0
RETRY_SECONDS: Final = 1.0

_log = structlog.get_logger()


class ProjectMismatch(DecodeError):
    """The subject names another project than the message."""

    code = ErrorCode.PROJECT_MISMATCH


class _Named(BaseModel):
    """What a message says of where it belongs, even if it says nothing else that is right."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    project_id: Token | None = None
    source: Token | None = None
    source_ref: str | None = None


class ObservationConsumer:
    """Moves observations from the stream into the inbox until it is told to stop."""

    def __init__(
        self,
        connection: Connection,
        inbox: Inbox,
        clock: Clock,
        fault: FaultPoint,
        arrived: asyncio.Event,
    ) -> None:
        self._client = connection.client
        self._jetstream = connection.client.jetstream()
        self._inbox = inbox
        self._clock = clock
        self._fault = fault
        self._arrived = arrived

    async def run(self, stopping: asyncio.Event) -> None:
        """Consume; a broker or a database that is down is waited for, whatever it takes."""
        while not stopping.is_set():
            try:
                await self._consume(stopping)
            except (NatsError, BrokerUnavailable, StoreUnavailable, OSError) as error:
                _log.warning("inbox_waits", reason=type(error).__name__)
                await asyncio.sleep(RETRY_SECONDS)
            except Exception:  # noqa: BLE001  (a top loop: nothing is lost, all comes again)
                _log.exception("inbox_failed")
                await asyncio.sleep(RETRY_SECONDS)

    async def _consume(self, stopping: asyncio.Event) -> None:
        waiting = Puller(self._client, subjects.STREAM_OBSERVATIONS, subjects.DURABLE_INBOX)
        try:
            while not stopping.is_set():
                if messages := await waiting.fetch(FETCH_SECONDS):
                    await self._take_when_possible(messages, stopping)
                await self._publish_rejected()
        finally:
            await waiting.close()

    async def _take_when_possible(self, messages: Sequence[Msg], stopping: asyncio.Event) -> None:
        """Hold on to what was fetched while the database is away."""
        while not stopping.is_set():
            try:
                await self._take(messages)
            except StoreUnavailable as error:
                _log.warning("inbox_waits", reason=type(error.__cause__).__name__)
                await asyncio.sleep(RETRY_SECONDS)
            else:
                return

    async def _take(self, messages: Sequence[Msg]) -> None:
        taken, rejections = self._read(messages)
        observations = [observation for observation, _ in taken]
        try:
            await self._inbox.store(observations, rejections)
        except Unstorable:
            await self._take_one_by_one(taken, rejections)
        self._fault(Step.AFTER_INBOX_COMMIT)
        self._arrived.set()
        for message in messages:
            await message.ack()
        _log.info("observations_stored", count=len(observations), rejected=len(rejections))

    async def _take_one_by_one(
        self, taken: Sequence[tuple[Observation, Msg]], rejections: Sequence[Rejection]
    ) -> None:
        """Find out which observation cannot be stored, and keep the others."""
        await self._inbox.store([], rejections)
        for observation, message in taken:
            try:
                await self._inbox.store([observation])
            except Unstorable as error:
                refusal = InvalidMessage(f"a number or text is out of bounds: {error}")
                await self._inbox.store([], [self._reject(message, refusal)])

    def _read(
        self, messages: Sequence[Msg]
    ) -> tuple[list[tuple[Observation, Msg]], list[Rejection]]:
        taken: list[tuple[Observation, Msg]] = []
        rejections: list[Rejection] = []
        for message in messages:
            try:
                taken.append((decode_observation(message.subject, message.data), message))
            except DecodeError as error:
                rejections.append(self._reject(message, error))
        return taken, rejections

    def _reject(self, message: Msg, error: DecodeError) -> Rejection:
        data = message.data
        sha256 = hashlib.sha256(data).hexdigest()
        _log.warning("observation_rejected", code=error.code, reason=str(error), sha256=sha256)
        # Whose it would be is not believed where the subject says otherwise.
        named = _Named() if isinstance(error, ProjectMismatch) else _named_in(data)
        letter = RejectedMessage(
            id=content_id("rejected", error.code, sha256),
            project=named.project_id,
            source=named.source,
            source_ref=named.source_ref,
            event_id=None,
            code=error.code,
            reason=str(error),
            received_at=self._clock.now(),
            size=len(data),
            sha256=sha256,
        )
        return Rejection(letter, message.subject, data)

    async def _publish_rejected(self) -> None:
        letters = await self._inbox.unpublished_rejections(LETTERS)
        if not letters:
            return
        sent = [outgoing(subjects.OBSERVATIONS_REJECTED, letter.id, letter) for letter in letters]
        confirmed = await publish(self._jetstream, sent)
        self._fault(Step.AFTER_REJECTED_PUBLISHED)
        done = [letter.id for letter, ok in zip(letters, confirmed, strict=True) if ok]
        await self._inbox.mark_rejections_published(done)


def _named_in(data: bytes) -> _Named:
    try:
        named = _Named.model_validate_json(data)
    except (ValidationError, InvalidToken):
        return _Named()
    return named if "\0" not in (named.source_ref or "") else _Named()


def decode_observation(subject: str, data: bytes) -> Observation:
    """Read an observation as it came on a subject.

    Raises:
        DecodeError: it is none, or the subject names another project.
    """
    observation = codec.decode(data, Observation)
    partition = subject.removeprefix(subjects.OBSERVATIONS).strip(".").split(".")
    if len(partition) == 2 and partition[0] != observation.project_id:
        raise ProjectMismatch(f"sent as {partition[0][:64]!r}, but of another project")
    return observation
