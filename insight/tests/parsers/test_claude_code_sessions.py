"""Sessions of Claude Code: answers in pieces, silent records between others, forks and titles."""

import itertools
from collections.abc import Sequence

import pytest
from cortex_insight.parser import Draft
from cortex_insight.parsers.claude_code_jsonl import ClaudeCodeJsonlParser
from hypothesis import given
from hypothesis import strategies as st
from roxabi_contracts import Artifact

from .sessions import assistant, call, drafts_of, events_of, line, result, to_bytes, user

PARSER = ClaudeCodeJsonlParser()
PROMPT = user("When is high tide?", uuid="p")


def answer(uuid: str, *blocks: object, second: int = 1, **fields: object) -> dict[str, object]:
    record = assistant(*blocks, **fields)
    record["message"] = {"role": "assistant", "id": "msg-1", "content": [*blocks]}
    return record | {"uuid": uuid, "timestamp": f"2026-03-10T08:00:0{second}.000Z", "promptId": "q"}


def text(said: str) -> dict[str, object]:
    return {"type": "text", "text": said}


def told(drafts: Sequence[Draft]) -> dict[str, str]:
    """What is said by its ref; the same of everyone who says it."""
    found: dict[str, Draft] = {}
    for draft in drafts:
        assert found.setdefault(draft.source_ref, draft) == draft
    return {ref: draft.payload.text for ref, draft in found.items()}


TOOL: dict[str, object] = {
    "type": "tool_use",
    "id": "t-1",
    "name": "Bash",
    "input": {"command": "make"},
}
GROWING = [
    answer("a", text("At six"), second=1),
    answer("b", text("At six, twenty"), second=2),
    answer("c", text("At six, twenty"), TOOL, second=3),
    answer("d", TOOL, second=4),
    answer("e", text("Bring boots"), second=5),
]


@given(st.permutations(GROWING))
def test_an_answer_that_grows_is_said_once_in_any_order(records: list[dict[str, object]]) -> None:
    assert told(drafts_of(PARSER, records)) == {
        "a#0": "At six, twenty",
        "c#1": "Bash: make",
        "e#0": "Bring boots",
    }


@given(st.lists(st.sampled_from(GROWING), min_size=1, unique_by=lambda one: str(one["uuid"])))
def test_every_part_of_an_answer_says_what_the_others_say(
    records: list[dict[str, object]],
) -> None:
    texts = list(told(drafts_of(PARSER, records)).values())
    assert len(texts) == len(set(texts))


def test_an_answer_has_the_ref_of_its_earliest_part() -> None:
    parts = [answer("z", text("At six"), second=1), answer("b", text("At six, twenty"), second=2)]
    assert told(drafts_of(PARSER, parts)) == {"z#0": "At six, twenty"}


def test_an_answer_that_was_heard_in_part_is_revised_under_its_ref() -> None:
    assert told(drafts_of(PARSER, GROWING[:1])) == {"a#0": "At six"}
    assert told(drafts_of(PARSER, GROWING[:2])) == {"a#0": "At six, twenty"}


def test_blocks_of_one_record_are_never_one() -> None:
    twice = answer("a", text("Yes"), text("Yes"))
    assert told(drafts_of(PARSER, [twice])) == {"a#0": "Yes", "a#1": "Yes"}
    grown = answer("b", text("Yes"), text("Yes, at six"), second=2)
    assert told(drafts_of(PARSER, [twice, grown])) == {"a#0": "Yes", "a#1": "Yes, at six"}


@pytest.mark.parametrize("field", ["requestId", "promptId"])
def test_answers_that_a_gateway_gives_one_id_are_said_apart(field: str) -> None:
    one = answer("a", text("Yes")) | {field: "r-1"}
    other = answer("b", text("Yes"), second=2) | {field: "r-2"}
    assert told(drafts_of(PARSER, [one, other])) == {"a#0": "Yes", "b#0": "Yes"}


def test_a_failed_call_is_no_part_of_an_answer() -> None:
    failed = [answer(uuid, text("API Error"), isApiErrorMessage=True) for uuid in "ab"]
    assert told(drafts_of(PARSER, failed)) == {"a#0": "API Error", "b#0": "API Error"}


@given(st.integers())
def test_a_result_follows_its_call_where_that_is_first_told(version: int) -> None:
    calls = [one | {"version": f"{version}"} for one in GROWING[2:4]]
    (found,) = [d for d in drafts_of(PARSER, [*calls, result("made")]) if d.payload.text == "made"]
    assert found.correlation.parent_ref == "c#1"


def test_a_record_follows_the_nearest_one_that_says_something() -> None:
    silent = [
        answer("t", {"type": "thinking", "thinking": "Hm"}, parentUuid="p"),
        line("progress", data={}, uuid="g", parentUuid="t"),
        line("system", subtype="turn_duration", uuid="s", parentUuid="g"),
        line("attachment", attachment={"type": "skill_listing"}, uuid="k", parentUuid="s"),
        user("<bash-stdout>x</bash-stdout>", uuid="o", parentUuid="k"),
    ]
    said = assistant(text("At six"), uuid="a", parentUuid="o")
    drafts = {draft.source_ref: draft for draft in drafts_of(PARSER, [PROMPT, *silent, said])}
    assert drafts["a#0"].correlation.parent_ref == "p#0"


@pytest.mark.parametrize(
    "above",
    [
        assistant({"type": "thinking", "thinking": "Hm"}, text("At six"), uuid="x"),
        call("Bash", {}, uuid="x"),
        line("attachment", attachment={"type": "queued_command", "prompt": "Hurry"}, uuid="x"),
        line("system", subtype="api_error", content="Overloaded", uuid="x"),
        user("This session is being continued from", uuid="x"),
        user("Look up the tide", uuid="x", isSidechain=True),
    ],
)
def test_what_says_something_is_followed(above: dict[str, object]) -> None:
    below = assistant(text("And at noon"), uuid="y", parentUuid="x")
    *_, parent, child = drafts_of(PARSER, [PROMPT, above, below])
    assert child.correlation.parent_ref == parent.source_ref


def test_below_a_silent_beginning_nothing_is_followed() -> None:
    start = line("system", subtype="informational", uuid="s")
    (draft,) = drafts_of(PARSER, [start, user("I live in Lyon", parentUuid="s")])
    assert draft.correlation.parent_ref is None
    (draft,) = drafts_of(PARSER, [user("I live in Lyon", parentUuid="elsewhere")])
    assert draft.correlation.parent_ref == "elsewhere#0"


def test_what_comes_after_a_grown_answer_follows_it_where_it_is_said() -> None:
    after = user("Thanks", uuid="u", parentUuid="b")
    drafts = drafts_of(PARSER, [*GROWING[:2], after])
    assert drafts[-1].correlation.parent_ref == "a#0"


def test_a_record_that_names_itself_or_one_below_ends_the_way() -> None:
    records = [
        line("progress", uuid="g", parentUuid="h"),
        line("progress", uuid="h", parentUuid="g"),
        line("progress", uuid="i", parentUuid="i"),
        user("I live in Lyon", uuid="u", parentUuid="i"),
        user("I sail", uuid="v", parentUuid="h"),
    ]
    refs = [draft.correlation.parent_ref for draft in drafts_of(PARSER, records)]
    assert refs == ["i#0", "h#0"]


def forked(record: dict[str, object], **fields: object) -> dict[str, object]:
    origin = {"sessionId": record["sessionId"], "messageUuid": record["uuid"]}
    return {**record, "sessionId": "a-fork", "forkedFrom": origin, **fields}


@pytest.mark.parametrize("uuid", ["p", "renamed"])
def test_what_a_fork_repeats_is_of_the_original_whatever_came_first(uuid: str) -> None:
    copy, own = forked(PROMPT, uuid=uuid), user("And low tide?", sessionId="a-fork", uuid="n")
    for records in itertools.permutations([PROMPT, copy]):
        drafts = [*drafts_of(PARSER, [*records, own | {"parentUuid": uuid}])]
        assert told(drafts) == {"p#0": "When is high tide?", "n#0": "And low tide?"}
        assert {draft.correlation.trace_id for draft in drafts} >= {"s-1"}


def test_a_fork_is_of_its_original_even_without_it() -> None:
    copy = forked(PROMPT, uuid="renamed")
    own = user("And low tide?", sessionId="a-fork", uuid="n", parentUuid="renamed")
    first, later = drafts_of(PARSER, [copy, own])
    assert (first.source_ref, first.correlation.trace_id) == ("p#0", "s-1")
    assert (later.correlation.parent_ref, later.correlation.trace_id) == ("p#0", "s-1")


def test_a_record_handed_to_the_background_is_of_the_session_that_it_came_from() -> None:
    original = user("I live in Lyon", uuid="u", sessionId="s-2")
    handed = {**original, "sessionId": "s-1", "sessionKind": "bg"}
    for records in itertools.permutations([original, handed]):
        drafts = drafts_of(PARSER, records)
        assert {draft.correlation.trace_id for draft in drafts} == {"s-2"}


def test_a_summary_is_the_title_of_the_session_of_its_leaf() -> None:
    summary = line("summary", summary="Tide tables", leafUuid="p", uuid=None, timestamp=None)
    summary["sessionId"] = "s-8"
    elsewhere = {"sessionId": "s-9", "timestamp": "2026-03-18T08:00:00.000Z"}
    for records in itertools.permutations([summary, PROMPT, user("I sail", **elsewhere)]):
        drafts = drafts_of(PARSER, [{**one} for one in records])
        (title,) = [one for one in drafts if isinstance(one.payload, Artifact)]
        assert isinstance(title.payload, Artifact)
        assert (title.payload.uri, title.payload.title) == ("claude-code:s-1", "Tide tables")
        (prompt,) = [one for one in drafts if one.source_ref == "p#0"]
        assert (title.timestamp, title.payload.time.assumed) == (prompt.timestamp, True)
        assert title.correlation.trace_id == "s-1"


def test_a_summary_whose_leaf_is_unknown_says_nothing() -> None:
    summary = line("summary", summary="Tide tables", leafUuid="q", uuid=None)
    assert told(drafts_of(PARSER, [summary, PROMPT])) == {"p#0": "When is high tide?"}
    (event,) = events_of(PARSER, to_bytes([summary]))
    assert PARSER.provides(event) == ()


REWOUND = [
    PROMPT,
    assistant(text("At six"), uuid="a", parentUuid="p"),
    user("I moved to Brest", uuid="l", parentUuid="a"),
    assistant(text("Noted"), uuid="m", parentUuid="l"),
    user("And in Lyon?", uuid="n", parentUuid="m"),
    user("I live in Nantes", uuid="k", parentUuid="a"),
    assistant(text("Good"), uuid="z", parentUuid="k"),
]
ROOTS = {"p#0", "a#0"}
OLDER, NEWER = {"l#0", "m#0", "n#0"}, {"k#0", "z#0"}


def leaf(uuid: str) -> dict[str, object]:
    return line("last-prompt", leafUuid=uuid, uuid=None, timestamp=None)


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        (["z"], ROOTS | NEWER),
        (["k"], ROOTS | NEWER),
        (["n"], ROOTS | OLDER),
        (["z", "n"], ROOTS | OLDER),
        (["n", "z"], ROOTS | NEWER),
        (["z", "elsewhere"], ROOTS | NEWER),
        (["z", "z", "n", "n", "z"], ROOTS | NEWER),
        (["elsewhere"], ROOTS | OLDER | NEWER),
        (["a"], ROOTS | OLDER | NEWER),
        ([], ROOTS | OLDER | NEWER),
    ],
)
def test_a_branch_that_was_left_says_nothing_where_the_session_tells_it(
    ends: list[str], said: set[str]
) -> None:
    drafts = drafts_of(PARSER, [*REWOUND, *map(leaf, ends)])
    assert {draft.source_ref for draft in drafts} == said


def test_only_what_changes_is_told_of_a_line() -> None:
    content = to_bytes([*REWOUND[:5], leaf("n"), *REWOUND[5:], leaf("z"), leaf("z")])
    told_of = [event.attributes for event in events_of(PARSER, content)]
    assert [one["left"] for one in told_of if "left" in one] == [["l", "n"]]


def test_copies_of_a_prompt_are_no_branches() -> None:
    prompt = user("I live in Lyon", uuid="u", parentUuid="p")
    drafts = drafts_of(PARSER, [prompt, prompt | {"sessionId": "s-2"}])
    assert [one.correlation.attributes.get("other_branch") for one in drafts] == [None, None]


def test_prompts_below_one_record_name_each_other() -> None:
    drafts = drafts_of(PARSER, REWOUND)
    named = {one.source_ref: one.correlation.attributes.get("other_branch") for one in drafts}
    assert {ref: other for ref, other in named.items() if other} == {"l#0": "k#0", "k#0": "l#0"}


def test_results_beside_further_calls_are_no_branches() -> None:
    records = [
        PROMPT,
        call("Bash", {}, "t-1", uuid="a", parentUuid="p"),
        call("Bash", {}, "t-2", uuid="b", parentUuid="a"),
        result("one", call_id="t-1") | {"uuid": "c", "parentUuid": "a"},
        result("two", call_id="t-2") | {"uuid": "d", "parentUuid": "b"},
        user("Thanks", uuid="e", parentUuid="d"),
    ]
    assert len(drafts_of(PARSER, [*records, leaf("e")])) == 6


def test_a_late_result_is_no_branch() -> None:
    records = [
        PROMPT,
        call("Bash", {}, "t-1", uuid="a", parentUuid="p"),
        assistant(text("Meanwhile"), uuid="b", parentUuid="a"),
        result("late", call_id="t-1") | {"uuid": "c", "parentUuid": "a", "promptId": "x"},
        user("Go on", uuid="e", parentUuid="b", promptId="y"),
    ]
    assert len(drafts_of(PARSER, [*records, leaf("e")])) == 5


def test_what_goes_on_under_the_same_prompt_is_not_left() -> None:
    records = [
        PROMPT,
        user("I live in Lyon", uuid="l", parentUuid="p", promptId="y"),
        user("I live in Nantes", uuid="k", parentUuid="p", promptId="y"),
    ]
    assert len(drafts_of(PARSER, [*records, leaf("k")])) == 3


def test_prompts_that_follow_each_other_in_a_circle_are_not_left() -> None:
    circle = [
        user("I sail", uuid="x", parentUuid="y"),
        user("I row", uuid="y", parentUuid="x"),
    ]
    drafts = drafts_of(PARSER, [*REWOUND, *circle, leaf("z")])
    assert {draft.source_ref for draft in drafts} == ROOTS | NEWER | {"x#0", "y#0"}
