"""Notes in Markdown: vaults of Obsidian and Logseq, exports of Notion, decision records."""

from collections.abc import Iterable, Iterator

from roxabi_contracts import RawEvent

from cortex_insight.event import FileContext, FileHead, Skipped
from cortex_insight.parser import Confidence, Neighbours, ParseContext, Parsed, Reject
from cortex_insight.parsers.markdown.drafts import drafts_of
from cortex_insight.parsers.markdown.note import name_of, read_note
from cortex_insight.parsers.markdown.recognise import recognise
from cortex_insight.parsers.markdown.splitting import MEDIA_TYPE, SOURCE, split

__all__ = ["MarkdownParser"]


class MarkdownParser:
    """The source `markdown`.

    A note has no history; its versions do, as they were imported. Each asks for the others, to
    tell what stood there before, and what was taken out.
    """

    source: str = SOURCE
    title: str = "Notes in Markdown: Obsidian, Logseq, Notion, decision records (*.md)"
    version: int = 1
    media_types: frozenset[str] = frozenset({MEDIA_TYPE})

    def recognise(self, head: FileHead) -> Confidence:
        """By the ending of its name, and that it is text."""
        return recognise(head)

    def split(self, content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
        """One event a note; a very long one is several."""
        return split(content, context)

    def provides(self, event: RawEvent) -> tuple[str, ...]:
        """The note, for its other versions in the same memory."""
        if event.owner is None or not event.owner.identifiers:
            return ()
        name, part = name_of(event)
        key = f"{str(event.owner.identifiers[0]).casefold()} {name}"
        return (f"{key}#{part}" if part else key,)

    def needs(self, event: RawEvent) -> tuple[str, ...]:
        """The other versions of the note."""
        return self.provides(event)

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        """What the note says, and what this version no longer does."""
        if event.owner is None or not event.owner.identifiers:
            return Reject("no_owner", "the event does not say whose memory it goes to")
        versions = [read_note(one) for found in neighbours.values() for one in found]
        return Parsed(tuple(drafts_of(read_note(event), versions, event.owner, context)))
