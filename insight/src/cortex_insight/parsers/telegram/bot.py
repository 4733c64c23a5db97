"""An update of the Bot API, as a webhook receives it."""

from typing import Final

from pydantic import JsonValue
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.payloads import Attachment

from cortex_insight.parsers.records import as_object, as_text
from cortex_insight.parsers.telegram.entry import (
    Chat,
    ChatKind,
    Entry,
    Poll,
    Who,
    bot_peer,
    unix_time,
    whole_number,
)

Fields = dict[str, JsonValue]

_MESSAGES: Final = (
    "message", "edited_message", "channel_post", "edited_channel_post", "business_message",
    "edited_business_message",
)  # fmt: skip
_SILENT: Final = frozenset(
    (
        "callback_query", "inline_query", "chosen_inline_result", "poll", "poll_answer",
        "message_reaction", "message_reaction_count", "my_chat_member", "chat_join_request",
        "chat_boost", "removed_chat_boost", "business_connection", "shipping_query",
        "pre_checkout_query", "purchased_paid_media",
    )
)  # fmt: skip
_KINDS: Final = {
    "private": ChatKind.PERSON,
    "group": ChatKind.GROUP,
    "supergroup": ChatKind.GROUP,
    "channel": ChatKind.CHANNEL,
}
_INSIDE: Final = frozenset(("creator", "administrator", "member", "restricted"))
_QUOTES: Final = frozenset(("blockquote", "expandable_blockquote"))
_FILES: Final = ("document", "audio", "video", "animation", "voice", "video_note", "sticker")


def read_update(update: Fields) -> list[Entry]:
    """What an update tells: mostly one message, of a deletion as many as were deleted."""
    for name in _MESSAGES:
        if isinstance(update.get(name), dict):
            return [_message(as_object(update[name]))]
    if "deleted_business_messages" in update:
        return _deletions(as_object(update["deleted_business_messages"]))
    if "chat_member" in update:
        return _membership(as_object(update["chat_member"]))
    kinds = [name for name in update if name != "update_id"]
    unknown = {f"update:{name}"[:200]: 1 for name in kinds if name not in _SILENT}
    nowhere = Chat("unknown", ChatKind.GROUP)
    return [Entry(nowhere, None, Who(None), None, unknown_types=unknown)]


def _message(message: Fields) -> Entry:
    chat = _chat(message)
    said, quoted = _texts(message)
    poll = _poll(as_object(message.get("poll")))
    joined = message.get("new_chat_members")
    left = as_object(message.get("left_chat_member"))
    edited = unix_time(message.get("edit_date"))
    moment = edited.moment if edited else None
    return Entry(
        chat=chat,
        id=whole_number(message.get("message_id")),
        author=_author(message),
        sent=unix_time(message.get("date")),
        edited=max(0, epoch_ms(moment)) if moment else 0,
        said=said or as_text(as_object(message.get("sticker")).get("emoji")) or "",
        quoted=quoted,
        forwarded=_forwarded(message),
        reply_to=_reply(chat, as_object(message.get("reply_to_message"))),
        attachments=_attachments(message),
        poll=poll,
        joined=tuple(map(_user, map(as_object, joined))) if isinstance(joined, list) else (),
        left=(_user(left),) if left else (),
    )


def _chat(message: Fields) -> Chat:
    stated = as_object(message.get("chat"))
    kind = _KINDS.get(as_text(stated.get("type")) or "", ChatKind.GROUP)
    thread = whole_number(message.get("message_thread_id"))
    in_topic = message.get("is_topic_message") is True and thread is not None
    name = as_text(stated.get("title")) or _full_name(stated)
    return Chat(
        bot_peer(stated.get("id")) or "unknown", kind, name, str(thread) if in_topic else None
    )


def _author(message: Fields) -> Who:
    """Who wrote it; an anonymous administrator and a channel write as the chat."""
    sender = as_object(message.get("sender_chat"))
    if sender:
        shown = as_text(message.get("author_signature")) or as_text(sender.get("title"))
        return Who(bot_peer(sender.get("id")), shown)
    return _user(as_object(message.get("from")))


def _user(user: Fields) -> Who:
    return Who(bot_peer(user.get("id")), _full_name(user), user.get("is_bot") is True)


def _full_name(stated: Fields) -> str | None:
    names = [as_text(stated.get(name)) for name in ("first_name", "last_name")]
    return " ".join(name for name in names if name) or as_text(stated.get("username"))


def _texts(message: Fields) -> tuple[str, str]:
    text = as_text(message.get("text")) or as_text(message.get("caption")) or ""
    entities = message.get("entities") or message.get("caption_entities")
    spans = [
        (start, start + length)
        for one in (entities if isinstance(entities, list) else [])
        if as_object(one).get("type") in _QUOTES
        and (start := whole_number(as_object(one).get("offset"))) is not None
        and (length := whole_number(as_object(one).get("length"))) is not None
        and 0 <= start <= start + length
    ]
    return _cut(text, spans)


def _cut(text: str, spans: list[tuple[int, int]]) -> tuple[str, str]:
    """The text without its quotations, and these; places are counted in units of UTF-16."""
    units = text.encode("utf-16-le", "surrogatepass")
    said: list[bytes] = []
    quoted: list[bytes] = []
    position = 0
    for start, end in sorted(spans):
        said.append(units[2 * position : 2 * max(start, position)])
        quoted.append(units[2 * max(start, position) : 2 * end])
        position = max(position, end)
    said.append(units[2 * position :])
    decoded = (b"".join(part).decode("utf-16-le", "ignore").strip() for part in (said, quoted))
    return next(decoded), next(decoded)


def _forwarded(message: Fields) -> Who | None:
    """Whose words it passes on, in the shape since 2023 or the one before."""
    origin = as_object(message.get("forward_origin"))
    if origin:
        chat = as_object(origin.get("sender_chat")) or as_object(origin.get("chat"))
        if chat:
            return Who(bot_peer(chat.get("id")), as_text(chat.get("title")))
        user = as_object(origin.get("sender_user"))
        return _user(user) if user else Who(None, as_text(origin.get("sender_user_name")))
    if "forward_from" in message:
        return _user(as_object(message["forward_from"]))
    if "forward_from_chat" in message:
        chat = as_object(message["forward_from_chat"])
        return Who(bot_peer(chat.get("id")), as_text(chat.get("title")))
    if "forward_sender_name" in message or "forward_date" in message:
        return Who(None, as_text(message.get("forward_sender_name")))
    return None


def _reply(chat: Chat, answered: Fields) -> str | None:
    number = whole_number(answered.get("message_id"))
    return None if number is None else f"{chat.peer}/{number}"


def _attachments(message: Fields) -> tuple[Attachment, ...]:
    photos = message.get("photo")
    found = [as_object(photos[-1])] if isinstance(photos, list) and photos else []
    kept = [_attachment(one, "image/jpeg") for one in found]
    kept += [_attachment(as_object(message[name]), None) for name in _FILES if name in message]
    return tuple(kept)


def _attachment(stated: Fields, media_type: str | None) -> Attachment:
    size = whole_number(stated.get("file_size"))
    return Attachment(
        name=as_text(stated.get("file_name")),
        media_type=as_text(stated.get("mime_type")) or media_type,
        size=size if size is not None and size >= 0 else None,
    )


def _poll(stated: Fields) -> Poll | None:
    question, options = as_text(stated.get("question")), stated.get("options")
    if question is None or not isinstance(options, list):
        return None
    told = [
        (text, whole_number(as_object(one).get("voter_count")) or 0)
        for one in options
        if (text := as_text(as_object(one).get("text")))
    ]
    return Poll(question, tuple(told), stated.get("is_closed") is True)


def _deletions(stated: Fields) -> list[Entry]:
    chat = _chat(stated)
    ids = stated.get("message_ids")
    numbers = (whole_number(one) for one in (ids if isinstance(ids, list) else []))
    return [
        Entry(chat, number, Who(None), None, deleted=True)
        for number in dict.fromkeys(numbers)
        if number is not None
    ]


def _membership(change: Fields) -> list[Entry]:
    """Somebody came or went, as the chat itself reports it."""
    before, after = (as_object(change.get(name)) for name in ("old_chat_member", "new_chat_member"))
    was, is_now = (one.get("status") in _INSIDE for one in (before, after))
    member = _user(as_object(after.get("user")))
    if was == is_now:
        return []
    sent = unix_time(change.get("date"))
    entry = Entry(
        chat=_chat(change),
        id=None,
        author=_user(as_object(change.get("from"))),
        sent=sent,
        joined=(member,) if is_now else (),
        left=() if is_now else (member,),
    )
    return [entry]
