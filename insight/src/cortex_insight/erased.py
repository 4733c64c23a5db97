"""What is left of erased events: keyed digests, by which they are known when they come again."""

import hashlib
from collections.abc import Iterable

from roxabi_contracts import ActorRef, Observation, RawEvent
from roxabi_contracts.ids import canonical_json

from cortex_insight.sanitise import SANITISER

_DIGEST_BYTES = 16


def event_digest(key: bytes, event_id: str) -> bytes:
    """The digest of all that an event says. `key` has at most 64 bytes."""
    return _digest(key, ["event", event_id])


def record_digests(key: bytes, owners: Iterable[str], source: str, source_ref: str) -> set[bytes]:
    """The digests of a record in the hands of each of these owners."""
    return {_digest(key, ["record", owner, source, source_ref]) for owner in owners}


def digests_of(key: bytes, event_id: str, event: RawEvent) -> set[bytes]:
    """The digests by which an event is known again: by its content, and by its record.

    Memory knows the record by a name without secrets.
    """
    owners, names = owners_of(event), {event.source_ref, SANITISER.reference(event.source_ref)}
    records = {
        digest for name in names for digest in record_digests(key, owners, event.source, name)
    }
    return {event_digest(key, event_id), *records}


def owners_of(event: RawEvent) -> set[str]:
    """Whose event it is, by every identifier of theirs."""
    return set() if event.owner is None else spelled(event.owner)


def owners_of_observation(observation: Observation) -> set[str]:
    """Whose memory it went to."""
    return spelled(observation.actors[observation.subject])


def spelled(actor: ActorRef) -> set[str]:
    """The identifiers of an actor in one spelling."""
    return {normal(f"{key.scheme}:{key.value}") for key in actor.identifiers}


def normal(identifier: str) -> str:
    """An identifier without what tells spellings of the same apart."""
    return "".join(identifier.split()).casefold()


def _digest(key: bytes, parts: list[str]) -> bytes:
    content = canonical_json([*parts])
    return hashlib.blake2b(content, key=key, digest_size=_DIGEST_BYTES).digest()
