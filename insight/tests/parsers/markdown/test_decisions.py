"""A decision is what a note records as one, with where it stands and who took it."""

from datetime import UTC, datetime

import pytest
from roxabi_contracts import ActorRole, Category, Decision, Observation
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.payloads import DecisionStatus

from .notes import said, texts

NYGARD = """# 7. Use Postgres

Date: 2026-02-01

## Status

Accepted

{more}

## Context

We need transactions.

## Decision

We keep all in Postgres.

## Consequences

One server.
"""
MADR = """---
status: "proposed"
date: 2026-02-02
decision-makers:
  - Ada Owner <owner@example.org>
  - Tom Reed
---
# ADR-0008: Queue

## Context and Problem Statement

Work waits.

## Considered Options

* Kafka
* NATS
* [RabbitMQ](https://x)

## Decision Outcome

Chosen option: "NATS", because it is one binary.
"""


def decisions(content: str) -> list[Observation]:
    return [one for one in said(content) if one.category is Category.DECISION]


def only(content: str) -> tuple[Observation, Decision]:
    (one,) = decisions(content)
    assert isinstance(one.payload, Decision)
    return one, one.payload


def test_a_decision_record_is_one_decision_and_its_other_sections_are_notes() -> None:
    one, payload = only(NYGARD.format(more=""))
    assert payload.decision == "Use Postgres"
    assert payload.status is DecisionStatus.ACCEPTED
    assert payload.text == "Decision\nWe keep all in Postgres."
    assert payload.rationale == "We need transactions."
    assert one.timestamp == epoch_ms(datetime(2026, 2, 1, tzinfo=UTC))
    assert [*texts(NYGARD.format(more=""))] == [
        f"7. Use Postgres{below}" for below in ("", " > Context", " > Decision", " > Consequences")
    ]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("Superseded by [9. Use SQLite](0009.md)", DecisionStatus.REVERSED),
        ("Deprecated 2026-03-01", DecisionStatus.REVERSED),
        ("Supersedes nothing", DecisionStatus.ACCEPTED),
        ("Amended later", DecisionStatus.ACCEPTED),
    ],
)
def test_what_ended_a_decision_counts(words: str, status: DecisionStatus) -> None:
    assert only(NYGARD.format(more=words))[1].status is status


def test_a_record_names_deciders_and_what_else_was_considered() -> None:
    one, payload = only(MADR)
    assert payload.decision == "Queue"
    assert payload.status is DecisionStatus.PROPOSED
    assert payload.alternatives == ("Kafka", "RabbitMQ")
    assert payload.rationale == "because it is one binary."
    assert payload.decided_by is None
    authors = [who.name for who in one.actors if who.role is ActorRole.AUTHOR]
    assert authors == ["Ada Owner", "Tom Reed"]
    assert one.subject == 0


@pytest.mark.parametrize(
    "heading",
    ["Decision: use uv", "Decision 3: use uv", "ADR-7: Decision — use uv", "Décision : use uv"],
)
def test_a_heading_that_says_so_is_a_decision(heading: str) -> None:
    one, payload = only(f"# Notes\n\n## {heading}\n\nIt is fast.\n")
    assert (payload.decision, payload.status) == ("use uv", DecisionStatus.ACCEPTED)
    assert (payload.decided_by, one.actors[0].role) == (0, ActorRole.AUTHOR)
    rejected = only(f"## {heading}\n\nStatus: rejected\n")[1]
    assert rejected.status is DecisionStatus.REJECTED


def test_a_line_that_says_so_is_a_decision_beside_its_section() -> None:
    note = "## Standup\n\nWe spoke.\n- **Decision:** ship on Friday\n```\nDecision: no\n```\n"
    one, payload = only(note)
    assert payload.decision == payload.text == "ship on Friday"
    assert one.source_ref.startswith("vault/note.md#Standup/decision/")
    assert len(said(note)) == 2


@pytest.mark.parametrize(
    "note",
    ["## Decisions\n\nnone\n", "## Decision making\n\nx\n", "We took no decision: yet.\n",
     "# Title\n\n## Decision\n\nx\n", "---\nstatus: accepted\n---\n# T\n\n## Decision\n\nx\n"],
)  # fmt: skip
def test_what_only_speaks_of_decisions_is_none(note: str) -> None:
    assert decisions(note) == []
