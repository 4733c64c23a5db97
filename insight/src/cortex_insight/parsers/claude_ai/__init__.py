"""Claude.ai: the conversations of a data export, as archive, folder or single file."""

from collections.abc import Iterable, Iterator
from typing import Final

from roxabi_contracts import RawEvent
from roxabi_contracts.ids import content_id

from cortex_insight.event import FileContext, FileHead, Skipped
from cortex_insight.parser import Confidence, Neighbours, ParseContext, Parsed, Reject
from cortex_insight.parsers.claude_ai.drafts import drafts_of, unknown_types
from cortex_insight.parsers.claude_ai.frame import Frame
from cortex_insight.parsers.claude_ai.recognise import recognise
from cortex_insight.parsers.claude_ai.record import Account, Conversation, Message, read_record
from cortex_insight.parsers.claude_ai.splitting import SOURCE, split
from cortex_insight.parsers.exported_account import account_draft
from cortex_insight.parsers.message_events import MEDIA_TYPE

__all__ = ["ClaudeAiParser"]

_ACCOUNT: Final = {
    "name": "full_name",
    "email_address": "email_address",
    "phone_number": "verified_phone_number",
}


class ClaudeAiParser:
    """The source `claude-ai`.

    A message is one event whatever export it comes from. What changes, the name and which branch
    the user went on with, is the event of its conversation, which messages ask for: those of a
    branch that was left say nothing any more.
    """

    source: str = SOURCE
    title: str = "Claude.ai: the conversations of a data export (conversations.json, folder or zip)"
    version: int = 1
    media_types: frozenset[str] = frozenset({MEDIA_TYPE})

    def recognise(self, head: FileHead) -> Confidence:
        """By the messages of its conversations."""
        return recognise(head)

    def split(self, content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
        """One event a conversation, message or account."""
        return split(content, context)

    def provides(self, event: RawEvent) -> tuple[str, ...]:
        """The conversation, for its messages."""
        record = read_record(event)
        return (_key(record.id),) if isinstance(record, Conversation) and record.id else ()

    def needs(self, event: RawEvent) -> tuple[str, ...]:
        """Of a message, its conversation."""
        record = read_record(event)
        return (_key(record.conversation),) if isinstance(record, Message) else ()

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        """What the message says, if it is of the branch that the user went on with."""
        if event.owner is None or not event.owner.identifiers:
            return Reject("no_owner", "the event does not say whose memory it goes to")
        match read_record(event):
            case None:
                return Reject("no_record", "the body is no conversation or message of Claude.ai")
            case Conversation():
                return Parsed()
            case Account() as account:
                draft = account_draft(account.fields, "uuid", _ACCOUNT, event, event.owner, context)
                return Parsed((draft,) if draft else ())
            case message:
                conversation = _latest(neighbours.get(_key(message.conversation), ()))
                if conversation is not None and message.id in conversation.superseded:
                    return Parsed()
                frame = Frame.of(message, conversation, event, event.owner, context)
                return Parsed(tuple(drafts_of(frame)), unknown_types(message))


def _key(conversation: str) -> str:
    return f"conversation:{conversation}"


def _latest(events: Iterable[RawEvent]) -> Conversation | None:
    """The conversation as it was exported last."""
    found = [
        (record.updated, content_id(dict(record.fields)), record)
        for event in events
        if isinstance(record := read_record(event), Conversation)
    ]
    return max(found, key=lambda one: one[:2])[2] if found else None
