"""Who is behind the ids of a workspace."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from roxabi_contracts import ActorKind, ActorRef, ActorRole, Identifier, RawEvent

from cortex_insight.parsers.records import as_object, as_text
from cortex_insight.parsers.slack.record import (
    Conversation,
    Message,
    User,
    read_record,
    shown_name,
)

ACCOUNT: Final = "account:slack"
_BOTS: Final = frozenset(("bot_message", "bot_add", "bot_remove"))


@dataclass(frozen=True)
class Directory:
    """The users and the conversation that a message needs, as far as the lake has them."""

    users: dict[str, User]
    conversation: Conversation | None

    @classmethod
    def of(cls, found: Iterable[RawEvent]) -> "Directory":
        """From the neighbours of an event; of two states of a record the later one holds."""
        records = [(event.event_id, read_record(event)) for event in found]
        users: dict[str, tuple[int, str, User]] = {}
        conversations: list[tuple[str, Conversation]] = []
        for event_id, record in records:
            if isinstance(record, User) and record.id:
                state = (record.updated, event_id, record)
                users[record.id] = max(users.get(record.id, state), state, key=lambda one: one[:2])
            elif isinstance(record, Conversation):
                conversations.append((event_id, record))
        known = {name: state[2] for name, state in users.items()}
        last = max(conversations, key=lambda one: one[0])[1] if conversations else None
        return cls(known, last)

    @property
    def names(self) -> dict[str, str]:
        """What the known users are called."""
        return {key: user.name for key, user in self.users.items() if user.name}

    def actor(self, user_id: str, role: ActorRole) -> ActorRef:
        """A user by id, with all that is known of them."""
        user = self.users.get(user_id)
        if user is not None:
            return user_actor(user, role)
        kind = ActorKind.BOT if user_id == "USLACKBOT" else ActorKind.PERSON
        return ActorRef(kind=kind, role=role, identifiers=(_key(user_id[:200]),))


def user_actor(user: User, role: ActorRole) -> ActorRef:
    """A user with every key that their record states.

    The id stands alone: not every message says its workspace, and ids are not given twice.
    """
    keys = [_key((user.id or "unknown")[:200])]
    if user.email:
        keys.append(Identifier(scheme="email", value=user.email[:512]))
    kind = ActorKind.BOT if user.is_bot else ActorKind.PERSON
    name = user.name[:512] if user.name else None
    return ActorRef(kind=kind, role=role, name=name, identifiers=tuple(keys))


def author_of(message: Message, directory: Directory) -> ActorRef:
    """Who wrote a message: by the list of users, else by what the message says itself."""
    fields = message.fields
    bot = as_object(fields.get("bot_profile"))
    is_bot = message.subtype in _BOTS or as_text(fields.get("bot_id")) is not None
    stated = as_object(fields.get("user_profile"))
    if message.user is not None:
        actor = directory.actor(message.user, ActorRole.AUTHOR)
        name = actor.name or shown_name(stated) or as_text(fields.get("username"))
        kind = ActorKind.BOT if is_bot else actor.kind
        return actor.model_copy(update={"name": name[:512] if name else None, "kind": kind})
    bot_id = as_text(fields.get("bot_id"))
    name = as_text(fields.get("username")) or as_text(bot.get("name"))
    return ActorRef(
        kind=ActorKind.BOT if is_bot else ActorKind.PERSON,
        role=ActorRole.AUTHOR,
        name=name[:512] if name else None,
        identifiers=(_key(bot_id[:200]),) if bot_id else (),
    )


def as_owner(actor: ActorRef, owner: ActorRef) -> ActorRef:
    """The owner in this role, if the actor is them by any key; else the actor."""
    own = {_folded(key) for key in owner.identifiers}
    if not own & {_folded(key) for key in actor.identifiers}:
        return actor
    return owner.model_copy(update={"role": actor.role})


def _folded(key: Identifier) -> str:
    """A key to compare; an account may be stated without its workspace."""
    value = key.value.rsplit("/", 1)[-1] if key.scheme == ACCOUNT else key.value
    return f"{key.scheme}:{value.strip().casefold()}"


def _key(value: str) -> Identifier:
    return Identifier(scheme=ACCOUNT, value=value)
