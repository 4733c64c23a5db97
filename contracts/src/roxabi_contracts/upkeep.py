"""How operators look after the queues, have sources read again, forget, and export."""

from enum import StrEnum

from pydantic import Field

from roxabi_contracts.base import Contract, JsonObject, Part, UtcDatetime
from roxabi_contracts.context import SubjectRef
from roxabi_contracts.subjects import Token


class DeadLettersRequest(Contract):
    """Ask a service for what it refused, or could not retain yet, the newest first.

    What names no project is listed, and tried again, under the project `subjects.UNASSIGNED`.
    """

    project: Token
    id: str | None = None
    """Only this one."""
    retry: bool = False
    """Try the named one again, or all of the project; harmless, however often."""
    limit: int = Field(default=100, ge=1, le=1000)


class DeadLetterRecord(Part):
    """Something that was refused, with the reason a person can act on."""

    id: str
    source: str | None
    source_ref: str | None
    code: str
    reason: str
    received_at: UtcDatetime
    size: int | None = Field(default=None, ge=0)
    attempts: int = Field(default=1, ge=1)


class DeadLettersReply(Contract):
    """Dead letters that are left, and how many are none any more because they were tried again."""

    project: Token
    letters: tuple[DeadLetterRecord, ...]
    retried: int = 0
    truncated: bool = False


class ReplayRequest(Contract):
    """Have the lake read the stored events of a source with today's parsers, a page at a time.

    What is read as before changes nothing, however often it is asked for.
    """

    project: Token
    source: Token
    since: UtcDatetime | None = None
    """Only events that reached the lake at that moment or later."""
    cursor: str | None = None
    """Where the last page ended; null: from the beginning."""


class ReplayChangeKind(StrEnum):
    """What another reading did to a record."""

    MADE = "made"
    """Nothing had been said of it."""
    CHANGED = "changed"
    """What is said now supersedes what was said."""
    WITHDRAWN = "withdrawn"
    """It stands for nothing any more."""


class ReplayChange(Part):
    """One record that is read in another way than before."""

    kind: ReplayChangeKind
    source_ref: str
    before: str | None = None
    """The id of the observation that counted; null: there was none."""
    after: str | None = None


class ReplayCounts(Part):
    """What became of events that were read again, and of what they say."""

    events: int = Field(default=0, ge=0)
    kept: int = Field(default=0, ge=0)
    """Events that later versions have read: theirs stands."""
    unreadable: int = Field(default=0, ge=0)
    readable_now: int = Field(default=0, ge=0)
    """Events that had been refused."""
    made: int = Field(default=0, ge=0)
    changed: int = Field(default=0, ge=0)
    withdrawn: int = Field(default=0, ge=0)
    unchanged: int = Field(default=0, ge=0)


class ReplayPage(Contract):
    """A page of a replay, done and stored."""

    project: Token
    source: Token
    passed: int
    """How many of the source's events the page covers."""
    counts: ReplayCounts
    """Of these events, and of those that a changed neighbour made worth another reading."""
    changes: tuple[ReplayChange, ...] = Field(default=(), max_length=1000)
    """The first of them."""
    cursor: str | None
    """Null: this is the last page."""
    total: int | None = None
    """How many events the whole replay covers; null but on the first page."""


class RetainRequest(Contract):
    """Put failed jobs back into the queue."""

    project: Token
    observation_ids: tuple[str, ...] = Field(default=(), max_length=1000)
    """Empty: all of the project that failed."""


class RetainReply(Contract):
    """How many jobs wait again."""

    project: Token
    requeued: int


class ForgetScope(StrEnum):
    """How much is forgotten."""

    FACT = "fact"
    OBSERVATION = "observation"
    SOURCE = "source"
    SUBJECT = "subject"


class ForgetMode(StrEnum):
    """Whether it can be taken back."""

    DISABLE = "disable"
    ENABLE = "enable"
    """Take a disabling back."""
    ERASE = "erase"


class ForgetRequest(Contract):
    """Forget one thing in a subject's memory; the same request again changes nothing.

    Of a source or a subject goes all that was said up to `requested_at`; what is said afterwards
    is new. No reason is asked for: it might say again what is to be forgotten.
    """

    project: Token
    subject: SubjectRef
    scope: ForgetScope
    target: str | None = None
    """A fact id, an observation id, a source; null for the whole subject."""
    mode: ForgetMode
    requested_by: str = Field(min_length=1, max_length=512)
    requested_at: UtcDatetime


class ForgetReceipt(Contract):
    """What was forgotten, by store."""

    forget_id: str
    project: Token
    scope: ForgetScope
    mode: ForgetMode
    requested_at: UtcDatetime
    known: bool
    """It had been asked for before."""
    finished: bool
    """The lake and the streams have forgotten, too; else ask again."""
    removed: dict[str, int]
    """Rows by what they held: facts, observations, vectors, traces, raw events, messages, ..."""
    kept_digests: int
    """Keyed digests that keep it from coming back."""


class LakeForgetRequest(Contract):
    """Memory tells the lake what to erase; again changes nothing and gets the same answer."""

    project: Token
    forget_id: str
    owner: tuple[str, ...]
    """The owner's identifiers, each as `scheme:value`."""
    source: str | None = None
    """Null: all of the owner's sources."""
    source_refs: tuple[str, ...] = Field(default=(), max_length=1000)
    """Empty: all of the source, or of the owner."""
    until: UtcDatetime | None = None
    """Only what was said up to then; null: whatever the records named ever said."""


class LakeForgetReply(Contract):
    """What the lake removed, by store."""

    forget_id: str
    removed: dict[str, int]
    kept_digests: int


class ExportRequest(Contract):
    """Ask for all that a subject's memory holds, a page at a time."""

    project: Token
    subject: SubjectRef
    cursor: str | None = None
    """Where the last page ended; null: from the beginning."""


class ExportPage(Contract):
    """A page of an export; each record names its `set` of the journal."""

    project: Token
    subject: str
    records: tuple[JsonObject, ...]
    cursor: str | None
    """Null: this is the last page."""
    total: int = Field(ge=0)
    """How many records the whole export has, as of this page."""
