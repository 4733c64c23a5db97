"""The shape of a message record, and what of it is malformed."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError
from roxabi_contracts import ActorKind, ActorRef, ActorRole, Claim, Identifier

from cortex_insight.event_time import Bound
from cortex_insight.parsers.records import read_json, read_time

Who = Literal["owner", "assistant"]
Name = Annotated[str, Field(min_length=1, max_length=512)]


class Author(BaseModel):
    """Who wrote or received a message."""

    model_config = ConfigDict(extra="ignore", strict=True)

    name: Name | None = None
    kind: Literal["person", "agent", "bot", "organisation", "group"] = "person"
    email: Name | None = None
    phone: Name | None = None
    slug: Name | None = None
    uri: Name | None = None
    accounts: dict[str, Name] = {}


class Message(BaseModel):
    """A message as its source states it."""

    model_config = ConfigDict(extra="ignore", strict=True)

    text: str = ""
    author: Who | Author
    to: list[Who | Author] = Field(default=[], max_length=200)
    id: str | int | None = None
    at: str | int | float | None = None
    conversation: Name | None = None
    reply_to: str | int | None = None
    channel: Name | None = None
    kind: Literal["message", "note", "decision"] = "message"
    status: Literal["proposed", "accepted", "rejected", "reversed"] = "accepted"
    revision: Annotated[int, Field(ge=0, le=2**53)] | None = None
    edited_at: str | int | float | None = None
    deleted: bool = False
    claims: list[JsonValue] = []


class Malformed(Exception):
    """The record is no message."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


def read_message(content: bytes) -> Message:
    """The message in the bytes.

    Raises:
        Malformed: they hold none.
    """
    try:
        record = read_json(content)
    except ValueError as error:
        raise Malformed("not_json", "the body is not one JSON value in UTF-8") from error
    if not isinstance(record, dict):
        raise Malformed("not_an_object", f"a message is an object, not {_kind_of(record)}")
    try:
        message = Message.model_validate(record)
    except ValidationError as error:
        fields = sorted({str(item["loc"][0]) for item in error.errors() if item["loc"]})
        raise Malformed("invalid_message", f"wrong or missing: {', '.join(fields)}") from error
    if not message.text.strip() and not message.deleted:
        raise Malformed("empty_text", "a message that is not deleted has a text")
    return message


def _kind_of(value: JsonValue) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case str():
            return "a string"
        case list():
            return "an array"
        case _:
            return "a number"


def stated_time(value: str | float, field: str) -> Bound:
    """The moment that a field states.

    Raises:
        Malformed: it states none.
    """
    bound = read_time(value)
    if bound is None:
        raise Malformed("invalid_time", f"`{field}` is neither ISO 8601 nor a count since 1970")
    return bound


def actors_of(message: Message, owner: ActorRef) -> tuple[tuple[ActorRef, ...], int]:
    """Author, recipients, and the owner if they are neither; and the place of the owner."""
    actors = [_actor(message.author, ActorRole.AUTHOR, owner)]
    actors.extend(_actor(one, ActorRole.RECIPIENT, owner) for one in message.to)
    for index, actor in enumerate(actors):
        if actor.identifiers == owner.identifiers:
            return tuple(actors), index
    return (*actors, owner.model_copy(update={"role": ActorRole.OWNER})), len(actors)


def is_strange_machine(who: Who | Author) -> bool:
    """Whether an agent or bot speaks that is not the owner's own assistant."""
    return isinstance(who, Author) and who.kind in ("agent", "bot")


def _actor(who: Who | Author, role: ActorRole, owner: ActorRef) -> ActorRef:
    if who == "owner":
        return owner.model_copy(update={"role": role})
    if isinstance(who, str):
        return ActorRef(kind=ActorKind.AGENT, role=role, name=who)
    identifiers = _identifiers(who)
    own = {_folded(identifier) for identifier in owner.identifiers}
    if own & {_folded(identifier) for identifier in identifiers}:
        return owner.model_copy(update={"role": role})
    return ActorRef(kind=ActorKind(who.kind), role=role, name=who.name, identifiers=identifiers)


def _identifiers(who: Author) -> tuple[Identifier, ...]:
    stated = {
        "email": who.email,
        "phone": who.phone,
        "slug": who.slug,
        "uri": who.uri,
        **{f"account:{platform}": value for platform, value in who.accounts.items()},
    }
    try:
        return tuple(
            Identifier(scheme=scheme, value=value) for scheme, value in stated.items() if value
        )
    except ValidationError as error:
        raise Malformed("invalid_author", "an account's platform is no plain word") from error


def _folded(identifier: Identifier) -> str:
    return str(identifier).casefold()


def claims_of(message: Message, text: str, actors: int) -> tuple[Claim, ...]:
    """The claims that the record states, about actors who are there, with evidence in the text.

    Raises:
        Malformed: one of them is none.
    """
    try:
        claims = tuple(Claim.model_validate(claim) for claim in message.claims)
    except ValidationError as error:
        raise Malformed("invalid_claim", "a claim breaks the schema") from error
    for claim in claims:
        if claim.evidence not in text:
            raise Malformed("invalid_claim", "a claim's evidence does not occur in the text")
        if isinstance(claim.about, int) and claim.about >= actors:
            raise Malformed("invalid_claim", "a claim is about an actor who is not there")
    return claims
