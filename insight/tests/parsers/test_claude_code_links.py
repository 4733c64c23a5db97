"""Sessions of Claude Code: what is told in several places, and what lies beside a session."""

from dataclasses import replace

import pytest
from cortex_insight.event import FileHead, Skipped
from cortex_insight.parser import Confidence
from cortex_insight.parsers.claude_code_jsonl import ClaudeCodeJsonlParser
from roxabi_contracts import Artifact, Finding, Statement

from .sessions import FILE, call, drafts_of, line, result, user

PARSER = ClaudeCodeJsonlParser()


def test_the_queue_tells_what_no_attachment_does() -> None:
    said = {"content": "I use  pnpm"}
    told = line("queue-operation", operation="remove", uuid=None) | said
    (draft,) = drafts_of(PARSER, [told])
    assert isinstance(draft.payload, Statement)
    assert (draft.payload.text, draft.speaker) == ("I use  pnpm", 0)
    queued = {"type": "queued_command", "prompt": "I use pnpm", "commandMode": "prompt"}
    both = drafts_of(PARSER, [told, line("attachment", attachment=queued)])
    assert [draft.payload.text for draft in both] == ["I use pnpm"]
    elsewhere = line("attachment", attachment=queued, sessionId="s-2")
    assert len(drafts_of(PARSER, [told, elsewhere])) == 2
    waiting = line("queue-operation", operation="enqueue", uuid=None) | said
    assert drafts_of(PARSER, [waiting]) == []


@pytest.mark.parametrize("field", ["customTitle", "aiTitle"])
def test_a_session_has_a_title(field: str) -> None:
    kind = "custom-title" if field == "customTitle" else "ai-title"
    (draft,) = drafts_of(PARSER, [line(kind, uuid=None, timestamp=None, **{field: "Tide tables"})])
    assert isinstance(draft.payload, Artifact)
    assert (draft.payload.kind, draft.payload.title) == ("session", "Tide tables")
    assert draft.payload.uri == "claude-code:s-1"
    assert drafts_of(PARSER, [line(kind, uuid=None, **{field: " "})]) == []


def test_a_sub_agent_follows_the_result_of_the_call_that_started_it() -> None:
    spawn = result("Done.", {"agentId": "a-7"}, call_id="t-9")
    first = user("Look for tide tables", isSidechain=True, agentId="a-7")
    later = user("And more", isSidechain=True, agentId="a-7", parentUuid="other")
    drafts = {draft.payload.text: draft for draft in drafts_of(PARSER, [first, later, spawn])}
    found = drafts["Look for tide tables"].correlation
    assert found.parent_ref == f"{spawn['uuid']}#0"
    assert found.attributes["call_id"] == "t-9"
    assert drafts["And more"].correlation.parent_ref == "other#0"


def test_progress_names_the_call_of_a_sub_agent_that_still_works() -> None:
    sign = line(
        "progress", data={"type": "agent_progress", "agentId": "a-7"}, parentToolUseID="t-9"
    )
    first = user("Look for tide tables", isSidechain=True, agentId="a-7")
    (draft,) = drafts_of(PARSER, [first, sign])
    assert draft.correlation.attributes["call_id"] == "t-9"
    assert draft.correlation.parent_ref is None


def test_where_a_long_output_lies_is_noted_and_not_read() -> None:
    records = [call("Bash", {"command": "ls"}), result("cut", {"persistedOutputPath": "/tmp/x"})]
    (found,) = [d for d in drafts_of(PARSER, records) if isinstance(d.payload, Finding)]
    assert found.correlation.attributes["full_output"] == "/tmp/x"


@pytest.mark.parametrize(
    "path", ["s/subagents/agent-a1.meta.json", "s/subagents/workflows/wf_1/journal.jsonl"]
)
def test_what_lies_beside_sub_agents_is_left_out_with_a_reason(path: str) -> None:
    head = FileHead(path, b'{"agentType": "search", "toolUseId": "t-9"}', complete=True)
    assert PARSER.recognise(head) is Confidence.LIKELY
    context = replace(FILE, path=path)
    (skipped,) = PARSER.split([head.content], context)
    assert isinstance(skipped, Skipped)
