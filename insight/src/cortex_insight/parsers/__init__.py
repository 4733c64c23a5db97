"""The table of parsers: those built in, and those that other packages bring."""

from collections.abc import Iterable
from importlib.metadata import entry_points
from typing import Final

from roxabi_contracts.subjects import check_token

from cortex_insight.errors import ParserConflict
from cortex_insight.parser import Parser
from cortex_insight.parsers.chatgpt import ChatGptParser
from cortex_insight.parsers.claude_ai import ClaudeAiParser
from cortex_insight.parsers.claude_code_jsonl import ClaudeCodeJsonlParser
from cortex_insight.parsers.codex import CodexParser
from cortex_insight.parsers.git import GitParser
from cortex_insight.parsers.mail import MailParser
from cortex_insight.parsers.markdown import MarkdownParser
from cortex_insight.parsers.message import MessageParser
from cortex_insight.parsers.slack import SlackParser
from cortex_insight.parsers.telegram import TelegramParser
from cortex_insight.parsers.transcript import TranscriptParser

ENTRY_POINT_GROUP: Final = "cortex_insight.parsers"

BUILT_IN: Final[tuple[Parser, ...]] = (
    MessageParser(),
    ClaudeCodeJsonlParser(),
    MailParser(),
    TelegramParser(),
    SlackParser(),
    TranscriptParser(),
    MarkdownParser(),
    GitParser(),
    ChatGptParser(),
    CodexParser(),
    ClaudeAiParser(),
)


def load_parsers() -> dict[str, Parser]:
    """Every parser by its source: the built-in ones, then the entry points, in their order.

    Raises:
        ParserConflict: two parsers claim one source.
        InvalidToken: a source cannot be part of a subject.
    """
    brought = [entry.load()() for entry in entry_points(group=ENTRY_POINT_GROUP)]
    return table_of([*BUILT_IN, *brought])


def table_of(parsers: Iterable[Parser]) -> dict[str, Parser]:
    """Parsers by source.

    Raises:
        ParserConflict: two parsers claim one source.
        InvalidToken: a source cannot be part of a subject.
    """
    table: dict[str, Parser] = {}
    for parser in parsers:
        if check_token(parser.source) in table:
            raise ParserConflict(f"two parsers claim the source {parser.source!r}")
        table[parser.source] = parser
    return table
