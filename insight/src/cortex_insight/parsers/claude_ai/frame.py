"""What all observations of one message share: who, when, and where in the conversation."""

from dataclasses import dataclass
from typing import Final

from roxabi_contracts import (
    ActorKind,
    ActorRef,
    ActorRole,
    Correlation,
    Identifier,
    Origin,
    Payload,
    RawEvent,
    TimeNote,
)
from roxabi_contracts.payloads import TimePrecision, TimeSource

from cortex_insight.event_time import Bound, resolve_time
from cortex_insight.parser import Draft, ParseContext
from cortex_insight.parsers.claude_ai.record import Conversation, Message
from cortex_insight.parsers.message_events import DEPTH, FILE_TIME, NOT_BEFORE, PARENT, TURN
from cortex_insight.parsers.records import as_text, read_time

CLAUDE: Final = ActorRef(
    kind=ActorKind.AGENT,
    role=ActorRole.AUTHOR,
    name="Claude",
    identifiers=(Identifier(scheme="slug", value="claude-ai"),),
)


@dataclass(frozen=True)
class Frame:
    """A message in its conversation.

    Args:
        message: What the export tells of it.
        conversation: As it was exported last; null: unknown yet.
        event: With what only the place of the message tells.
        owner: Whose account it is.
        timestamp: Epoch ms.
        time: How the timestamp is known.
    """

    message: Message
    conversation: Conversation | None
    event: RawEvent
    owner: ActorRef
    timestamp: int
    time: TimeNote

    @classmethod
    def of(
        cls, message: Message, conversation: Conversation | None, event: RawEvent,
        owner: ActorRef, context: ParseContext,
    ) -> "Frame":  # fmt: skip
        """Place a message in time."""
        stated = [
            read_time(message.fields.get("created_at")),
            read_time(event.attributes.get(NOT_BEFORE), TimeSource.NEIGHBOUR),
            Bound(event.occurred_at, TimeSource.EVENT, TimePrecision.MILLISECOND),
            read_time(event.attributes.get(FILE_TIME), TimeSource.FILE),
        ]
        timestamp, note = resolve_time([one for one in stated if one], context.received_at)
        if note.source is not TimeSource.RECORD:
            note = note.model_copy(update={"assumed": True})
        return cls(message, conversation, event, owner, timestamp, note)

    @property
    def thread(self) -> str:
        """The conversation."""
        return self.message.conversation

    def by_owner(self, payload: Payload, notes: dict[str, str], *, speaks: bool) -> Draft:
        """What the user said."""
        author = self.owner.model_copy(update={"role": ActorRole.AUTHOR})
        agent = CLAUDE.model_copy(update={"role": ActorRole.RECIPIENT})
        speaker = 0 if speaks and author.kind is ActorKind.PERSON else None
        return self._draft(payload, "", (author, agent), 0, notes, speaker=speaker)

    def by_agent(self, payload: Payload, notes: dict[str, str], part: str = "") -> Draft:
        """What the model said or did."""
        return self._draft(payload, part, (CLAUDE, self._onlooker()), 1, notes)

    def by_tool(self, payload: Payload, tool: str | None, notes: dict[str, str], part: str,
                origin: Origin) -> Draft:  # fmt: skip
        """What a tool found."""
        author = ActorRef(kind=ActorKind.TOOL, role=ActorRole.AUTHOR, name=(tool or "tool")[:512])
        return self._draft(payload, part, (author, self._onlooker()), 1, notes, origin=origin)

    def _onlooker(self) -> ActorRef:
        return self.owner.model_copy(update={"role": ActorRole.OWNER})

    def _draft(
        self, payload: Payload, part: str, actors: tuple[ActorRef, ...], subject: int,
        notes: dict[str, str], *, speaker: int | None = None, origin: Origin | None = None,
    ) -> Draft:  # fmt: skip
        attributes = self.event.attributes
        parent, turn = as_text(attributes.get(PARENT)), as_text(attributes.get(TURN))
        depth = attributes.get(DEPTH)
        ref = f"{self.thread}/{self.message.id}"[:1000]
        above = ref if part else f"{self.thread}/{parent}" if parent else None
        conversation = self.conversation
        named = [conversation.name, conversation.project] if conversation else []
        return Draft(
            payload=payload,
            source_ref=ref + part,
            timestamp=self.timestamp,
            actors=actors,
            subject=subject,
            speaker=speaker,
            origin=origin,
            topic=tuple(one[:500] for one in named if one) or None,
            correlation=Correlation(
                trace_id=self.thread,
                parent_ref=above,
                episode_id=f"{self.thread}/{turn}" if turn else None,
                attributes=notes,
            ),
            sequence=depth if isinstance(depth, int) else None,
            revision=self.message.revision,
            neighbour_revisions=(conversation.updated,) if conversation else (),
        )
