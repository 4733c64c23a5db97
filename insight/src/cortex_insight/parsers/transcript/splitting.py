"""A transcript as events: one a turn, and one that says who took part."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import RawEvent
from roxabi_contracts.event import body_of

from cortex_insight.event import FileContext, Skipped
from cortex_insight.parsers.charset import decoded_lines
from cortex_insight.parsers.transcript.cues import Block, Comment, Cue, read_cues
from cortex_insight.parsers.transcript.meeting import Meeting, read_meeting
from cortex_insight.parsers.transcript.rolling import unrolled
from cortex_insight.parsers.transcript.speech import Style, Utterance, style_of, utterances
from cortex_insight.parsers.transcript.turns import Turn, turns

SOURCE: Final = "transcript"
MEDIA_TYPE: Final = "application/json"
FILE_TIME: Final = "file_modified_at"

_HEAD: Final = 300
"""Cues that show how a file names who speaks."""
_SPEAKERS_AT_MOST: Final = 100


def split(content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
    """The turns of a file, and at its end who took part."""
    blocks = read_cues(decoded_lines(content))
    head = list(islice(blocks, _HEAD))
    cues = [one for one in head if isinstance(one, Cue)]
    comments = [one.text for one in head if isinstance(one, Comment)]
    reading = _Reading(context, read_meeting(context.path, comments, cues))
    yield from reading.events(chain(head, blocks), style_of(cues))


@dataclass
class _Reading:
    """A file while it is read; its state is gone with it."""

    context: FileContext
    meeting: Meeting
    skipped: list[Skipped] = field(default_factory=list[Skipped])
    speakers: Counter[str] = field(default_factory=Counter[str])
    starts: Counter[int] = field(default_factory=Counter[int])
    end: int = 0

    def events(self, blocks: Iterable[Block], style: Style) -> Iterator[RawEvent | Skipped]:
        """The turns in their order, and what is left out between them."""
        said = self._said(blocks, style)
        previous: str | None = None
        for turn in turns(said, carry=style.names is None or style.lines):
            yield from self._left_out()
            event = self._turn(turn, previous)
            previous = event.source_ref
            yield event
        yield from self._left_out()
        yield self._meeting() if self.end else Skipped(0, "nothing is said in it")

    def _said(self, blocks: Iterable[Block], style: Style) -> Iterator[Utterance]:
        for cue in unrolled(self._cues(blocks)):
            yield from utterances(cue, cue.lines, style)

    def _cues(self, blocks: Iterable[Block]) -> Iterator[Cue]:
        for block in blocks:
            if isinstance(block, Cue):
                yield block
            elif isinstance(block, Skipped):
                self.skipped.append(block)

    def _left_out(self) -> Iterator[Skipped]:
        yield from self.skipped
        self.skipped.clear()

    def _turn(self, turn: Turn, previous: str | None) -> RawEvent:
        self.end = max(self.end, turn.end, 1)
        if turn.speaker is not None and len(self.speakers) < _SPEAKERS_AT_MOST:
            self.speakers[turn.speaker] += 1
        self.starts[turn.start] += 1
        again = self.starts[turn.start]
        ref = f"{self.meeting.key}/{turn.start}{f'-{again}' if again > 1 else ''}"
        fields: dict[str, JsonValue] = {
            "speaker": turn.speaker, "text": turn.text, "start": turn.start, "end": turn.end,
            "previous": previous,
        }  # fmt: skip
        return self._event(ref, fields)

    def _meeting(self) -> RawEvent:
        fields: dict[str, JsonValue] = {"speakers": [*sorted(self.speakers)], "end": self.end}
        return self._event(f"{self.meeting.key}/meeting", fields)

    def _event(self, ref: str, fields: dict[str, JsonValue]) -> RawEvent:
        body = {**self.meeting.as_fields(), **fields}
        dated = self.meeting.beginning is not None or self.context.modified_at is None
        modified = self.context.modified_at
        return RawEvent(
            project=self.context.project,
            source=SOURCE,
            source_ref=ref,
            media_type=MEDIA_TYPE,
            body=body_of(json.dumps(body, sort_keys=True, ensure_ascii=False).encode()),
            owner=self.context.owner,
            attributes={} if dated or modified is None else {FILE_TIME: modified.isoformat()},
        )
