"""Text whose soft line breaks its program marked (RFC 3676): as its author typed it."""

from typing import Final

_SIGNATURE: Final = "-- "


def unflow(text: str, *, delete_space: bool) -> str:
    """The text with its soft breaks joined, and its quotes kept a line each.

    Args:
        text: As it was sent.
        delete_space: The space that marks a break is none of the text.
    """
    lines: list[str] = []
    paragraph: str | None = None
    depth = 0
    for raw in text.replace("\r\n", "\n").split("\n"):
        bare = raw.lstrip(">")
        level = len(raw) - len(bare)
        line = bare.removeprefix(" ")
        flows = line.endswith(" ") and line != _SIGNATURE
        if paragraph is not None and (level != depth or line == _SIGNATURE):
            lines.append(_quoted(depth, paragraph))
            paragraph = None
        joined = line if paragraph is None else paragraph + line
        depth = level
        if flows:
            paragraph = joined[:-1] if delete_space else joined
        else:
            lines.append(_quoted(level, joined))
            paragraph = None
    if paragraph is not None:
        lines.append(_quoted(depth, paragraph))
    return "\n".join(lines)


def _quoted(depth: int, line: str) -> str:
    return f"{'>' * depth} {line}".rstrip("\n") if depth else line
