"""Slack: the export of a workspace, as a folder or zip archive."""

from collections.abc import Iterable, Iterator

from roxabi_contracts import RawEvent

from cortex_insight.event import FileContext, FileHead, Skipped
from cortex_insight.parser import Confidence, Neighbours, ParseContext, Parsed, Reject
from cortex_insight.parsers.records import as_text
from cortex_insight.parsers.slack.drafts import Place, draft_of, profile_draft, unknown_types
from cortex_insight.parsers.slack.people import Directory
from cortex_insight.parsers.slack.recognise import recognise
from cortex_insight.parsers.slack.record import Conversation, Message, User, read_record
from cortex_insight.parsers.slack.splitting import MEDIA_TYPE, SOURCE, split
from cortex_insight.parsers.slack.text import mentioned, text_of_blocks

__all__ = ["SlackParser"]


class SlackParser:
    """The source `slack`.

    A message knows its users by id alone; who they are stands in another file, which it asks for.
    """

    source: str = SOURCE
    title: str = "Slack: the export of a workspace (folder or zip)"
    version: int = 1
    media_types: frozenset[str] = frozenset({MEDIA_TYPE})

    def recognise(self, head: FileHead) -> Confidence:
        """By the times and ids of its records."""
        return recognise(head)

    def split(self, content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
        """One event a message, user or conversation."""
        return split(content, context)

    def provides(self, event: RawEvent) -> tuple[str, ...]:
        """Users and conversations, for the messages that name them."""
        record = read_record(event)
        if isinstance(record, User) and record.id:
            return (f"user:{record.id}",)
        if isinstance(record, Conversation):
            names = (record.name, record.id)
            return tuple(dict.fromkeys(f"folder:{name}" for name in names if name))
        return ()

    def needs(self, event: RawEvent) -> tuple[str, ...]:
        """Who writes and who is mentioned, and the conversation of the folder."""
        record = read_record(event)
        if not isinstance(record, Message):
            return ()
        text = as_text(record.fields.get("text")) or text_of_blocks(record.fields.get("blocks"))
        users = [record.user] if record.user else []
        named = dict.fromkeys([*users, *mentioned(text)[:50]])
        return (f"folder:{record.folder}", *(f"user:{one}" for one in named))

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        """What the message says, or the workspace of a user."""
        if event.owner is None or not event.owner.identifiers:
            return Reject("no_owner", "the event does not say whose memory it goes to")
        record = read_record(event)
        if record is None:
            return Reject("no_record", "the body is no message, user or conversation of Slack")
        if isinstance(record, Conversation):
            return Parsed()
        if isinstance(record, User):
            draft = profile_draft(record, event, event.owner, context)
            return Parsed((draft,) if draft else ())
        directory = Directory.of(one for found in neighbours.values() for one in found)
        place = Place.of(record, event, event.owner, directory, context)
        draft = draft_of(place)
        return Parsed((draft,) if draft else (), unknown_types(record))
