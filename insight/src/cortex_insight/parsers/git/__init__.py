"""The history of a git repository: its commits, its tags, and who made them."""

from collections.abc import Iterable, Iterator

from roxabi_contracts import RawEvent

from cortex_insight.event import FileContext, FileHead, Skipped
from cortex_insight.parser import Confidence, Neighbours, ParseContext, Parsed, Reject
from cortex_insight.parsers.git.drafts import commit_drafts, tag_draft
from cortex_insight.parsers.git.recognise import recognise
from cortex_insight.parsers.git.record import Tag, read_record
from cortex_insight.parsers.git.splitting import MEDIA_TYPE, SOURCE, split

__all__ = ["GitParser"]


class GitParser:
    """The source `git`."""

    source: str = SOURCE
    title: str = "Git: the history of a repository on this machine (its folder)"
    version: int = 1
    media_types: frozenset[str] = frozenset({MEDIA_TYPE})

    def recognise(self, head: FileHead) -> Confidence:
        """By the mark of its records."""
        return recognise(head)

    def split(self, content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
        """One event a commit or tag."""
        return split(content, context)

    def provides(self, event: RawEvent) -> tuple[str, ...]:
        """Nothing: each commit stands for itself."""
        return ()

    def needs(self, event: RawEvent) -> tuple[str, ...]:
        """Nothing: each commit stands for itself."""
        return ()

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        """What the commit or tag tells."""
        if event.owner is None or not event.owner.identifiers:
            return Reject("no_owner", "the event does not say whose memory it goes to")
        record = read_record(event)
        if record is None:
            return Reject("no_record", "the body is neither a commit nor a tag")
        if isinstance(record, Tag):
            return Parsed((tag_draft(record, event, event.owner, context),))
        return Parsed(tuple(commit_drafts(record, event, event.owner, context)))
