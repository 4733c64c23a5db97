"""Erased events are known again by keyed digests alone."""

from cortex_insight.erased import digests_of, event_digest, normal, record_digests
from roxabi_contracts import ActorKind, ActorRef, ActorRole, Identifier, RawEvent
from roxabi_contracts.event import TextBody

KEY = b"k" * 32


def event(text: str = "hello", ref: str = "a", email: str = "ann@garden.org") -> RawEvent:
    owner = ActorRef(
        kind=ActorKind.PERSON,
        role=ActorRole.OWNER,
        identifiers=(Identifier(scheme="email", value=email),),
    )
    body = TextBody(content=text)
    return RawEvent(
        project="p", source="s", source_ref=ref, media_type="text/plain", body=body, owner=owner
    )


def digests(said: RawEvent, key: bytes = KEY) -> set[bytes]:
    return digests_of(key, said.event_id, said)


def test_an_edit_of_the_record_is_known_and_another_record_is_not() -> None:
    assert digests(event()) & digests(event("edited"))
    assert not digests(event()) & digests(event(ref="b"))


def test_the_same_record_of_another_owner_is_another() -> None:
    assert not digests(event()) & digests(event(email="bob@garden.org"))


def test_spellings_of_an_owner_are_one() -> None:
    assert digests(event()) & digests(event("edited", email="ANN@garden.org"))
    assert normal("email:Ann@Garden.org") == normal("email:ann@garden.org")


def test_nobody_recomputes_them_without_the_key() -> None:
    other = b"o" * 32
    assert not digests(event()) & digests(event(), other)
    assert event_digest(KEY, "a") != event_digest(other, "a")
    assert record_digests(KEY, [], "s", "a") == set()
