"""Whether a file is a transcript, by its first lines."""

from cortex_insight.event import FileHead
from cortex_insight.parser import Confidence
from cortex_insight.parsers.charset import decoded_lines
from cortex_insight.parsers.transcript.cues import TIMING


def recognise(head: FileHead) -> Confidence:
    """How surely a file is WebVTT or SubRip."""
    filled = [line for _, line in decoded_lines([head.content[:4096]]) if line.strip()]
    if not filled:
        return Confidence.NONE
    first = filled[0].strip()
    if first == "WEBVTT" or first.startswith(("WEBVTT ", "WEBVTT\t")):
        return Confidence.CERTAIN
    if any(TIMING.fullmatch(line) for line in filled[:3]):
        return Confidence.CERTAIN
    named = head.path.lower().endswith((".vtt", ".srt"))
    return (
        Confidence.POSSIBLE if named and any("-->" in line for line in filled) else Confidence.NONE
    )
