"""Whether a file holds the history of a repository."""

from cortex_insight.event import FileHead
from cortex_insight.parser import Confidence
from cortex_insight.parsers.git.splitting import COMMIT_MARK, TAG_MARK


def recognise(head: FileHead) -> Confidence:
    """By the mark with which every record begins."""
    marks = tuple(f"{mark}\0".encode() for mark in (COMMIT_MARK, TAG_MARK))
    return Confidence.CERTAIN if head.content.lstrip(b"\n").startswith(marks) else Confidence.NONE
