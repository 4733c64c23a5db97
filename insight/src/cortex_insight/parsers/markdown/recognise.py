"""Whether a file is a note in Markdown: by its name, for any text may be one."""

from typing import Final

from cortex_insight.event import FileHead
from cortex_insight.parser import Confidence
from cortex_insight.parsers.charset import decoded_lines

ENDINGS: Final = (".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd")
_CONTROL: Final = frozenset(map(chr, range(32))) - frozenset("\t\n\r\f\v\x1b")


def recognise(head: FileHead) -> Confidence:
    """How surely a file is a note."""
    if not head.path.lower().endswith(ENDINGS) or not head.content:
        return Confidence.NONE
    if head.content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Confidence.LIKELY
    sample = head.content[:4096]
    if b"\0" in sample:
        return Confidence.NONE
    text = "\n".join(line for _, line in decoded_lines([sample]))
    strange = sum(character in _CONTROL for character in text)
    return Confidence.LIKELY if strange * 20 <= len(text) else Confidence.NONE
