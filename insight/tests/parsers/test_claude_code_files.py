"""Session files: splitting, times, size, and what mutation cannot break."""

import hashlib
import importlib
import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from cortex_insight.event import FileHead, Skipped
from cortex_insight.parser import Confidence, Draft, Parsed, Reject
from cortex_insight.parsers.claude_code_jsonl import ClaudeCodeJsonlParser
from cortex_insight.parsers.records import LONGEST_TEXT
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue
from roxabi_contracts import RawEvent
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.payloads import TimeSource

from .sessions import (
    CONTEXT,
    FILE,
    MODIFIED,
    RECEIVED,
    assistant,
    call,
    drafts_of,
    events_of,
    line,
    read,
    result,
    skipped_of,
    to_bytes,
    user,
)

PARSER = ClaudeCodeJsonlParser()

SESSION: list[object] = [
    line("summary", summary="Tides", uuid=None, timestamp=None),
    user("I live in Lyon", promptId="p-1"),
    assistant({"type": "text", "text": "Hello"}, {"type": "tool_use", "id": "t-1", "name": "Bash",
              "input": {"command": "make"}}),
    result("ok", {"stdout": "ok"}),
    call("Write", {"file_path": "/a", "content": "x"}, "t-2"),
    result("made", {"type": "create", "filePath": "/a", "content": "x"}, "t-2"),
    call("ExitPlanMode", {"plan": "Do it"}, "t-3"),
    result("User has approved your plan.", None, "t-3"),
    user("Summary", isCompactSummary=True),
    line("attachment", attachment={"type": "queued_command", "prompt": "and hurry"}),
    line("pr-link", prUrl="https://x/1", prNumber=1, uuid=None),
    user("<bash-input>ls</bash-input>", timestamp=None),
]  # fmt: skip


def only(records: list[object]) -> Draft:
    (draft,) = drafts_of(PARSER, records)
    return draft


def test_chunks_of_any_size_give_the_same_events() -> None:
    content = to_bytes(SESSION)
    whole = list(PARSER.split([content], FILE))
    for size in (1, 7, 1000):
        chunks = [content[start : start + size] for start in range(0, len(content), size)]
        assert list(PARSER.split(chunks, FILE)) == whole


def test_only_line_feeds_end_a_line() -> None:
    draft = only([user("one\u2028two\u0085three\x0bfour")])
    assert draft.payload.text == "one\u2028two\u0085three\x0bfour"


def test_blank_lines_are_no_events() -> None:
    assert events_of(PARSER, b"\n  \n\r\n" + to_bytes([user("Hi")]) + b"\n") != []
    assert events_of(PARSER, b"\n  \n\r\n") == []


def test_a_last_line_still_in_writing_is_not_counted() -> None:
    content = to_bytes([user("Hi")]) + b'{"type":"user","mess'
    assert len(events_of(PARSER, content)) == 1
    (skipped,) = skipped_of(PARSER, content)
    assert skipped.offset == content.index(b'{"type":"user","mess')
    assert len(events_of(PARSER, content + b"\n")) == 2


def test_a_complete_last_line_needs_no_line_feed() -> None:
    assert len(events_of(PARSER, to_bytes([user("Hi")]).rstrip())) == 1


def test_a_grown_file_repeats_its_events() -> None:
    before = events_of(PARSER, to_bytes(SESSION))
    later = replace(FILE, modified_at=RECEIVED)
    after = events_of(PARSER, to_bytes([*SESSION, user("More")]), later)
    assert [event.event_id for event in after[: len(before)]] == [e.event_id for e in before]


def test_prompts_open_episodes_where_the_record_names_none() -> None:
    records: list[object] = [
        user("First", uuid="u-1"),
        assistant({"type": "text", "text": "Yes"}),
        user("<local-command-stdout>x</local-command-stdout>"),
        user("Second", uuid="u-2"),
        assistant({"type": "text", "text": "No"}),
    ]
    episodes = [draft.correlation.episode_id for draft in drafts_of(PARSER, records)]
    assert episodes == ["u-1", "u-1", "u-2", "u-2"]


def test_the_records_own_time_is_kept_to_the_millisecond() -> None:
    draft = only([user("Hi", timestamp="2026-03-10T08:00:00.250Z")])
    assert draft.timestamp == epoch_ms(datetime(2026, 3, 10, 8, 0, 0, 250_000, tzinfo=UTC))
    assert draft.payload.time.source is TimeSource.RECORD
    assert not draft.payload.time.assumed


@pytest.mark.parametrize("timestamp", [None, "", "soon", 10**30, True, {}, float("1e300")])
def test_a_missing_time_is_that_of_the_record_before(timestamp: object) -> None:
    bare = {**user("Bye"), "timestamp": timestamp}
    known = user("Hi", timestamp="2026-03-10T08:00:00Z")
    draft = drafts_of(PARSER, [known, bare])[1]
    assert draft.timestamp == epoch_ms(datetime(2026, 3, 10, 8, tzinfo=UTC))
    assert draft.payload.time.source is TimeSource.NEIGHBOUR
    assert draft.payload.time.assumed


def test_the_first_records_take_the_time_of_the_next() -> None:
    draft = drafts_of(PARSER, [user("Hi", timestamp=None), user("Yo")])[0]
    assert draft.payload.time.source is TimeSource.NEIGHBOUR


def test_without_any_time_the_file_tells_and_then_the_receipt() -> None:
    draft = only([user("Hi", timestamp=None)])
    assert draft.timestamp == epoch_ms(MODIFIED)
    assert draft.payload.time.source is TimeSource.FILE
    content = to_bytes([user("Hi", timestamp=None)])
    (parsed,) = read(PARSER, events_of(PARSER, content, replace(FILE, modified_at=None)))
    assert isinstance(parsed, Parsed)
    assert parsed.drafts[0].timestamp == epoch_ms(RECEIVED)
    assert parsed.drafts[0].payload.time.source is TimeSource.RECEIPT


def test_a_time_after_the_receipt_is_replaced_and_one_before_1970_is_told() -> None:
    future = only([user("Hi", timestamp="2031-01-01T00:00:00Z")])
    assert future.timestamp == epoch_ms(RECEIVED)
    assert future.payload.time.source is TimeSource.RECEIPT
    past = only([user("Hi", timestamp="1969-07-20T20:17:40Z")])
    assert past.timestamp == 0
    assert past.payload.time.local == "1969-07-20T20:17:40+00:00"


def test_long_texts_are_cut_and_say_what_was_cut() -> None:
    text = "tide " * 30_000
    draft = only([user(text)])
    assert len(draft.payload.text) == LONGEST_TEXT
    notes = draft.correlation.attributes
    assert notes["text_length"] == str(len(text.strip()))
    assert notes["text_sha256"] == hashlib.sha256(text.strip().encode()).hexdigest()


def test_a_line_of_many_megabytes_becomes_a_small_event() -> None:
    long = "x" * 5_000_000
    details = {"filePath": "/a", "originalFile": long, "newString": "y", "oldString": "x"}
    edit = call("Edit", {"file_path": "/a"})
    events = events_of(PARSER, to_bytes([edit, result(long, details)]))
    assert all(len(event.body.to_bytes()) < 200_000 for event in events)
    assert b"originalFile" not in events[1].body.to_bytes()
    parsed = [one for one in read(PARSER, events) if isinstance(one, Parsed)]
    (draft,) = parsed[1].drafts
    assert type(draft.payload).__name__ == "Artifact"
    assert hashlib.sha256(long.encode()).hexdigest() in events[1].body.to_bytes().decode()


def test_a_broken_line_that_is_too_long_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    splitting = importlib.import_module("cortex_insight.parsers.claude_code_jsonl.split")
    monkeypatch.setattr(splitting, "LONGEST_RECORD", 5_000)
    content = b'{"a":"' + b"x" * 7_000 + b"\n" + to_bytes([user("Hi")])
    (skipped,) = skipped_of(PARSER, content)
    assert skipped.offset == 0
    assert len(events_of(PARSER, content)) == 1


def test_all_categories_occur() -> None:
    said = {type(draft.payload).__name__ for draft in drafts_of(PARSER, SESSION)}
    assert said == {"Statement", "Interaction", "Finding", "Artifact", "Decision"}


def test_no_two_records_share_a_ref() -> None:
    refs = [draft.source_ref for draft in drafts_of(PARSER, SESSION)]
    assert len(refs) == len(set(refs))


JSON: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=5,
)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A session in which any value, key or byte may be something else."""
    records: list[JsonValue] = json.loads(json.dumps(SESSION))
    for _ in range(draw(st.integers(1, 4))):
        _mutate(draw, draw(st.sampled_from(records)))
    content = to_bytes(records)
    if draw(st.booleans()):
        place = draw(st.integers(0, len(content) - 1))
        content = content[:place] + draw(st.binary(max_size=3)) + content[place + 1 :]
    return content


def _mutate(draw: st.DrawFn, value: JsonValue) -> None:
    if isinstance(value, dict) and value:
        key = draw(st.sampled_from(sorted(value)))
        if isinstance(value[key], dict | list) and draw(st.booleans()):
            _mutate(draw, value[key])
        else:
            value[key] = draw(JSON)
    elif isinstance(value, list) and value:
        place = draw(st.integers(0, len(value) - 1))
        if isinstance(value[place], dict | list) and draw(st.booleans()):
            _mutate(draw, value[place])
        else:
            value[place] = draw(JSON)


@given(mutated())
@settings(max_examples=250, deadline=None)
def test_no_mutation_makes_the_parser_fail_or_invent_a_time(content: bytes) -> None:
    found = list(PARSER.split([content], FILE))
    assert found == list(PARSER.split([content], FILE))
    events = [one for one in found if isinstance(one, RawEvent)]
    assert len(events) + sum(isinstance(one, Skipped) for one in found) == len(found)
    first, second = read(PARSER, events), read(PARSER, events)
    assert first == second
    stated = {epoch_ms(RECEIVED), epoch_ms(MODIFIED), 0}
    for one in first:
        assert isinstance(one, Parsed | Reject)
        for draft in one.drafts if isinstance(one, Parsed) else ():
            assert draft.actors[draft.subject].identifiers
            assert draft.timestamp <= epoch_ms(CONTEXT.received_at) + 86_400_000
            if draft.payload.time.source is TimeSource.RECEIPT:
                assert draft.timestamp in stated
            draft.payload.model_dump_json().encode()


def test_a_type_that_is_no_text_is_none_of_its_records() -> None:
    head = FileHead("x.jsonl", to_bytes([{"type": ["user"], "sessionId": "s"}]), complete=True)
    assert PARSER.recognise(head) is Confidence.NONE
