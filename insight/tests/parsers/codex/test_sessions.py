"""Session files of Codex: forks, turns taken back, old shapes, and files in writing."""

import json
from typing import Any

import pytest
from cortex_insight.event import FileHead, Skipped
from cortex_insight.parser import Confidence
from cortex_insight.testing import SampleFile, readings_of
from roxabi_contracts import RawEvent
from roxabi_contracts.payloads import TimeSource

from .rollouts import (
    EARLY_TURN,
    FIRST,
    LATE_TURN,
    PARSER,
    SECOND,
    Fields,
    agent,
    at,
    call,
    event,
    items,
    line,
    meta,
    readings,
    result,
    said,
    said_in,
    texts,
    to_bytes,
    to_file,
    turn,
    user,
)

LATER = "2026-03-05T09:00:00.000Z"
ORIGINAL = [turn(EARLY_TURN), user("I live in Porto"), call("shell", {"command": ["make"]}),
            result("ok"), agent("Done.")]  # fmt: skip
OLD = [turn(), user("I live in Porto"), agent("Done.")]
FORK = meta(SECOND, forked_from_id=FIRST, timestamp="2026-02-01T00:00:00Z", cwd="/home/mira/other")
"""Of an instant between the two turns, as their ids tell."""


def fork(repeated: list[Fields], *own: Fields) -> SampleFile:
    """A session that goes on from the first one: all of it comes again, written anew."""
    return to_file(*at(LATER, FORK, meta(), *repeated, *own), path="rollout-fork.jsonl")


@pytest.mark.parametrize("repeated", [ORIGINAL, OLD])
def test_a_fork_says_again_only_what_is_new(repeated: list[Fields]) -> None:
    first = to_file(meta(), *repeated)
    again = fork(repeated, turn(LATE_TURN), user("And I work in Rome"))
    before = said_in(first)
    for files in ([first, again], [again, first]):
        found = said_in(*files)
        assert [one.id for one in found[:-1]] == [one.id for one in before]
        assert found[-1].payload.text == "And I work in Rome"


def test_a_fork_that_keeps_the_times_says_nothing_again() -> None:
    first, again = to_file(meta(), *ORIGINAL), to_file(FORK, meta(), *ORIGINAL)
    assert [one.id for one in said_in(first, again)] == [one.id for one in said_in(first)]


def test_what_is_new_in_a_fork_knows_its_original() -> None:
    found = said_in(fork(ORIGINAL, turn(LATE_TURN, cwd="/home/mira/other"), user("New")))
    old, new = found[0], found[-1]
    assert (old.correlation.trace_id, new.correlation.trace_id) == (FIRST, FIRST)
    assert new.correlation.attributes["session"] == SECOND
    assert "session" not in old.correlation.attributes
    assert new.topic == ("other", "main")


def test_a_fork_of_a_fork_knows_the_first_of_all() -> None:
    third = "019c5000-0000-7000-8000-000000000003"
    newest = "019c5000-1000-7000-8000-00000000000c"
    own = meta(third, forked_from_id=SECOND, timestamp="2026-02-11T00:00:00Z")
    file = to_file(own, FORK, meta(), *ORIGINAL, turn(LATE_TURN), user("b"), turn(newest),
                   user("c"))  # fmt: skip
    assert {one.correlation.trace_id for one in said_in(file)} == {FIRST}
    assert said_in(file)[-1].correlation.attributes["session"] == third


def test_a_fork_by_a_version_that_writes_more_says_nothing_again() -> None:
    newer = [json.loads(json.dumps(one)) for one in ORIGINAL]
    for one in newer:
        one["payload"]["internal_metadata"] = {"turn_id": EARLY_TURN}
    assert len(said_in(to_file(meta(), *ORIGINAL), fork(newer))) == 4


def test_a_turn_whose_id_tells_no_time_is_the_forks_own() -> None:
    random = "00000000-0000-4000-8000-00000000000a"
    assert said_in(fork(ORIGINAL, turn(random), user("New")))[-1].correlation.attributes[
        "session"
    ] == SECOND  # fmt: skip


def test_a_fork_alone_tells_all_of_it() -> None:
    assert [one.payload.text for one in said_in(fork(ORIGINAL))] == [
        "I live in Porto", "shell: make", "ok", "Done."
    ]  # fmt: skip


def test_turns_of_one_name_in_two_sessions_are_two() -> None:
    one, other = (
        to_file(meta(session), turn("turn-1"), user("Yes")) for session in (FIRST, SECOND)
    )
    assert len(said_in(one, other)) == 2


def test_a_turn_that_was_rolled_back_says_nothing() -> None:
    records = [user("I live in Porto"), agent("a"), user("I live in Rome"), agent("b")]
    assert texts(*records, event("thread_rolled_back", num_turns=1)) == ["I live in Porto", "a"]
    assert texts(*records, event("thread_rolled_back", num_turns=9), user("New")) == ["New"]
    after = [event("thread_rolled_back", num_turns=1), user("I live in Faro"), agent("c")]
    assert texts(*records, *after) == ["I live in Porto", "a", "I live in Faro", "c"]
    again = event("thread_rolled_back", num_turns=2)
    assert texts(*records, *after, again, agent("Well.")) == ["Well."]
    for odd in (None, "x", -1, True):
        assert len(texts(*records, event("thread_rolled_back", num_turns=odd))) in (2, 4)


def test_a_rollback_that_arrives_later_takes_the_turn_back() -> None:
    records = [meta(), user("I live in Porto"), event("thread_rolled_back", num_turns=1)]
    found = [one for one in items(to_file(*records)) if isinstance(one, RawEvent)]
    assert [one for reading in readings_of(PARSER, found[:2]) for one in reading.observations]
    for order in (found, found[::-1]):
        readings = readings_of(PARSER, order)
        assert [one for reading in readings for one in reading.observations] == []


def test_a_session_that_grows_keeps_its_events() -> None:
    records = [meta(), *ORIGINAL, user("More"), agent("Sure.")]
    whole = items(to_file(*records))
    for count in range(1, len(records)):
        assert items(to_file(*records[:count])) == whole[:count]


def test_a_line_in_writing_is_waited_for() -> None:
    content = to_bytes(meta(), user("I live in Porto"))
    cut = items(SampleFile("r.jsonl", content + b'{"timestamp":"2026'))
    assert cut[-1] == Skipped(len(content), "the last line is still being written")
    assert len(cut) == 3
    whole = items(SampleFile("r.jsonl", content[:-1]))
    assert not any(isinstance(one, Skipped) for one in whole)


@pytest.mark.parametrize(
    ("broken", "code"),
    [
        (b"{", "not_json"),
        (b"null", "not_an_object"),
        (b'"x"', "not_an_object"),
        (b"}{", "not_json"),
    ],
)
def test_a_broken_line_is_rejected_and_the_rest_is_read(broken: bytes, code: str) -> None:
    content = to_bytes(meta()) + broken + b"\n" + to_bytes(user("I live in Porto"))
    found = readings(SampleFile("r.jsonl", content))
    assert [one.reject.code for one in found if one.reject] == [code]
    assert [one.payload.text for reading in found for one in reading.observations] == [
        "I live in Porto"
    ]


def test_separators_of_lines_that_are_none_do_not_cut_a_line() -> None:
    assert texts(user("a\u2028b\u0085c")) == ["a\u2028b\u0085c"]


def test_a_line_with_a_picture_loses_the_length_of_its_texts() -> None:
    url = "data:image/png;base64," + "A" * 2_000_000
    content = [{"type": "input_image", "image_url": url}, {"type": "input_text", "text": "Look"}]
    record = line("response_item", {"type": "message", "role": "user", "content": content})
    (one,) = said_in(to_file(meta(), record))
    assert one.payload.text == "Look"
    events = [one for one in items(to_file(meta(), record)) if isinstance(one, RawEvent)]
    assert all(len(one.body.to_bytes()) < 200_000 for one in events)
    many = line("response_item", {"type": "x", "y": ["A" * 60_000] * 720})
    assert items(to_file(many)) == [Skipped(0, "the line is longer than can be kept")]


OUTPUT: Fields = {"output": "ok", "metadata": {}}
BARE: list[Fields] = [
    {"id": FIRST, "timestamp": "2025-06-01T08:00:00Z", "instructions": "Always use tabs.",
     "git": {"branch": "main"}},
    {"record_type": "state"},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "I live in P"}]},
    {"type": "function_call", "name": "shell", "call_id": "c", "arguments": '{"command":["ls"]}'},
    {"type": "function_call_output", "call_id": "c", "output": json.dumps(OUTPUT)},
]  # fmt: skip


@pytest.mark.parametrize(
    "file",
    [
        to_file(*BARE),
        SampleFile("rollout-1.json", json.dumps({"session": BARE[0], "items": BARE[1:]}).encode()),
        SampleFile("rollout-1.json",
                   json.dumps({"session": BARE[0], "items": BARE[1:]}, indent=2).encode()),
    ],
)  # fmt: skip
def test_the_oldest_sessions_are_read(file: SampleFile) -> None:
    found = said_in(file)
    assert [one.payload.text for one in found] == ["I live in P", "shell: ls", "ok"]
    for one in found:
        assert one.timestamp == 1_748_764_800_000
        assert one.payload.time.source is TimeSource.NEIGHBOUR
        assert one.correlation.trace_id == FIRST
    assert PARSER.recognise(FileHead(file.path, file.content, complete=True)) is Confidence.LIKELY


def test_an_old_session_that_is_cut_is_read_up_to_there() -> None:
    content = json.dumps({"session": BARE[0], "items": BARE[1:]}).encode()[:-20]
    found = items(SampleFile("rollout-1.json", content))
    assert found[-1] == Skipped(0, "from here on the file is no JSON; what came before it was read")


def test_without_any_time_that_of_the_file_counts() -> None:
    (one,) = said_in(to_file(line("response_item", user("x")["payload"], None)))
    assert one.payload.time.source is TimeSource.FILE
    assert one.payload.time.assumed


def test_titles_are_left_out_with_a_reason() -> None:
    titles = SampleFile("session_index.jsonl", to_bytes({"id": FIRST, "thread_name": "Tides"}))
    assert items(titles) == [Skipped(0, "it names sessions, and holds nothing that anybody said")]
    head = FileHead(titles.path, titles.content, complete=True)
    assert PARSER.recognise(head) is Confidence.LIKELY


@pytest.mark.parametrize(
    ("content", "confidence"),
    [
        (to_bytes(meta()), Confidence.CERTAIN),
        (to_bytes(turn(), event("token_count")), Confidence.CERTAIN),
        (to_bytes(meta(base_instructions={"text": "x" * 90_000}))[:65_536], Confidence.CERTAIN),
        (to_bytes({"type": "user", "sessionId": "s", "message": {}}), Confidence.NONE),
        (to_bytes({"id": "42", "text": "a", "author": "owner"}), Confidence.NONE),
        (to_bytes({"type": "event_msg", "payload": []}), Confidence.NONE),
    ],
)
def test_sessions_are_recognised(content: bytes, confidence: Confidence) -> None:
    head = FileHead("r.jsonl", content, complete=len(content) < 65_536)
    assert PARSER.recognise(head) is confidence


def test_an_event_without_an_owner_is_rejected() -> None:
    (found,) = [one for one in items(to_file(user("x"))) if isinstance(one, RawEvent)]
    (reading,) = readings_of(PARSER, [found.model_copy(update={"owner": None})])
    assert reading.reject is not None
    assert reading.reject.code == "no_owner"


def test_the_sequence_is_that_of_the_file() -> None:
    found: list[Any] = [one.sequence for one in said(user("a"), event("token_count"), agent("b"))]
    assert found == [2, 4]
