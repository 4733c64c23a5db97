"""Turns: what one voice says before another speaks or it falls silent."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from cortex_insight.parsers.transcript.speech import Utterance

SILENCE: Final = 2000
"""Milliseconds after which a voice that goes on begins anew."""
LONG: Final = 800
"""Characters from which a turn ends with its sentence."""
LONGEST: Final = 2000
_SENTENCE_ENDS: Final = (".", "!", "?", "…", "。", "！", "？")


@dataclass(frozen=True)
class Turn:
    """Words of one voice, with nobody in between."""

    speaker: str | None
    text: str
    start: int
    end: int


def turns(said: Iterable[Utterance], *, carry: bool) -> Iterator[Turn]:
    """The turns of a conversation.

    Args:
        said: In their order.
        carry: A cue without a name goes on with the voice before it, if that is not silent.
    """
    held: Turn | None = None
    for one in said:
        goes_on = held is not None and one.start - held.end <= SILENCE and not one.is_new
        if carry and goes_on and held is not None and one.speaker is None:
            one = replace(one, speaker=held.speaker)
        same = held is not None and one.start - held.end <= SILENCE and _same_voice(held, one)
        if held is not None and same and not _is_full(held, one):
            held = Turn(held.speaker, f"{held.text} {one.text}", held.start, max(held.end, one.end))
            continue
        if held is not None:
            yield held
        held = Turn(one.speaker, one.text, one.start, one.end)
    if held is not None:
        yield held


def _same_voice(held: Turn, one: Utterance) -> bool:
    if one.speaker is None or held.speaker is None:
        return one.speaker is held.speaker and not one.is_new
    return one.speaker.casefold() == held.speaker.casefold()


def _is_full(held: Turn, one: Utterance) -> bool:
    ends = len(held.text) > LONG and held.text.endswith(_SENTENCE_ENDS)
    return ends or len(held.text) + len(one.text) > LONGEST
