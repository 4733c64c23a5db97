"""How facts, conflicts and episodes are stored, announced, tallied and dumped."""

import json
from dataclasses import replace

import pytest
from cortex_memory.model import SlotState
from cortex_memory.retain.announce import conflict_change, fact_change
from cortex_memory.retain.assertions import assertions_of
from cortex_memory.retain.episode_text import episode_text, is_spoken
from cortex_memory.retain.extract import extract_claims
from cortex_memory.retain.tally import tally
from cortex_memory.retain.values import blank
from cortex_memory.store.episode_rows import episode_row
from cortex_memory.store.rows import (
    conflict_line,
    conflict_row,
    fact_line,
    fact_row,
    member_rows,
    source_rows,
)
from retain.observing import (
    ANN,
    CATALOGUE,
    KEY,
    OWNER,
    actor,
    alone,
    claim,
    journal,
    memory,
    observe,
)
from roxabi_contracts.actor import ActorKind
from roxabi_contracts.operations import FactStatus
from roxabi_contracts.payloads import (
    Artifact,
    ClaimAction,
    Decision,
    DecisionStatus,
    Finding,
    Statement,
    TimeNote,
    TimePrecision,
    TimeSource,
)

NOTE = TimeNote(precision=TimePrecision.SECOND, source=TimeSource.RECORD)
TOWN = observe(claim("lives_in", {"value": "Köln", "since": 2}), at=1, ref="a")
FACT = memory(journal(TOWN)).facts[0]


def test_a_row_differs_exactly_when_the_dump_does() -> None:
    confirmed = replace(FACT, count=3)
    recounted = replace(FACT, sources=(replace(FACT.sources[0], counted=False),))

    assert fact_row(FACT) == fact_row(replace(FACT))
    for other in (confirmed, recounted, replace(FACT, status=FactStatus.ENDED)):
        assert fact_row(other).row_digest != fact_row(FACT).row_digest


def test_the_text_for_search_is_what_a_reader_would_write() -> None:
    assert fact_row(FACT).text == "lives in since 2, value Köln"


def test_nothing_of_an_erased_value_is_stored() -> None:
    row = fact_row(replace(FACT, value=blank(FACT.value), status=FactStatus.ERASED))

    assert (row.value, row.text) == (None, "")
    assert row.value_digest == fact_row(FACT).value_digest
    assert "Köln" not in fact_line(row, []).decode()


def test_the_dump_shows_sources_and_no_recorded_time() -> None:
    shown = json.loads(fact_line(fact_row(FACT), source_rows(FACT)))["fact"]

    assert shown["value"] == {"value": "Köln", "since": 2}
    assert shown["sources"] == [[FACT.id, TOWN.id, True]]
    assert not {name for name in shown if "record" in name}


def test_a_conflict_shows_its_members_in_the_order_of_joining() -> None:
    said = [
        observe(claim("married", value), at=at, ref=str(at))
        for at, value in [(1, True), (2, False)]
    ]
    state = memory(journal(*said))
    conflict = state.conflicts[0]
    shown = json.loads(conflict_line(conflict_row(conflict), member_rows(conflict)[::-1]))

    assert shown["conflict"]["members"] == [*conflict.members]
    assert conflict_change(conflict, was_open=False, version=1).change == "opened"
    assert conflict_change(conflict, was_open=True, version=1).change == "extended"
    closed = replace(conflict, closed_at=9)
    assert conflict_change(closed, was_open=True, version=1).change == "settled"


@pytest.mark.parametrize(
    ("before", "status", "change"),
    [
        (None, FactStatus.ACTIVE, "created"),
        ("active", FactStatus.ACTIVE, "updated"),
        ("active", FactStatus.SUPERSEDED, "retired"),
        ("candidate", FactStatus.ACTIVE, "updated"),
        ("scheduled", FactStatus.ACTIVE, "updated"),
        (None, FactStatus.QUARANTINED, "created"),
    ],
)
def test_what_is_announced_of_a_fact(before: str | None, status: FactStatus, change: str) -> None:
    assert fact_change(replace(FACT, status=status), before, version=1).change == change


def test_the_same_change_of_another_version_is_another_announcement() -> None:
    first, second = (fact_change(FACT, "active", version) for version in (1, 2))

    assert first.id != second.id
    assert fact_change(FACT, "active", 1).id == first.id


def test_what_became_of_candidates() -> None:
    said = [
        observe(claim("lives_in", "Paris"), at=1, ref="a"),
        observe(claim("lives_in", "paris"), at=2, ref="b"),
        observe(claim("lives_in", "Lyon"), at=3, ref="c"),
        observe(claim("married", True), at=4, ref="d"),
        observe(claim("married", False), at=5, ref="e"),
        observe(claim("likes", "tea", confidence=0.2), at=6, ref="f"),
        observe(claim("likes", "milk", begin=5_000), at=7, ref="g"),
        observe(claim("lives_in", "Rome", action=ClaimAction.RETRACT), at=8, ref="h"),
    ]
    assertions = [
        assertion
        for seen in said
        for assertion in assertions_of(
            seen,
            extract_claims(seen).facts,
            project_key=KEY,
            catalogue=CATALOGUE,
            entity_of=alone,
        )
    ]
    state = memory(journal(*said))

    assert tally(assertions, [SlotState(state.facts, state.conflicts, None)]) == {
        ("garden", "create"): 2,
        ("garden", "reinforce"): 1,
        ("garden", "supersede"): 1,
        ("garden", "conflict"): 1,
        ("garden", "quarantine"): 1,
        ("garden", "schedule"): 1,
        ("garden", "retract"): 1,
    }


def test_an_episode_says_what_its_payload_says_beside_the_text() -> None:
    decided = Decision(
        text="We take Rust.",
        time=NOTE,
        decision="Rust",
        rationale="fast",
        status=DecisionStatus.ACCEPTED,
    )
    found = Finding(text="", time=NOTE, evidence="line 3", remediation="remove it")
    made = Artifact(
        text="wrote it", time=NOTE, kind="file", action="created", title="a.py", uri="file:a.py"
    )

    assert episode_text(decided) == "We take Rust.\nfast"
    assert episode_text(found) == "line 3\nremove it"
    assert episode_text(made) == "wrote it\na.py\nfile:a.py"
    assert episode_text(Statement(text="Hello", time=NOTE)) == "Hello"


def test_only_what_somebody_said_is_worth_a_vector() -> None:
    assert is_spoken(observe(at=1, ref="a"))
    assert not is_spoken(observe(at=1, ref="a", text=""))
    assert not is_spoken(observe(at=1, ref="a", actors=[OWNER]))
    assert not is_spoken(
        observe(at=1, ref="a", actors=[actor("slug:ls", kind=ActorKind.TOOL), ANN])
    )


def test_an_episode_belongs_to_the_entity_of_its_subject() -> None:
    row = episode_row(TOWN, KEY, alone)

    assert (row.observation_id, row.said_at, row.text) == (TOWN.id, 1, "words")
    assert row.subject == row.subject_identifier == row.author
