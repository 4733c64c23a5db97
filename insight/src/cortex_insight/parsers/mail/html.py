"""HTML mail as text: its quotes marked as in plain text, so that both are read alike."""

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

_SKIPPED: Final = frozenset(("head", "script", "style", "title", "template", "noscript", "object"))
_BREAKING: Final = frozenset(
    (
        "address", "article", "blockquote", "center", "div", "dl", "dt", "dd", "fieldset", "form",
        "h1", "h2", "h3", "h4", "h5", "h6", "header", "footer", "hr", "li", "main", "ol", "p",
        "pre", "section", "table", "tr", "ul",
    )
)  # fmt: skip
_SPACED: Final = frozenset(("p", "h1", "h2", "h3", "h4", "h5", "h6"))
_QUOTES: Final = re.compile(
    r"gmail_quote(?!_attribution)|yahoo_quoted|divRplyFwdMsg|moz-cite-prefix|moz-forward-container"
    r"|appendonsend|OutlookMessageHeader|gmail_attr|protonmail_quote|mail-quote|zmail_extra"
)
_SIGNATURES: Final = re.compile(r"gmail_signature|moz-signature|protonmail_signature_block")
_HIDDEN: Final = re.compile(r"display\s*:\s*none|mso-hide\s*:\s*all|font-size\s*:\s*0", re.I)
_REPLY_LINE: Final = re.compile(r"border-top\s*:\s*solid|border:none;border-top", re.I)
_DEEPEST: Final = 100


def html_to_text(source: str) -> str:
    """The text of a page: a line a block, quoted blocks behind `> `, a signature after `-- `."""
    tree = LexborHTMLParser(source)
    writer = _Writer()
    if tree.root is not None:
        _walk(tree.root, writer, 0)
    return writer.text()


class _Writer:
    def __init__(self) -> None:
        self.quote = 0
        self.rest_quoted = False
        self.preserve = False
        self._lines: list[str] = []
        self._line = ""

    def write(self, text: str) -> None:
        if self.preserve:
            first, *others = text.split("\n")
            self._line += first
            for other in others:
                self.end_line()
                self._line = other
            return
        words = re.sub(r"[ \t\r\n\f]+", " ", text)
        self._line += words.lstrip(" ") if not self._line or self._line.endswith(" ") else words

    def end_line(self) -> None:
        depth = self.quote + self.rest_quoted
        self._lines.append(
            ("> " * depth + self._line.rstrip()).rstrip(" ") if depth else self._line.rstrip()
        )
        self._line = ""

    def end_block(self, *, spaced: bool) -> None:
        if self._line.strip():
            self.end_line()
        if spaced and self._lines and self._lines[-1].strip("> "):
            self.end_line()

    def mark(self, line: str) -> None:
        self.end_block(spaced=False)
        self._lines.append(line)

    def text(self) -> str:
        self.end_block(spaced=False)
        while self._lines and not self._lines[-1].strip("> "):
            self._lines.pop()
        return re.sub(r"\n{3,}", "\n\n", "\n".join(self._lines)).strip("\n")


def _walk(node: LexborNode, writer: _Writer, depth: int) -> None:
    if depth > _DEEPEST:
        writer.write(node.text(deep=True))
        return
    child = node.child
    while child is not None:
        _visit(child, writer, depth)
        child = child.next


def _visit(node: LexborNode, writer: _Writer, depth: int) -> None:
    tag = node.tag or ""
    if tag == "-text":
        writer.write(node.text(deep=False))
    elif tag == "br":
        writer.end_line()
    elif tag == "img":
        writer.write(str(node.attributes.get("alt") or ""))
    elif tag not in _SKIPPED and not tag.startswith(("-", "_", "!")):
        _element(node, tag, writer, depth)


def _element(node: LexborNode, tag: str, writer: _Writer, depth: int) -> None:
    attributes = node.attributes
    style = attributes.get("style") or ""
    if _HIDDEN.search(style):
        return
    names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
    block = tag in _BREAKING
    quoted = tag == "blockquote" or _QUOTES.search(names) is not None
    if block or quoted:
        writer.end_block(spaced=False)
    if _starts_history(tag, names, style):
        writer.rest_quoted = True
    if _SIGNATURES.search(names):
        writer.mark("-- ")
    preserved, writer.preserve = writer.preserve, writer.preserve or tag == "pre"
    writer.quote += quoted
    if tag == "li":
        writer.write("- ")
    _walk(node, writer, depth + 1)
    if block or quoted:
        writer.end_block(spaced=tag in _SPACED)
    elif tag in ("td", "th"):
        writer.write(" ")
    writer.quote -= quoted
    writer.preserve = preserved


def _starts_history(tag: str, names: str, style: str) -> bool:
    """Whether all that follows is the mail that is answered: Outlook marks only its beginning."""
    if "divRplyFwdMsg" in names or "appendonsend" in names or "OutlookMessageHeader" in names:
        return True
    return tag == "div" and _REPLY_LINE.search(style) is not None and "border:none" in style
