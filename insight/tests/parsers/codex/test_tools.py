"""Tools that Codex calls: what they were asked for, what they found, and files they changed."""

import json

import pytest
from roxabi_contracts import (
    ActorKind,
    Artifact,
    Decision,
    Finding,
    Interaction,
    Origin,
)
from roxabi_contracts.payloads import DecisionStatus, Direction

from .rollouts import (
    SECOND,
    Fields,
    call,
    item,
    meta,
    only,
    result,
    said,
    said_in,
    texts,
    to_file,
)

PATCH = """*** Begin Patch
*** Add File: notes/tides.md
+# Tides
*** Update File: src/main.rs
@@
-fn main() {}
+fn main() { tides(); }
*** Update File: src/old.rs
*** Move to: src/new.rs
*** Delete File: src/gone.rs
*** End Patch"""
DONE = "Exit code: 0\nWall time: 0.1 seconds\nOutput:\nSuccess. Updated the following files:\nA x"


@pytest.mark.parametrize(
    ("record", "text"),
    [
        (call("shell", {"command": ["bash", "-lc", "make"]}), "shell: bash -lc make"),
        (call("exec_command", {"cmd": "ls"}), "exec_command: ls"),
        (item("custom_tool_call", name="grep", input="x y", call_id="c"), "grep: x y"),
        (item("local_shell_call", action={"command": ["ls", "-l"]}, call_id="c"),
         "local_shell: ls -l"),
        (item("web_search_call", action={"type": "search", "query": "tides"}), "web_search: tides"),
        (call("apply_patch", {"input": PATCH}),
         "apply_patch: notes/tides.md, src/main.rs, src/new.rs, src/gone.rs"),
        (call("wait", {}), "wait: {}"),
    ],
)  # fmt: skip
def test_a_call_tells_what_it_asks_for(record: Fields, text: str) -> None:
    one = only(record)
    assert one.payload.text == text
    assert isinstance(one.payload, Interaction)
    assert (one.payload.channel, one.payload.direction) == ("tool-call", Direction.INTERNAL)
    assert one.actors[0].kind is ActorKind.AGENT


@pytest.mark.parametrize(
    ("output", "text", "outcome"),
    [
        ("plain", "plain", None),
        (json.dumps({"output": "ok", "metadata": {"exit_code": 0}}), "ok", "success"),
        (json.dumps({"output": "no", "metadata": {"exit_code": 2}}), "no", "failure"),
        ("Exit code: 1\nWall time: 0 seconds\nOutput:\nno\nExit code: 0", "no\nExit code: 0",
         "failure"),
        ("Chunk ID: a\nWall time: 0 seconds\nProcess exited with code 0\nOutput:\nok", "ok",
         "success"),
        ({"content": "ok", "success": True}, "ok", "success"),
        ({"content": "no", "success": False}, "no", "failure"),
        ([{"type": "input_text", "text": "a"}, {"type": "input_image"}], "a", None),
        ("apply_patch verification failed: x", "apply_patch verification failed: x", "failure"),
        ("Wall time: 1 second\nOutput:\nExit code: 1",
         "Wall time: 1 second\nOutput:\nExit code: 1", None),
        ('{"exit": 1}', '{"exit": 1}', None),
    ],
)  # fmt: skip
def test_what_a_tool_answers_is_a_finding(output: object, text: str, outcome: str | None) -> None:
    asked, answer = said(call("shell", {"command": ["make"]}), result(output))
    assert isinstance(answer.payload, Finding)
    assert (answer.payload.text, answer.payload.outcome) == (text, outcome)
    assert answer.payload.tool == "shell"
    assert answer.correlation.parent_ref == asked.source_ref
    assert answer.actors[0].kind is ActorKind.TOOL
    assert answer.origin is Origin.SEMI_TRUSTED


def test_an_answer_without_its_call_and_one_without_words() -> None:
    one = only(result("late"))
    assert isinstance(one.payload, Finding)
    assert one.payload.tool is None
    assert texts(result("")) == []
    assert texts(result({"content": "", "success": False})) == [""]


def test_calls_of_other_sessions_are_not_meant() -> None:
    one = to_file(meta(), call("shell", {"command": ["a"]}))
    other = to_file(meta(SECOND), call("grep", {"query": "b"}), result("found"))
    found = [one for one in said_in(one, other) if isinstance(one.payload, Finding)]
    assert [isinstance(one.payload, Finding) and one.payload.tool for one in found] == ["grep"]


@pytest.mark.parametrize(
    "record",
    [
        call("apply_patch", {"input": PATCH}),
        call("shell", {"command": ["apply_patch", PATCH]}),
        call("shell", {"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{PATCH}\nEOF"]}),
        item("custom_tool_call", name="apply_patch", input=PATCH, call_id="call_1"),
    ],
)
def test_files_that_a_patch_changed_are_artifacts(record: Fields) -> None:
    _, *changed = said(record, result(DONE))
    told = [
        (one.payload.uri, one.payload.action, one.payload.title)
        for one in changed
        if isinstance(one.payload, Artifact)
    ]
    assert told == [
        ("/home/mira/tidebook/notes/tides.md", "created", "tides.md"),
        ("/home/mira/tidebook/src/main.rs", "modified", "main.rs"),
        ("/home/mira/tidebook/src/new.rs", "modified", "new.rs"),
        ("/home/mira/tidebook/src/gone.rs", "deleted", "gone.rs"),
    ]
    assert len({one.source_ref for one in changed}) == 4
    assert changed[0].payload.text == "*** Add File: notes/tides.md\n+# Tides"


def test_a_patch_that_failed_changed_nothing() -> None:
    _, one = said(call("apply_patch", {"input": PATCH}), result("apply_patch verification failed"))
    assert isinstance(one.payload, Finding)


def test_what_the_owner_chose_is_a_decision() -> None:
    options = [{"label": "Postgres"}, {"label": "SQLite"}]
    asked = call("request_user_input", {"questions": [
        {"id": "db", "question": "Which database?", "options": options},
        {"id": "none", "question": "And?"},
    ]})  # fmt: skip
    answers = json.dumps({"answers": {"db": {"answers": ["SQLite"]}, "none": {"answers": []}}})
    _, one = said(asked, result(answers))
    assert isinstance(one.payload, Decision)
    assert one.payload.text == "Which database? SQLite"
    assert (one.payload.decision, one.payload.status) == ("SQLite", DecisionStatus.ACCEPTED)
    assert one.payload.alternatives == ("Postgres",)
    assert (one.subject, one.payload.decided_by) == (0, 0)
    _, refused = said(asked, result("cancelled"))
    assert isinstance(refused.payload, Finding)
