"""What another reading changed, record by record."""

from collections.abc import Iterator, Sequence

from roxabi_contracts import Observation
from roxabi_contracts.upkeep import ReplayChange, ReplayChangeKind, ReplayCounts

from cortex_insight.reading import Reading, Summary
from cortex_insight.sanitise import SANITISER


def report(
    reading: Reading, before: Summary | None, said: Sequence[Observation], withdrawn: set[str]
) -> tuple[ReplayCounts, list[ReplayChange]]:
    """What became of one event.

    Args:
        reading: As it was read now.
        before: The reading that stood; null: there was none.
        said: What that reading said.
        withdrawn: The records, by name, that no event says any more.
    """
    changes = [*_changes(reading, said, withdrawn)]
    kinds = [change.kind for change in changes]
    told_before = {observation.id for observation in said}
    counts = ReplayCounts(
        events=1,
        unreadable=int(reading.reject is not None),
        readable_now=int(reading.reject is None and before is not None and before.rejected),
        made=kinds.count(ReplayChangeKind.MADE),
        changed=kinds.count(ReplayChangeKind.CHANGED),
        withdrawn=kinds.count(ReplayChangeKind.WITHDRAWN),
        unchanged=sum(observation.id in told_before for observation in reading.observations),
    )
    return counts, changes


def total(counts: Sequence[ReplayCounts]) -> ReplayCounts:
    """The sum of all."""
    names = ReplayCounts.model_fields
    return ReplayCounts(**{name: sum(getattr(each, name) for each in counts) for name in names})


def _changes(
    reading: Reading, said: Sequence[Observation], withdrawn: set[str]
) -> Iterator[ReplayChange]:
    before = {observation.source_ref: observation.id for observation in said}
    ids = set(before.values())
    for observation in reading.observations:
        record = observation.source_ref
        if observation.id in ids:
            continue
        former = before.get(record)
        kind = ReplayChangeKind.MADE if former is None else ReplayChangeKind.CHANGED
        yield ReplayChange(kind=kind, source_ref=record, before=former, after=observation.id)
    for record in sorted(withdrawn & before.keys()):
        yield ReplayChange(
            kind=ReplayChangeKind.WITHDRAWN,
            source_ref=SANITISER.reference(record),
            before=before[record],
        )
