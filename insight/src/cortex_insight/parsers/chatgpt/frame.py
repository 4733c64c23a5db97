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
from cortex_insight.parsers.chatgpt.record import Conversation, Message, is_project
from cortex_insight.parsers.message_events import DEPTH, FILE_TIME, NOT_BEFORE, PARENT, TURN
from cortex_insight.parsers.records import as_text, read_time

ACCOUNT: Final = "account:chatgpt"
CHATGPT: Final = ActorRef(
    kind=ActorKind.AGENT,
    role=ActorRole.AUTHOR,
    name="ChatGPT",
    identifiers=(Identifier(scheme="slug", value="chatgpt"),),
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
            message.created,
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
        agent = self._agent().model_copy(update={"role": ActorRole.RECIPIENT})
        speaker = 0 if speaks and author.kind is ActorKind.PERSON else None
        return self._draft(payload, "", (author, agent), 0, notes, speaker=speaker)

    def by_agent(self, payload: Payload, notes: dict[str, str]) -> Draft:
        """What the model said or did."""
        return self._draft(payload, "", (self._agent(), self._onlooker()), 1, notes)

    def by_tool(
        self, payload: Payload, notes: dict[str, str], origin: Origin, part: str = ""
    ) -> Draft:
        """What a tool found or made."""
        name = (self.message.tool or "tool")[:512]
        author = ActorRef(kind=ActorKind.TOOL, role=ActorRole.AUTHOR, name=name)
        actors = (author, self._onlooker())
        return self._draft(payload, part, actors, 1, notes, origin=origin)

    def _onlooker(self) -> ActorRef:
        return self.owner.model_copy(update={"role": ActorRole.OWNER})

    def _gizmo(self) -> str | None:
        """The custom GPT that speaks, or the project that the conversation is in."""
        stated = as_text(self.message.metadata.get("gizmo_id"))
        return stated or (self.conversation.gizmo if self.conversation else None)

    def _agent(self) -> ActorRef:
        """ChatGPT; a custom GPT is an agent of its own, of which exports tell no name."""
        gizmo = self._gizmo()
        if gizmo is None or is_project(gizmo):
            return CHATGPT
        key = Identifier(scheme=ACCOUNT, value=gizmo[:512])
        return CHATGPT.model_copy(update={"name": None, "identifiers": (key,)})

    def _draft(
        self, payload: Payload, part: str, actors: tuple[ActorRef, ...], subject: int,
        notes: dict[str, str], *, speaker: int | None = None, origin: Origin | None = None,
    ) -> Draft:  # fmt: skip
        message, attributes = self.message, self.event.attributes
        parent, turn = as_text(attributes.get(PARENT)), as_text(attributes.get(TURN))
        depth = attributes.get(DEPTH)
        title = self.conversation.title if self.conversation else None
        updated = () if self.conversation is None else (self.conversation.updated,)
        return Draft(
            payload=payload,
            source_ref=f"{self.thread}/{message.node}"[:1000] + part,
            timestamp=self.timestamp,
            actors=actors,
            subject=subject,
            speaker=speaker,
            origin=origin,
            topic=(title[:500],) if title else None,
            correlation=Correlation(
                trace_id=self.thread,
                parent_ref=f"{self.thread}/{parent}" if parent else None,
                episode_id=f"{self.thread}/{turn}" if turn else None,
                attributes=self._surroundings() | notes,
            ),
            sequence=depth if isinstance(depth, int) else None,
            revision=message.revision,
            neighbour_revisions=updated,
        )

    def _surroundings(self) -> dict[str, str]:
        """Which model answers, and under which instructions of whom."""
        gizmo = self._gizmo()
        name = "project" if gizmo and is_project(gizmo) else "gizmo"
        stated = {"model": as_text(self.message.metadata.get("model_slug")), name: gizmo}
        return {key: value[:500] for key, value in stated.items() if value}
