"""The export of Telegram Desktop: one message with what its file says of its chat."""

from typing import Final

from pydantic import JsonValue
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.payloads import Attachment

from cortex_insight.event_time import Bound
from cortex_insight.parsers.records import as_object, as_text, read_time
from cortex_insight.parsers.telegram.entry import (
    Chat,
    ChatKind,
    Entry,
    Poll,
    Who,
    export_peer,
    unix_time,
    whole_number,
)

Fields = dict[str, JsonValue]

_KINDS: Final = {
    "personal_chat": (ChatKind.PERSON, "user"),
    "bot_chat": (ChatKind.BOT, "user"),
    "saved_messages": (ChatKind.SAVED, "user"),
    "replies": (ChatKind.GROUP, "user"),
    "verification_codes": (ChatKind.BOT, "user"),
    "private_group": (ChatKind.GROUP, "chat"),
    "private_supergroup": (ChatKind.GROUP, "channel"),
    "public_supergroup": (ChatKind.GROUP, "channel"),
    "private_channel": (ChatKind.CHANNEL, "channel"),
    "public_channel": (ChatKind.CHANNEL, "channel"),
}
_JOINS: Final = frozenset(("join_group_by_link", "join_group_by_request"))
_SILENT: Final = frozenset(
    (
        "allow_sending_messages", "attach_menu_bot_allowed", "boost_apply", "clear_history",
        "create_channel", "custom_action", "delete_chat_photo", "delete_group_photo",
        "edit_channel_photo", "edit_channel_title", "edit_chat_theme", "edit_group_photo",
        "edit_group_title", "giveaway_launch", "giveaway_results", "group_call",
        "group_call_scheduled", "history_cleared", "invite_to_group_call", "migrate_from_group",
        "migrate_to_supergroup", "paid_messages_price_change", "paid_messages_refund",
        "payment_refund", "phone_call", "pin_message", "proximity_reached", "requested_peer",
        "score_in_game", "send_payment", "send_star_gift", "send_passport_values",
        "send_premium_gift", "send_stars_gift", "set_chat_wallpaper", "set_messages_ttl",
        "set_same_chat_wallpaper", "suggest_profile_photo", "take_screenshot", "todo_append_tasks",
        "todo_completions", "topic_created", "topic_edit", "web_app_data_sent",
        "suggested_post_approval", "suggested_post_refund", "suggested_post_success",
        "conference_call",
    )
)  # fmt: skip
"""Notes of the service that change no membership."""


def read_export(body: Fields) -> Entry:
    """The message that an event from an export holds."""
    message = as_object(body.get("message"))
    chat = _chat(as_object(body.get("chat")))
    kind = message.get("type")
    if kind == "service":
        return _service(chat, message)
    if kind not in ("message", None):
        name = as_text(kind) or "untyped"
        return Entry(chat, None, Who(None), None, unknown_types={f"type:{name}"[:200]: 1})
    said, quoted = _texts(message)
    poll = _poll(as_object(message.get("poll")))
    return Entry(
        chat=chat,
        id=whole_number(message.get("id")),
        author=_author(chat, message, "from"),
        sent=_sent(message),
        edited=_edited(message),
        said=said or _described(message),
        quoted=quoted,
        forwarded=_forwarded(message),
        reply_to=_reply(chat, message),
        attachments=_attachments(message),
        poll=poll,
    )


def _chat(stated: Fields) -> Chat:
    kind, prefix = _KINDS.get(as_text(stated.get("type")) or "", (ChatKind.GROUP, "chat"))
    name = as_text(stated.get("name"))
    number = whole_number(stated.get("id"))
    peer = f"{prefix}{number}" if number is not None else f"name:{(name or 'unknown')[:200]}"
    return Chat(peer, kind, name)


def _author(chat: Chat, message: Fields, field: str) -> Who:
    peer = export_peer(message.get(f"{field}_id"))
    name = as_text(message.get("author")) if field == "from" else None
    is_channel = peer is not None and not peer.startswith("user")
    shown = name if is_channel and name else as_text(message.get(field))
    is_bot = chat.kind is ChatKind.BOT and peer == chat.peer
    return Who(peer, shown, is_bot)


def _sent(message: Fields) -> Bound | None:
    return unix_time(message.get("date_unixtime")) or read_time(message.get("date"))


def _edited(message: Fields) -> int:
    bound = unix_time(message.get("edited_unixtime")) or read_time(message.get("edited"))
    if bound is None or bound.moment is None:
        return 0
    return max(0, epoch_ms(bound.moment))


def _texts(message: Fields) -> tuple[str, str]:
    """What is said, and what of it stands in a block of quotation."""
    entities = message.get("text_entities")
    content = entities if isinstance(entities, list) and entities else message.get("text")
    parts = content if isinstance(content, list) else [content]
    said: list[str] = []
    quoted: list[str] = []
    for part in parts:
        if isinstance(part, str):
            said.append(part)
            continue
        one = as_object(part)
        text = one.get("text")
        if isinstance(text, str):
            (quoted if one.get("type") == "blockquote" else said).append(text)
    return "".join(said).strip(), "\n".join(quoted).strip()


def _described(message: Fields) -> str:
    """What a message without text shows."""
    contact = as_object(message.get("contact_information"))
    names = [as_text(contact.get(name)) for name in ("first_name", "last_name", "phone_number")]
    places = [as_text(message.get(name)) for name in ("place_name", "address")]
    location = as_object(message.get("location_information"))
    point = [location.get("latitude"), location.get("longitude")]
    told = [one for one in (*names, *places, as_text(message.get("sticker_emoji"))) if one]
    if not told and all(isinstance(one, int | float) for one in point):
        return f"{point[0]}, {point[1]}"
    return " ".join(told)


def _forwarded(message: Fields) -> Who | None:
    if "forwarded_from" not in message:
        return None
    peer = export_peer(message.get("forwarded_from_id"))
    return Who(peer, as_text(message.get("forwarded_from")))


def _reply(chat: Chat, message: Fields) -> str | None:
    number = whole_number(message.get("reply_to_message_id"))
    if number is None:
        return None
    return f"{export_peer(message.get('reply_to_peer_id')) or chat.peer}/{number}"


def _attachments(message: Fields) -> tuple[Attachment, ...]:
    """What came along; its path in the export changes from one export to the next."""
    if not any(name in message for name in ("photo", "file")):
        return ()
    size = whole_number(message.get("file_size")) or whole_number(message.get("photo_file_size"))
    is_photo = "photo" in message and "file" not in message
    return (
        Attachment(
            name=as_text(message.get("file_name")),
            media_type="image/jpeg" if is_photo else as_text(message.get("mime_type")),
            size=size if size is not None and size >= 0 else None,
        ),
    )


def _poll(stated: Fields) -> Poll | None:
    question = as_text(stated.get("question"))
    answers = stated.get("answers")
    if question is None or not isinstance(answers, list):
        return None
    told = [
        (text, whole_number(as_object(one).get("voters")) or 0)
        for one in answers
        if (text := as_text(as_object(one).get("text")))
    ]
    return Poll(question, tuple(told), stated.get("closed") is True)


def _service(chat: Chat, message: Fields) -> Entry:
    action = as_text(message.get("action")) or "untyped"
    actor = _author(chat, message, "actor")
    members = _members(message.get("members"))
    joined: tuple[Who, ...] = ()
    left: tuple[Who, ...] = ()
    if action in _JOINS:
        joined = (actor,)
    elif action == "invite_members":
        joined = members or (actor,)
    elif action == "create_group":
        joined = (actor, *(one for one in members if one.name != actor.name))
    elif action == "remove_members":
        left = tuple(actor if one.name == actor.name else one for one in members)
    known = action in _SILENT or bool(joined or left)
    return Entry(
        chat=chat,
        id=whole_number(message.get("id")),
        author=actor,
        sent=_sent(message),
        joined=joined,
        left=left,
        unknown_types={} if known else {f"service:{action}"[:200]: 1},
    )


def _members(value: JsonValue) -> tuple[Who, ...]:
    """Members are named, not identified."""
    named = value if isinstance(value, list) else []
    return tuple(Who(None, name) for one in named if (name := as_text(one)))
