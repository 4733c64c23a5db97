"""Hard rules that come before any score: what they block is counted and never served."""

from dataclasses import dataclass
from typing import Final

from roxabi_contracts.context import Reason
from roxabi_contracts.operations import FactStatus
from roxabi_contracts.payloads import Volatility

from cortex_memory.recall.candidate import FactCandidate

DAY: Final = 86_400_000

BLOCKED_AFTER: Final = {Volatility.VOLATILE: 60 * DAY, Volatility.EPHEMERAL: 7 * DAY}
"""Milliseconds since the last confirmation after which a fact is no longer served."""
STALE_AFTER: Final = {Volatility.SLOW: 365 * DAY}
"""Milliseconds since the last confirmation after which a fact is served as stale."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memory was asked, and about whom; null: about anyone."""

    subjects: frozenset[str]
    about: str | None = None

    def holds(self, fact: FactCandidate) -> bool:
        """Whether the fact belongs to what was asked; another's is not even traced."""
        return fact.subject in self.subjects and self.about in (None, fact.about)


@dataclass(frozen=True, slots=True)
class Flagging:
    """What a project wants to see with a flag instead of not at all."""

    contested: bool = False
    expired: bool = False


HIDE: Final = Flagging()


def reason_to_block(fact: FactCandidate, now: int, flagging: Flagging = HIDE) -> Reason | None:
    """Why a fact must not be served at `now`; null: it may.

    The members of an open conflict are one active fact and its rivals, which are candidates until
    someone decides; all of them are hidden by the conflict, or flagged as its members. Of a group
    that is due nothing is served: what holds is known once it is folded.
    """
    contested = fact.conflict_id is not None and fact.status is FactStatus.CANDIDATE
    if fact.status is FactStatus.SCHEDULED:
        return Reason.NOT_BEGUN
    if fact.is_due or (fact.status is not FactStatus.ACTIVE and not contested):
        return Reason.NOT_ACTIVE
    if fact.valid_until is not None and fact.valid_until <= now:
        return Reason.NO_LONGER_VALID
    if fact.valid_from is not None and fact.valid_from > now:
        return Reason.NOT_BEGUN
    if fact.conflict_id is not None and not flagging.contested:
        return Reason.CONFLICT_OPEN
    if is_expired(fact, now) and not flagging.expired:
        return Reason.VOLATILITY_EXPIRED
    return None


def is_expired(fact: FactCandidate, now: int) -> bool:
    """Whether the time for which a passing fact is believed is over."""
    return _unconfirmed_for(fact, now) > BLOCKED_AFTER.get(fact.volatility, float("inf"))


def is_stale(fact: FactCandidate, now: int) -> bool:
    """Whether a fact may be served, but with the note that nobody confirmed it lately."""
    return _unconfirmed_for(fact, now) > STALE_AFTER.get(fact.volatility, float("inf"))


def _unconfirmed_for(fact: FactCandidate, now: int) -> int:
    return now - (fact.moment if fact.last_confirmed is None else fact.last_confirmed)
