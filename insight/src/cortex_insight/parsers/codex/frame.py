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
from roxabi_contracts.payloads import TimePrecision, TimeSource

from cortex_insight.event_time import Bound, resolve_time
from cortex_insight.parser import Draft, ParseContext
from cortex_insight.parsers.codex.record import Record
from cortex_insight.parsers.codex.results import describe_call
from cortex_insight.parsers.codex.session import (
    BRANCH,
    CWD,
    MODEL,
    PROMPT,
    ROOT,
    SEQUENCE,
    SESSION_ID,
    SUB_AGENT,
    TURN_ID,
    VERSION,
)
from cortex_insight.parsers.codex.splitting import FILE_TIME, NOT_BEFORE
from cortex_insight.parsers.records import as_text, read_time

CODEX: Final = ActorRef(
    kind=ActorKind.AGENT,
    role=ActorRole.AUTHOR,
    name="Codex",
    identifiers=(Identifier(scheme="slug", value="codex"),),
)
_SEPARATOR: Final = re.compile(r"[/\\]")


@dataclass(frozen=True)
class Frame:
    """A record in its session.

    Args:
        record: What the line says.
        event: With what only its place in the session tells.
        owner: Whose session it is.
        timestamp: Epoch ms.
        time: How the timestamp is known.
    """

    record: Record
    event: RawEvent
    owner: ActorRef
    timestamp: int
    time: TimeNote

    @classmethod
    def of(cls, record: Record, event: RawEvent, owner: ActorRef, context: ParseContext) -> "Frame":
        """Place a record in time."""
        stated = [
            read_time(record.time),
            Bound(event.occurred_at, TimeSource.EVENT, TimePrecision.MILLISECOND),
            read_time(event.attributes.get(NOT_BEFORE), TimeSource.NEIGHBOUR),
            read_time(event.attributes.get(FILE_TIME), TimeSource.FILE),
        ]
        timestamp, note = resolve_time([one for one in stated if one], context.received_at)
        if note.source is not TimeSource.RECORD:
            note = note.model_copy(update={"assumed": True})
        return cls(record, event, owner, timestamp, note)

    def told(self, name: str) -> str | None:
        """What the place of the record tells."""
        return as_text(self.event.attributes.get(name))

    @property
    def thread(self) -> str | None:
        """The session."""
        return self.told(SESSION_ID)

    @property
    def by_sub_agent(self) -> bool:
        """Whether it is of a session whose user is an agent."""
        return self.event.attributes.get(SUB_AGENT) is True

    def of_call(self, call: Record | None) -> dict[str, str]:
        """What a result tells of the call that it answers."""
        stated = {
            "call_id": self.record.call_id,
            "call": describe_call(call)[:200] if call else None,
        }
        return {name: text[:500] for name, text in stated.items() if text}

    def by_owner(self, payload: Payload, notes: dict[str, str], *, prose: bool) -> Draft:
        """What the person at the keyboard said or decided."""
        author = self.owner.model_copy(update={"role": ActorRole.AUTHOR})
        agent = CODEX.model_copy(update={"role": ActorRole.RECIPIENT})
        speaker = 0 if prose and author.kind is ActorKind.PERSON else None
        return self._draft(payload, (author, agent), 0, notes, speaker=speaker)

    def by_agent(self, payload: Payload, notes: dict[str, str]) -> Draft:
        """What the agent said or did."""
        return self._draft(payload, (CODEX, self._onlooker()), 1, notes)

    def by_tool(
        self, payload: Payload, tool: str | None, notes: dict[str, str], *,
        parent: str | None = None, part: str = "",
    ) -> Draft:  # fmt: skip
        """What a tool found or made."""
        author = ActorRef(kind=ActorKind.TOOL, role=ActorRole.AUTHOR, name=(tool or "tool")[:512])
        return self._draft(
            payload, (author, self._onlooker()), 1, notes,
            parent=parent, part=part, origin=Origin.SEMI_TRUSTED,
        )  # fmt: skip

    def _onlooker(self) -> ActorRef:
        return self.owner.model_copy(update={"role": ActorRole.OWNER})

    def _draft(
        self, payload: Payload, actors: tuple[ActorRef, ...], subject: int, notes: dict[str, str],
        *, speaker: int | None = None, parent: str | None = None, part: str = "",
        origin: Origin | None = None,
    ) -> Draft:  # fmt: skip
        ref, prompt = self.event.source_ref, self.told(PROMPT)
        sequence = self.event.attributes.get(SEQUENCE)
        return Draft(
            payload=payload,
            source_ref=ref[:1000] + part,
            timestamp=self.timestamp,
            actors=actors,
            subject=subject,
            speaker=speaker,
            origin=origin,
            topic=self._topic(),
            correlation=Correlation(
                trace_id=self.told(ROOT) or self.thread,
                parent_ref=parent or (prompt if prompt != ref else None),
                episode_id=self.told(TURN_ID),
                attributes=self._surroundings() | notes,
            ),
            sequence=sequence if isinstance(sequence, int) else None,
        )

    def _topic(self) -> tuple[str, ...] | None:
        """The project: the name of the folder that the session works in; and the branch."""
        parts = _SEPARATOR.split((self.told(CWD) or "").rstrip("/\\"))
        named = [one for one in (parts[-1], self.told(BRANCH)) if one]
        return tuple(named) or None

    def _surroundings(self) -> dict[str, str]:
        names = (CWD, BRANCH, VERSION, MODEL)
        stated = {name: self.told(name) for name in names}
        stated["session"] = self.thread if self.told(ROOT) else None
        return {name: value[:1000] for name, value in stated.items() if value}
