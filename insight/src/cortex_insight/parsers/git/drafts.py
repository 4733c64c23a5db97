"""What a commit or tag tells: who made what in which project, what was taken back or came out."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from roxabi_contracts import (
    ActorKind,
    ActorRef,
    ActorRole,
    Artifact,
    Claim,
    Correlation,
    Decision,
    Payload,
    RawEvent,
    TimeNote,
)
from roxabi_contracts.base import epoch_ms, from_epoch_ms
from roxabi_contracts.payloads import DecisionStatus, TimePrecision, TimeSource

from cortex_insight.event_time import Bound, resolve_time
from cortex_insight.parser import Draft, ParseContext
from cortex_insight.parsers.git.people import actor_of, person_in, printable
from cortex_insight.parsers.git.record import Commit, Tag
from cortex_insight.parsers.records import capped

_EARLIEST: Final = datetime(1990, 1, 1, tzinfo=UTC)
_SLACK: Final = timedelta(days=1)
_REVERT: Final = re.compile(r"(Revert|Reapply) \"(.+)\"(?: \(#\d+\))?")
_BOILERPLATE: Final = re.compile(r"This reverts commit [0-9a-f]{7,64}\b[^\n]*|This reapplies[^\n]*")
_PULL: Final = re.compile(
    r"Merge (?:pull request #\d+ from \S+|branch '[^']+'(?: into '?[^']+'?)?)"
)
_MERGE_REQUEST: Final = re.compile(r"See merge request \S*!\d+")
_COAUTHOR: Final = "co-authored-by"
_HELPERS: Final = frozenset(
    ("reviewed-by", "acked-by", "tested-by", "signed-off-by", "reported-by", "helped-by",
     "suggested-by", "approved-by")
)  # fmt: skip
_FINAL_VERSION: Final = re.compile(r"(?:[a-z][\w-]*[-@/])?v?(\d+(?:\.\d+){1,3})", re.IGNORECASE)
_FILES_SHOWN: Final = 10
_LONGEST_PATH: Final = 160
_DID: Final = {"A": " (new)", "D": " (deleted)"}


@dataclass(frozen=True)
class _Cast:
    """The actors of a commit or tag, its author first, and whose memory it goes to."""

    actors: tuple[ActorRef, ...]
    subject: int
    project: int


def commit_drafts(
    commit: Commit, event: RawEvent, owner: ActorRef, context: ParseContext
) -> Iterator[Draft]:
    """The commit, and what it decided, if it says so."""
    timestamp, time = _when(commit, event, context)
    cast = _cast(_people(commit, owner), commit.repository, owner)
    said = _artifact(commit, cast, time)
    notes = _notes(commit)
    yield _draft(commit, event, said, cast, timestamp, notes, event.source_ref)
    decided = _decision(commit, time)
    if decided is not None:
        parent = event.source_ref
        ref = f"{event.source_ref}/decision"
        yield _draft(commit, event, decided, cast, timestamp, notes, ref, parent)


def tag_draft(tag: Tag, event: RawEvent, owner: ActorRef, context: ParseContext) -> Draft:
    """The release that a tag is, or the mere name of a commit."""
    created = tag.created
    note = tag.is_signed_off
    bounds: list[Bound] = []
    if created is not None:
        source = TimeSource.RECORD if note else TimeSource.NEIGHBOUR
        bounds = [replace(created, source=source, assumed=not note)]
    published = Bound(event.occurred_at, TimeSource.EVENT, TimePrecision.MILLISECOND)
    timestamp, time = resolve_time([*bounds, published], context.received_at)
    people = [actor_of([tag.tagger], ActorRole.AUTHOR, owner)] if note else []
    cast = _cast(people, tag.repository, owner)
    name = printable(tag.name) or "tag"
    version = _FINAL_VERSION.fullmatch(name)
    told = f"{tag.repository} {name} was {'released' if version else 'tagged'}."
    text, cut = capped("\n\n".join(one for one in (told, tag.message) if one))
    claim = Claim(
        about=cast.project, predicate="release_version", value={"value": name},
        qualifiers={"project": tag.repository}, evidence=told,
    )  # fmt: skip
    payload = Artifact(
        text=text, time=time, claims=(claim,) if version else (),
        kind="release" if version else "tag", uri=f"git:{tag.repository}/tag/{name}"[:1024],
        action="created", digest=tag.commit, title=name,
    )  # fmt: skip
    return Draft(
        payload=payload, source_ref=event.source_ref, timestamp=timestamp, actors=cast.actors,
        subject=cast.subject, topic=(tag.repository,),
        correlation=Correlation(
            trace_id=f"git/{tag.repository}", parent_ref=tag.commit, attributes=cut
        ),
        sequence=timestamp // 1000,
        revision=epoch_ms(created.moment) if note and created and created.moment else 0,
    )  # fmt: skip


def _artifact(commit: Commit, cast: _Cast, time: TimeNote) -> Artifact:
    author = cast.actors[0]
    who = author.name or next((key.value for key in author.identifiers), "somebody")
    told = f"{who} committed to {commit.repository}"
    subject = commit.subject or "no message"
    parts = [f"{told}: {subject}", commit.body, _files_line(commit)]
    text, _ = capped("\n\n".join(part for part in parts if part))
    works = author.kind is ActorKind.PERSON
    claim = Claim(
        about=0, predicate="works_on", value={"value": commit.repository}, evidence=told
    )  # fmt: skip
    return Artifact(
        text=text, time=time, claims=(claim,) if works and told in text else (),
        kind="merge" if len(commit.parents) > 1 else "commit", uri=f"git:commit/{commit.hash}",
        action="created", digest=commit.hash, title=subject[:500],
    )  # fmt: skip


def _decision(commit: Commit, time: TimeNote) -> Decision | None:
    """A commit that takes another back, or the merge of what was proposed."""
    found = _taken_back(commit) or _merged(commit)
    if found is None:
        return None
    name, status, reason = found
    text, _ = capped("\n\n".join(part for part in (commit.subject, commit.body) if part))
    return Decision(
        text=text, time=time, decision=name[:500], status=status, decided_by=0,
        rationale=reason[:2000] or None,
    )  # fmt: skip


def _taken_back(commit: Commit) -> tuple[str, DecisionStatus, str] | None:
    """What it reverts, whether that holds now, and why; a revert may be reverted itself."""
    name, kinds = commit.subject, list[str]()
    while (found := _REVERT.fullmatch(name)) is not None:
        kinds.append(found[1])
        name = found[2]
    if not kinds:
        return None
    holds = True
    for kind in reversed(kinds):
        holds = kind == "Reapply" or not holds
    status = DecisionStatus.ACCEPTED if holds else DecisionStatus.REVERSED
    return name, status, _BOILERPLATE.sub("", commit.body).strip()


def _merged(commit: Commit) -> tuple[str, DecisionStatus, str] | None:
    """The title of the proposal that it merges."""
    if len(commit.parents) < 2 or not _PULL.fullmatch(commit.subject):
        return None
    asked = commit.subject.startswith("Merge pull") or _MERGE_REQUEST.search(commit.body)
    title = _MERGE_REQUEST.sub("", commit.body).strip().partition("\n")[0]
    return (title, DecisionStatus.ACCEPTED, "") if asked and title else None


def _people(commit: Commit, owner: ActorRef) -> list[ActorRef]:
    found = [
        actor_of(commit.author, ActorRole.AUTHOR, owner),
        *(
            actor_of([person_in(value)], ActorRole.AUTHOR, owner)
            for name, value in commit.trailers
            if name == _COAUTHOR
        ),
        actor_of(commit.committer, ActorRole.PARTICIPANT, owner),
        *(
            actor_of([person_in(value)], ActorRole.PARTICIPANT, owner)
            for name, value in commit.trailers
            if name in _HELPERS
        ),
    ]
    unique: dict[object, ActorRef] = {}
    for one in found:
        unique.setdefault(one.identifiers or one.name, one)
    return list(unique.values())[:50]


def _cast(people: Sequence[ActorRef], repository: str, owner: ActorRef) -> _Cast:
    project = ActorRef(kind=ActorKind.PROJECT, role=ActorRole.MENTIONED, name=repository)
    own = [i for i, one in enumerate(people) if one.identifiers == owner.identifiers]
    if own:
        return _Cast((*people, project), own[0], len(people))
    actors = (*people, project, owner.model_copy(update={"role": ActorRole.OWNER}))
    return _Cast(actors, len(people) + 1, len(people))


def _files_line(commit: Commit) -> str:
    """The files that it touches, as far as a reader wants to know."""
    shown = [_shown_file(one) for one in commit.files[:_FILES_SHOWN]]
    more = len(commit.files) - len(shown) + commit.more_files
    if not shown:
        return ""
    return f"Files: {', '.join(shown)}{f' and {more} more' if more else ''}"


def _shown_file(file: tuple[str, ...]) -> str:
    did, *paths = file
    names = [(printable(path) or "?")[:_LONGEST_PATH] for path in paths[:2]]
    return " -> ".join(names) + _DID.get(did, "")


def _notes(commit: Commit) -> dict[str, str]:
    authored, committed = commit.authored, commit.committed
    placed = committed.moment if committed else None
    differs = placed is not None and (authored is None or authored.moment != placed)
    notes = {
        "repository": commit.repository,
        "committed_at": placed.isoformat() if placed is not None and differs else "",
        "picked_from": commit.picked_from or "",
        "merges": " ".join(commit.parents[1:9]),
    }  # fmt: skip
    return {name: value for name, value in notes.items() if value}


def _when(commit: Commit, event: RawEvent, context: ParseContext) -> tuple[int, TimeNote]:
    """When it was written; where that cannot be true, when it got its place in the history."""
    authored, committed = commit.authored, commit.committed
    limit = committed.moment + _SLACK if committed and committed.moment else None
    moment = authored.moment if authored else None
    true = moment is not None and moment >= _EARLIEST and (limit is None or moment <= limit)
    published = Bound(event.occurred_at, TimeSource.EVENT, TimePrecision.MILLISECOND)
    stated = [authored if true else None, committed, authored]
    return resolve_time([*(one for one in stated if one), published], context.received_at)


def _draft(
    commit: Commit, event: RawEvent, payload: Payload, cast: _Cast, timestamp: int,
    notes: dict[str, str], ref: str, parent: str | None = None,
) -> Draft:  # fmt: skip
    repository = commit.repository
    committed = commit.committed
    placed = epoch_ms(committed.moment) if committed and committed.moment else timestamp
    return Draft(
        payload=payload,
        source_ref=ref,
        timestamp=timestamp,
        actors=cast.actors,
        subject=cast.subject,
        topic=(repository,),
        correlation=Correlation(
            trace_id=f"git/{repository}",
            parent_ref=parent or next(iter(commit.parents), None),
            episode_id=f"git/{repository}/{from_epoch_ms(timestamp).date().isoformat()}",
            attributes=notes,
        ),
        sequence=max(0, placed) // 1000,
    )
