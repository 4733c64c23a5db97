"""What all observations of one record share: who, when, and where in the session."""

import re
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
from roxabi_contracts.payloads import TimeSource

from cortex_insight.event_time import resolve_time
from cortex_insight.parser import Draft, ParseContext
from cortex_insight.parsers.claude_code_jsonl.ancestry import FOLLOWS
from cortex_insight.parsers.claude_code_jsonl.record import Record, block_ref
from cortex_insight.parsers.claude_code_jsonl.split import (
    EPISODE,
    FILE_TIME,
    NOT_AFTER,
    NOT_BEFORE,
    ROOT,
)
from cortex_insight.parsers.records import as_text, read_time

_AGENT: Final = Identifier(scheme="slug", value="claude-code")
_SEPARATOR: Final = re.compile(r"[/\\]")


@dataclass(frozen=True)
class Frame:
    """A record in its session.

    Args:
        record: What the line says.
        owner: Whose session it is.
        timestamp: Epoch ms.
        time: How the timestamp is known.
        episode: The prompt that it belongs to.
        root: The session that it belongs to; of a fork, the one that was forked.
        follows: The record that it follows.
        call_id: Of the call that started the sub-agent whose first record it is.
        other_branch: Another prompt that follows the same record.
    """

    record: Record
    owner: ActorRef
    timestamp: int
    time: TimeNote
    episode: str | None
    root: str | None
    follows: str | None = None
    call_id: str | None = None
    other_branch: str | None = None

    @classmethod
    def of(cls, record: Record, event: RawEvent, owner: ActorRef, context: ParseContext) -> "Frame":
        """Place a record in time and session."""
        stated = [
            read_time(record.fields.get("timestamp"), TimeSource.RECORD),
            read_time(event.attributes.get(NOT_BEFORE), TimeSource.NEIGHBOUR),
            read_time(event.attributes.get(NOT_AFTER), TimeSource.NEIGHBOUR),
            read_time(event.attributes.get(FILE_TIME), TimeSource.FILE),
        ]
        bounds = [bound for bound in stated if bound is not None]
        timestamp, note = resolve_time(bounds, context.received_at)
        episode = record.text("promptId") or as_text(event.attributes.get(EPISODE))
        if note.source is not TimeSource.RECORD:
            note = note.model_copy(update={"assumed": True})
        root = as_text(event.attributes.get(ROOT)) or record.session
        named = f"{record.above}#0" if record.above else None
        follows = as_text(event.attributes.get(FOLLOWS, named))
        return cls(record, owner, timestamp, note, episode, root, follows)

    def by_owner(
        self, payload: Payload, index: int, *, prose: bool, notes: dict[str, str]
    ) -> Draft:
        """What the person at the keyboard said or decided."""
        author = self.owner.model_copy(update={"role": ActorRole.AUTHOR})
        agent = ActorRef(
            kind=ActorKind.AGENT,
            role=ActorRole.RECIPIENT,
            name="Claude Code",
            identifiers=(_AGENT,),
        )
        speaker = 0 if prose and author.kind is ActorKind.PERSON else None
        return self._draft(payload, index, (author, agent), 0, notes, speaker=speaker)

    def by_agent(self, payload: Payload, index: int, notes: dict[str, str]) -> Draft:
        """What the agent said or did."""
        agent = ActorRef(
            kind=ActorKind.AGENT, role=ActorRole.AUTHOR, name="Claude Code", identifiers=(_AGENT,)
        )
        return self._draft(payload, index, (agent, self._onlooker()), 1, notes)

    def by_tool(
        self,
        payload: Payload,
        index: int,
        tool: str | None,
        notes: dict[str, str],
        parent: str | None,
    ) -> Draft:
        """What a tool found or made."""
        author = ActorRef(kind=ActorKind.TOOL, role=ActorRole.AUTHOR, name=(tool or "tool")[:512])
        return self._draft(
            payload, index, (author, self._onlooker()), 1, notes,
            parent=parent, origin=Origin.SEMI_TRUSTED,
        )  # fmt: skip

    def _onlooker(self) -> ActorRef:
        return self.owner.model_copy(update={"role": ActorRole.OWNER})

    def _draft(
        self,
        payload: Payload,
        index: int,
        actors: tuple[ActorRef, ...],
        subject: int,
        notes: dict[str, str],
        *,
        speaker: int | None = None,
        parent: str | None = None,
        origin: Origin | None = None,
    ) -> Draft:
        return Draft(
            payload=payload,
            source_ref=block_ref(self.record, index),
            timestamp=self.timestamp,
            actors=actors,
            subject=subject,
            speaker=speaker,
            origin=origin,
            topic=self._topic(),
            correlation=Correlation(
                trace_id=self.root,
                parent_ref=parent or self.follows,
                episode_id=self.episode,
                attributes=self._surroundings() | notes,
            ),
        )

    def _topic(self) -> tuple[str, ...] | None:
        """The project: the name of the folder that the session works in."""
        parts = _SEPARATOR.split((self.record.text("cwd") or "").rstrip("/\\"))
        return (parts[-1],) if parts[-1] else None

    def _surroundings(self) -> dict[str, str]:
        fields = {
            "cwd": "cwd",
            "gitBranch": "git_branch",
            "version": "version",
            "agentId": "agent_id",
        }
        stated = {name: self.record.text(field) for field, name in fields.items()}
        stated |= {"call_id": self.call_id, "other_branch": self.other_branch}
        return {name: value for name, value in stated.items() if value}
