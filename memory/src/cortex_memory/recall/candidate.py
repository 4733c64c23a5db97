"""What the store found for a request: facts and episodes, not yet judged.

Times are epoch milliseconds in UTC.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple, TypeAlias

from roxabi_contracts.base import JsonObject, from_epoch_ms
from roxabi_contracts.context import PacketEpisode, PacketFact
from roxabi_contracts.ids import canonical_json
from roxabi_contracts.observation import Origin
from roxabi_contracts.operations import FactStatus
from roxabi_contracts.payloads import Category, Volatility
from roxabi_contracts.render import (
    Section,
    episode_line,
    fact_line,
    fact_section,
    harmless,
    least_length,
    render_value,
)

from cortex_memory.model import Authority

Kind: TypeAlias = Literal["fact", "episode"]

EXCERPT_CHARACTERS = 1_000
_OUTSIDE = frozenset({Origin.THIRD_PARTY, Origin.UNTRUSTED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Closeness:
    """How near a text is to the query.

    `cosine` is the cosine similarity in [-1, 1]; null: one of the two has no vector. `meaning` is
    the same as seen from the middle of the memory, where what all its texts share counts for
    nothing. `text_rank` is for all words of the query; `words` for any, the rarer the more (BM25);
    `rarest` is what one word would bring that occurs nowhere else.
    """

    cosine: float | None
    text_rank: float = 0.0
    meaning: float | None = None
    words: float = 0.0
    rarest: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FactCandidate:
    """A fact as the store holds it; with a `conflict_id` it is a member of an open ConflictSet.

    `is_due`: time has changed its group, which is not folded again yet.
    """

    id: str
    subject: str
    about: str
    about_name: str | None
    predicate: str
    value: JsonObject
    qualifiers: JsonObject = field(default_factory=dict)
    status: FactStatus
    conflict_id: str | None
    authority: Authority
    volatility: Volatility
    confidence: float
    valid_from: int | None
    valid_until: int | None
    last_confirmed: int | None
    recorded_from: int
    sources: tuple[str, ...]
    closeness: Closeness
    is_due: bool = False

    @property
    def moment(self) -> int:
        """When it began to hold, as far as is known."""
        return self.recorded_from if self.valid_from is None else self.valid_from

    @property
    def content(self) -> bytes:
        """What it says, for an order that no id decides: ids differ between two installations."""
        who = self.about_name or self.about
        return canonical_json([who, self.predicate, self.value, self.qualifiers])

    @property
    def wording(self) -> str:
        """What it says, in words."""
        return f"{self.predicate} {render_value(self.value)} {render_value(self.qualifiers)}"

    @property
    def least_length(self) -> int:
        """Its line in a prompt has so many characters or more."""
        said = "".join(part for part in self.value.values() if isinstance(part, str))
        beside = len("-::") + (0 if self.valid_from is None else len("(since1970-01-01)"))
        predicate = self.predicate.replace("_", "")
        return beside + least_length(f"{self.about_name or self.about}{predicate}{said}")

    @property
    def is_from_outside(self) -> bool:
        """Nobody but third parties says so."""
        return self.authority <= Authority.THIRD_PARTY

    def line(self, *, stale: bool, expired: bool) -> str:
        """Its line in a prompt."""
        text = fact_line(
            self.about_name or self.about,
            self.predicate,
            self.value,
            self.qualifiers,
            since=_moment(self.valid_from),
            until=_moment(self.valid_until),
            stale=stale,
            expired=expired,
            from_outside=self.is_from_outside,
        )
        return harmless(text)

    def served(self, *, stale: bool, expired: bool = False) -> PacketFact:
        """The fact as a packet shows it."""
        return PacketFact(
            id=self.id,
            subject=self.subject,
            about=self.about,
            about_name=self.about_name,
            predicate=self.predicate,
            value=self.value,
            qualifiers=self.qualifiers,
            confidence=self.confidence,
            valid_from=_moment(self.valid_from),
            valid_until=_moment(self.valid_until),
            last_confirmed=_moment(self.last_confirmed),
            stale=stale,
            expired=expired,
            conflict_id=self.conflict_id,
            from_outside=self.is_from_outside,
            source_event_ids=self.sources,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeCandidate:
    """An observation as the store holds it; `text` may be cut, but not below the excerpt.

    `origin` is null where it was stored before origins were kept. `follows` is what was said just
    before it in its trace; null: nothing, or it is not known.
    """

    id: str
    subject: str
    kind: Category
    moment: int
    who: str | None
    origin: Origin | None
    text: str
    closeness: Closeness
    trace: str | None = None
    follows: str | None = None

    @property
    def content(self) -> bytes:
        """What it says, for an order that no id decides."""
        return canonical_json([self.kind, self.who, self.text])

    @property
    def wording(self) -> str:
        """What was said."""
        return self.text

    @property
    def least_length(self) -> int:
        """As of a fact."""
        beside = len("-[1970-01-01]:")
        return beside + least_length(f"{self.kind}{self.who or ''}{_excerpt(self.text)}")

    @property
    def is_from_outside(self) -> bool:
        """Neither the subject nor their agents said it."""
        return self.origin in _OUTSIDE

    def line(self) -> str:
        """Its line in a prompt."""
        moment, excerpt = from_epoch_ms(self.moment), _excerpt(self.text)
        outside = self.is_from_outside
        return harmless(episode_line(moment, self.kind, self.who, excerpt, from_outside=outside))

    def served(self) -> PacketEpisode:
        """The episode as a packet shows it."""
        return PacketEpisode(
            event_id=self.id,
            kind=self.kind,
            occurred_at=from_epoch_ms(self.moment),
            who=self.who,
            from_outside=self.is_from_outside,
            excerpt=_excerpt(self.text),
        )


class Serving(NamedTuple):
    """A candidate that may be served; what a packet would show is drawn up when it is looked at.

    The flags are those of a fact.
    """

    candidate: FactCandidate | EpisodeCandidate
    stale: bool = False
    expired: bool = False

    @property
    def id(self) -> str:
        """Of the fact, or of the observation."""
        return self.candidate.id

    @property
    def kind(self) -> Kind:
        """What it is."""
        return "fact" if isinstance(self.candidate, FactCandidate) else "episode"

    @property
    def conflict_id(self) -> str | None:
        """The open ConflictSet of a fact; null: nothing contradicts it."""
        return self.candidate.conflict_id if isinstance(self.candidate, FactCandidate) else None

    @property
    def least_length(self) -> int:
        """Its line in a prompt has so many characters or more."""
        return self.candidate.least_length

    @property
    def section(self) -> Section:
        """Where a rendering puts it."""
        if isinstance(self.candidate, FactCandidate):
            return fact_section(self.candidate.conflict_id)
        return Section.EPISODES

    def line(self) -> str:
        """Its line in a prompt."""
        if isinstance(self.candidate, FactCandidate):
            return self.candidate.line(stale=self.stale, expired=self.expired)
        return self.candidate.line()

    def item(self) -> PacketFact | PacketEpisode:
        """It, as the packet shows it."""
        if isinstance(self.candidate, FactCandidate):
            return self.candidate.served(stale=self.stale, expired=self.expired)
        return self.candidate.served()


def _moment(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else from_epoch_ms(milliseconds)


def _excerpt(text: str) -> str:
    if len(text) <= EXCERPT_CHARACTERS:
        return text
    return text[: EXCERPT_CHARACTERS - 1] + "…"
