"""The sample histories that the project ships: what the lake makes of them."""

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict

import pytest
from cortex_insight.enrich.rules import RuleEnricher
from cortex_insight.event import FileContext
from cortex_insight.interpret import Interpreted, Presence, SourceConfig, interpret
from cortex_insight.parser import Parser
from cortex_insight.parsers.claude_code_jsonl import ClaudeCodeJsonlParser
from cortex_insight.parsers.message import MessageParser
from roxabi_contracts import (
    ActorKind,
    ActorRef,
    ActorRole,
    Category,
    Identifier,
    Observation,
    Origin,
    RawEvent,
)
from roxabi_contracts.payloads import ClaimAction

SAMPLES = Path(__file__).parents[3] / "deploy/local/src/cortex_local/samples"
PARSERS: tuple[Parser, ...] = (ClaudeCodeJsonlParser(), MessageParser())
RECEIVED = datetime(2026, 1, 1, tzinfo=UTC)


class Value(TypedDict):
    predicate: str
    value: str


class Conflict(TypedDict):
    predicate: str
    values: list[str]


class Question(TypedDict, total=False):
    query: str
    shows: str
    holds: list[Value]
    gone: list[Value]
    conflict: Conflict


MANIFEST = json.loads(Path(__file__).with_name("samples.json").read_text())
QUESTIONS: list[Question] = MANIFEST["questions"]
OWNER = ActorRef(
    kind=ActorKind.PERSON,
    role=ActorRole.OWNER,
    name=MANIFEST["owner"]["name"],
    identifiers=(Identifier(scheme="email", value=MANIFEST["owner"]["email"]),),
)


def observations(source: str, folder: str) -> list[Observation]:
    parser = next(parser for parser in PARSERS if parser.source == source)
    events = [
        event for path in sorted((SAMPLES / folder).iterdir()) for event in split(parser, path)
    ]
    config = SourceConfig(parser, Origin.TRUSTED, RuleEnricher())
    made: list[Observation] = []
    for event in events:
        answer = interpret(event, presence(parser, event, events), config, RECEIVED)
        assert isinstance(answer, Interpreted), answer
        assert not answer.unknown_types
        made.extend(answer.observations)
    return made


def split(parser: Parser, path: Path) -> list[RawEvent]:
    context = FileContext("personal", OWNER, path.name, modified_at=None)
    events = list(parser.split([path.read_bytes()], context))
    assert all(isinstance(event, RawEvent) for event in events)
    return [event for event in events if isinstance(event, RawEvent)]


def presence(parser: Parser, event: RawEvent, events: list[RawEvent]) -> Presence:
    found = {
        key: tuple(other for other in events if key in parser.provides(other) and other != event)
        for key in parser.needs(event)
    }
    present = {key: others for key, others in found.items() if others}
    return Presence(present, sum(map(len, present.values())))


@pytest.fixture(scope="module")
def history() -> list[Observation]:
    made = [
        one for item in MANIFEST["imports"] for one in observations(item["source"], item["path"])
    ]
    return sorted(made, key=lambda one: (one.timestamp, one.revision))


def owners_claims(history: list[Observation]) -> list[tuple[ClaimAction, str, object]]:
    own = [one for one in history if one.subject == 0 and not one.deleted]
    return [
        (claim.action, claim.predicate, claim.value["value"])
        for one in own
        for claim in one.payload.claims
    ]


def test_the_manifest_names_every_file() -> None:
    folders = {item["path"] for item in MANIFEST["imports"]}
    assert {path.name for path in SAMPLES.iterdir() if path.is_dir()} == folders


def test_all_categories_occur(history: list[Observation]) -> None:
    assert {one.category for one in history} == set(Category)


def test_only_persons_claim(history: list[Observation]) -> None:
    for one in history:
        if one.payload.claims:
            assert one.actors[0].kind is ActorKind.PERSON
            assert {claim.about for claim in one.payload.claims} == {0}


def test_the_session_spans_days_and_has_its_derived_parts(history: list[Observation]) -> None:
    session = [one for one in history if one.source == "claude-code-jsonl"]
    assert len({one.timestamp // 86_400_000 for one in session}) >= 3
    assert Counter(one.correlation.attributes.get("derived") for one in session)["compaction"] == 1
    assert any("agent_id" in one.correlation.attributes for one in session)


def test_edits_and_deletions_are_revisions(history: list[Observation]) -> None:
    assert [one.source_ref for one in history if one.deleted] == ["friends/13"]
    assert sum(one.source_ref == "friends/11" for one in history) == 2


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: str(question["query"]))
def test_the_rules_read_what_the_questions_ask_for(
    question: Question, history: list[Observation]
) -> None:
    claims = owners_claims(history)
    stated = {(predicate, value) for _, predicate, value in claims}
    for wanted in question.get("holds", []):
        assert (wanted["predicate"], wanted["value"]) in stated
    for gone in question.get("gone", []):
        assert last_value(claims, gone["predicate"]) != gone["value"]
    conflict = question.get("conflict")
    if conflict is not None:
        values = [value for _, name, value in claims if name == conflict["predicate"]]
        actions = {action for action, name, _ in claims if name == conflict["predicate"]}
        assert values == conflict["values"]
        assert actions == {ClaimAction.CREATE}


def last_value(claims: list[tuple[ClaimAction, str, object]], predicate: str) -> object:
    held = [value for action, name, value in claims if name == predicate and action != "retract"]
    return held[-1]


def test_each_value_that_goes_was_there_before(history: list[Observation]) -> None:
    stated = {(predicate, value) for _, predicate, value in owners_claims(history)}
    gone = {(item["predicate"], item["value"]) for one in QUESTIONS for item in one.get("gone", [])}
    assert gone - stated == {("prefers", "spaces")}


@pytest.mark.parametrize(
    "never", ["Berlin", "Paris", "Vienna", "Rennes", "Mercurial", "yarn", "spaces"]
)
def test_what_was_quoted_supposed_or_reported_is_not_claimed(
    never: str, history: list[Observation]
) -> None:
    claimed = [claim.value["value"] for one in history for claim in one.payload.claims]
    assert never not in claimed
