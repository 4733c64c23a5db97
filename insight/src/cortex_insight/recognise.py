"""Which parser reads a file, when nobody said so: the one that is surest of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from cortex_insight.event import FileHead
from cortex_insight.parser import Confidence, Parser

HEAD_BYTES: Final = 64 * 1024
"""Of a file, as much as parsers are shown to recognise it."""


@dataclass(frozen=True)
class Unclear:
    """No parser reads the file, or more than one would."""

    reason: str


def choose_parser(parsers: Iterable[Parser], head: FileHead) -> Parser | Unclear:
    """The parser that is surest of a file; two that are equally sure are no answer."""
    sure = [(parser.recognise(head), parser) for parser in parsers]
    best = max((confidence for confidence, _ in sure), default=Confidence.NONE)
    if best is Confidence.NONE:
        return Unclear("an empty file" if not head.content else "no source's file")
    chosen = sorted(
        (parser for confidence, parser in sure if confidence is best), key=lambda one: one.source
    )
    if len(chosen) > 1:
        names = " or ".join(parser.source for parser in chosen)
        return Unclear(f"may be {names}: name the source to import it")
    return chosen[0]
