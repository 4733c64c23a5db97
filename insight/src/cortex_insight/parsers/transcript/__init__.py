"""Transcripts of meetings, in WebVTT and SubRip: from Zoom, Teams, recognisers of speech."""

from collections.abc import Iterable, Iterator

from roxabi_contracts import RawEvent

from cortex_insight.event import FileContext, FileHead, Skipped
from cortex_insight.parser import Confidence, Neighbours, ParseContext, Parsed, Reject
from cortex_insight.parsers.transcript.drafts import draft_of, meeting_draft
from cortex_insight.parsers.transcript.recognise import recognise
from cortex_insight.parsers.transcript.record import read_turn
from cortex_insight.parsers.transcript.splitting import MEDIA_TYPE, SOURCE, split

__all__ = ["TranscriptParser"]


class TranscriptParser:
    """The source `transcript`.

    A turn does not know who else is in the room: it asks for the meeting, which does.
    """

    source: str = SOURCE
    title: str = "Transcripts of meetings: WebVTT and SubRip (*.vtt, *.srt)"
    version: int = 1
    media_types: frozenset[str] = frozenset({MEDIA_TYPE})

    def recognise(self, head: FileHead) -> Confidence:
        """By its first line, or times with an arrow."""
        return recognise(head)

    def split(self, content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
        """One event a turn, and one for the meeting."""
        return split(content, context)

    def provides(self, event: RawEvent) -> tuple[str, ...]:
        """The meeting, for its turns."""
        turn = read_turn(event)
        is_meeting = turn is not None and turn.speakers is not None
        return (f"meeting:{turn.meeting}",) if turn and is_meeting else ()

    def needs(self, event: RawEvent) -> tuple[str, ...]:
        """The meeting in which a turn falls."""
        turn = read_turn(event)
        is_turn = turn is not None and turn.speakers is None
        return (f"meeting:{turn.meeting}",) if turn and is_turn else ()

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        """What was said, or who was there."""
        if event.owner is None or not event.owner.identifiers:
            return Reject("no_owner", "the event does not say whose memory it goes to")
        turn = read_turn(event)
        if turn is None:
            return Reject("no_record", "the body is no turn of a transcript")
        if turn.speakers is not None:
            return Parsed((meeting_draft(turn, event, event.owner, context),))
        if not turn.text:
            return Parsed()
        known = [read_turn(one) for found in neighbours.values() for one in found]
        speakers = sorted({name for one in known if one for name in one.speakers or ()})
        return Parsed((draft_of(turn, event, event.owner, speakers, context),))
