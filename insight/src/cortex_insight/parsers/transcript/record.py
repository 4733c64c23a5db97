"""What an event of a transcript holds: a turn, or the meeting with all who spoke."""

from dataclasses import dataclass

from pydantic import JsonValue
from roxabi_contracts import RawEvent

from cortex_insight.parsers.records import as_object, as_text, read_json

_LONGEST_RECORDING = 10**12


@dataclass(frozen=True)
class Turn:
    """Words of one voice, and the meeting in which they fell."""

    meeting: str
    fields: dict[str, JsonValue]

    @property
    def speaker(self) -> str | None:
        """As the file names them."""
        return as_text(self.fields.get("speaker"))

    @property
    def text(self) -> str:
        """Their words; of the meeting itself there are none."""
        return as_text(self.fields.get("text")) or ""

    @property
    def title(self) -> str | None:
        """Of the meeting."""
        return as_text(self.fields.get("title"))

    @property
    def speakers(self) -> tuple[str, ...] | None:
        """All who spoke in the meeting; null: this is one turn of it."""
        stated = self.fields.get("speakers")
        if not isinstance(stated, list):
            return None
        return tuple(one for one in stated if isinstance(one, str) and one.strip())

    @property
    def start(self) -> int:
        """Milliseconds since the recording began."""
        return self._count("start")

    @property
    def end(self) -> int:
        """When the words end; what was read of a longer file ends later."""
        return self._count("end")

    def _count(self, name: str) -> int:
        value = self.fields.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            return 0
        return value if 0 <= value < _LONGEST_RECORDING else 0


def read_turn(event: RawEvent) -> Turn | None:
    """What an event holds; null: nothing of a transcript."""
    try:
        fields = as_object(read_json(event.body.to_bytes()))
    except ValueError:
        return None
    meeting = as_text(fields.get("meeting"))
    return None if meeting is None else Turn(meeting[:200], fields)
