"""Sessions of Claude Code, record by record."""

import hashlib
import json

import pytest
from cortex_insight.parser import Parsed, Reject
from cortex_insight.parsers.claude_code_jsonl import ClaudeCodeJsonlParser
from roxabi_contracts import (
    ActorKind,
    Artifact,
    Decision,
    Finding,
    Interaction,
    Origin,
    Statement,
)
from roxabi_contracts.payloads import DecisionStatus, Severity, SpeechAct

from .sessions import (
    CONTEXT,
    assistant,
    call,
    drafts_of,
    events_of,
    line,
    read,
    result,
    to_bytes,
    user,
)

PARSER = ClaudeCodeJsonlParser()


@pytest.mark.parametrize(
    "content",
    ["I live in Lyon", ["I live in Lyon"], [{"type": "text", "text": "I live in Lyon"}]],
)
def test_a_prompt_is_a_statement_of_the_owner(content: object) -> None:
    (draft,) = drafts_of(PARSER, [user(content, promptId="p-1", parentUuid="above")])
    assert isinstance(draft.payload, Statement)
    assert draft.payload.text == "I live in Lyon"
    assert draft.speaker == draft.subject == 0
    assert [actor.kind for actor in draft.actors] == [ActorKind.PERSON, ActorKind.AGENT]
    assert draft.topic == ("tidebook",)
    assert draft.correlation.trace_id == "s-1"
    assert draft.correlation.episode_id == "p-1"
    assert draft.correlation.parent_ref == "above#0"
    assert draft.correlation.attributes == {
        "cwd": "/home/mira/code/tidebook",
        "git_branch": "main",
        "version": "2.0.14",
    }


def test_the_agent_speaks_in_interactions_that_are_not_enriched() -> None:
    (draft,) = drafts_of(PARSER, [assistant({"type": "text", "text": "I use a fallback."})])
    assert isinstance(draft.payload, Interaction)
    assert draft.actors[0].kind is ActorKind.AGENT
    assert draft.speaker is None
    assert draft.actors[draft.subject].identifiers


def test_blocks_have_refs_of_their_own() -> None:
    record = assistant(
        {"type": "thinking", "thinking": "", "signature": "x"},
        {"type": "text", "text": "First."},
        {"type": "tool_use", "id": "t-1", "name": "Bash", "input": {"command": "make"}},
        uuid="u",
    )
    drafts = drafts_of(PARSER, [record])
    assert [draft.source_ref for draft in drafts] == ["u#1", "u#2"]
    assert drafts[1].payload.text == "Bash: make"


def test_a_result_knows_its_call_whichever_came_first() -> None:
    records = [call("Bash", {"command": "make"}, uuid="u"), result("ok")]
    for order in (records, records[::-1]):
        (finding,) = [d for d in drafts_of(PARSER, order) if isinstance(d.payload, Finding)]
        assert isinstance(finding.payload, Finding)
        assert finding.payload.tool == "Bash"
        assert finding.payload.outcome == "success"
        assert finding.actors[0].kind is ActorKind.TOOL
        assert finding.origin is Origin.SEMI_TRUSTED
        assert finding.correlation.parent_ref == "u#0"
        assert finding.correlation.attributes["call"] == "Bash: make"


def test_a_result_without_its_call_is_still_a_finding() -> None:
    (draft,) = drafts_of(
        PARSER, [result([{"type": "text", "text": "no such file"}], is_error=True)]
    )
    assert isinstance(draft.payload, Finding)
    assert draft.payload.tool is None
    assert draft.payload.outcome == "failure"
    assert draft.payload.severity is Severity.NEGATIVE


def test_the_output_stands_in_for_a_result_without_text() -> None:
    details = {"stdout": "12 passing", "stderr": "", "interrupted": False, "isImage": False}
    (draft,) = drafts_of(PARSER, [result(None, details)])
    assert draft.payload.text == "12 passing"


def test_several_results_of_one_line_do_not_share_its_details() -> None:
    blocks = [
        {"type": "tool_result", "tool_use_id": f"t-{number}", "content": f"out {number}"}
        for number in (1, 2)
    ]
    records = [
        call("Write", {"file_path": "/a", "content": "x"}, "t-1"),
        call("Bash", {"command": "ls"}, "t-2"),
        user(blocks, toolUseResult={"filePath": "/a", "type": "create", "structuredPatch": []}),
    ]
    said = [type(draft.payload).__name__ for draft in drafts_of(PARSER, records)]
    assert said == ["Interaction", "Interaction", "Artifact", "Finding"]


def test_written_files_are_artifacts() -> None:
    records = [
        call("Write", {"file_path": "/src/a.py", "content": "x = 1\n"}),
        result(
            "File created successfully",
            {"type": "create", "filePath": "/src/a.py", "content": "x = 1\n"},
        ),
    ]
    (draft,) = [d for d in drafts_of(PARSER, records) if isinstance(d.payload, Artifact)]
    assert isinstance(draft.payload, Artifact)
    assert draft.payload.uri == "/src/a.py"
    assert draft.payload.title == "a.py"
    assert draft.payload.action == "created"
    assert draft.payload.digest == f"sha256:{hashlib.sha256(b'x = 1' + bytes([10])).hexdigest()}"


def test_an_edit_modifies_and_a_failed_one_makes_nothing() -> None:
    edit = call("Edit", {"file_path": "/a", "old_string": "1", "new_string": "2"})
    done = result("updated", {"filePath": "/a", "oldString": "1", "originalFile": "1\n"})
    failed = result("String not found", "Error: String not found", is_error=True)
    (made,) = [d.payload for d in drafts_of(PARSER, [edit, done]) if "updated" in d.payload.text]
    assert isinstance(made, Artifact)
    assert made.action == "modified"
    payloads = [draft.payload for draft in drafts_of(PARSER, [edit, failed])]
    assert [type(payload) for payload in payloads] == [Interaction, Finding]


def test_a_pull_request_is_an_artifact() -> None:
    record = line("pr-link", uuid=None, prNumber=12, prUrl="https://x/pull/12", prRepository="m/t")
    (draft,) = drafts_of(PARSER, [record])
    assert isinstance(draft.payload, Artifact)
    assert (draft.payload.kind, draft.payload.title) == ("pull_request", "m/t#12")


@pytest.mark.parametrize(
    ("answer", "refused", "status"),
    [
        ("User has approved your plan.", None, DecisionStatus.ACCEPTED),
        ("The user doesn't want to proceed with this tool use.", True, DecisionStatus.REJECTED),
    ],
)
def test_a_plan_is_decided_by_the_owner(
    answer: str, refused: bool | None, status: DecisionStatus
) -> None:
    plan = call("ExitPlanMode", {"plan": "# Move to Postgres\n\n1. Schema"})
    (draft,) = [
        draft
        for draft in drafts_of(PARSER, [plan, result(answer, is_error=refused)])
        if isinstance(draft.payload, Decision)
    ]
    assert isinstance(draft.payload, Decision)
    assert draft.payload.decision == "Move to Postgres"
    assert draft.payload.status is status
    assert draft.payload.decided_by == draft.subject == 0
    assert draft.speaker is None


def test_an_answered_question_is_a_decision_with_its_alternatives() -> None:
    options = [{"label": "Postgres 16"}, {"label": "Postgres 17"}]
    questions = [{"question": "Which version?", "options": options}]
    details = {"questions": questions, "answers": {"Which version?": "Postgres 17"}}
    records = [call("AskUserQuestion", {"questions": questions}), result("answered", details)]
    (draft,) = [d for d in drafts_of(PARSER, records) if isinstance(d.payload, Decision)]
    assert isinstance(draft.payload, Decision)
    assert draft.payload.text == "Which version? Postgres 17"
    assert draft.payload.decision == "Postgres 17"
    assert draft.payload.alternatives == ("Postgres 16",)


@pytest.mark.parametrize(
    "text",
    [
        "<local-command-stdout>done</local-command-stdout>",
        "<local-command-stderr>bad</local-command-stderr>",
        "<local-command-caveat>x</local-command-caveat>",
        "<bash-stdout>ok</bash-stdout><bash-stderr></bash-stderr>",
        "<bash-stderr>bad</bash-stderr>",
        "<task-notification><task-id>1</task-id></task-notification>",
        '<teammate-message from="a">I live in Rome</teammate-message>',
        "<system-reminder>I live in Rome</system-reminder>",
        "<system-reminder>never closed, I live in Rome",
        "Caveat: The messages below were generated by the user",
        "[Request interrupted by user for tool use]",
        "Stop hook feedback:\nI live in Rome",
        "<ide_opened_file>The user opened a.py</ide_opened_file>",
        "<ide_selection>I live in Rome</ide_selection>",
        "<command-name>/clear</command-name><command-args></command-args>",
        "   ",
    ],
)
def test_what_the_program_wrote_is_no_speech(text: str) -> None:
    assert drafts_of(PARSER, [user(text)]) == []


def test_meta_records_are_no_speech() -> None:
    assert drafts_of(PARSER, [user("I live in Rome", isMeta=True)]) == []


def test_only_leading_envelopes_are_removed() -> None:
    text = (
        "<system-reminder>a</system-reminder>\n<ide_opened_file>b</ide_opened_file>\n"
        "What does <system-reminder>x</system-reminder> mean?"
    )
    (draft,) = drafts_of(PARSER, [user(text)])
    assert draft.payload.text == "What does <system-reminder>x</system-reminder> mean?"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "<command-message>review is running…</command-message>\n"
            "<command-name>/review</command-name>\n<command-args>the diff</command-args>",
            "/review the diff",
        ),
        ("<command-name>/init</command-name>", "/init"),
        ("<bash-input>make test</bash-input>", "! make test"),
    ],
)
def test_commands_are_typed_by_the_owner_and_no_prose(text: str, said: str) -> None:
    (draft,) = drafts_of(PARSER, [user(text)])
    assert isinstance(draft.payload, Statement)
    assert draft.payload.text == said
    assert draft.payload.speech_act is SpeechAct.INSTRUCTION
    assert draft.speaker is None


@pytest.mark.parametrize(
    "record",
    [
        user("Summary: the user lives in Rome", isCompactSummary=True),
        user([{"type": "text", "text": "Summary: I live in Rome"}], isCompactSummary=True),
        user("This session is being continued from a previous conversation. I live in Rome"),
        assistant({"type": "text", "text": "I live in Rome"}, isCompactSummary=True),
    ],
)
def test_a_compaction_summary_is_derived(record: dict[str, object]) -> None:
    (draft,) = drafts_of(PARSER, [record])
    assert isinstance(draft.payload, Interaction)
    assert draft.actors[0].kind is ActorKind.AGENT
    assert draft.speaker is None
    assert draft.payload.claims == ()
    assert draft.correlation.attributes["derived"] == "compaction"


@pytest.mark.parametrize("mark", [{"isSidechain": True}, {"agentId": "a1"}])
def test_nobody_speaks_to_a_sub_agent_but_an_agent(mark: dict[str, object]) -> None:
    (draft,) = drafts_of(PARSER, [user("I prefer spaces over tabs", **mark)])
    assert isinstance(draft.payload, Interaction)
    assert draft.actors[0].kind is ActorKind.AGENT
    assert draft.speaker is None


def test_what_is_typed_while_the_agent_works_is_a_statement() -> None:
    queued = {"type": "queued_command", "prompt": "I use pnpm", "commandMode": "prompt"}
    notice = {**queued, "commandMode": "task-notification"}
    listing = {"type": "skill_listing", "content": "I use npm"}
    records = [line("attachment", attachment=what) for what in (queued, notice, listing)]
    (draft,) = drafts_of(PARSER, records)
    assert isinstance(draft.payload, Statement)
    assert (draft.payload.text, draft.speaker) == ("I use pnpm", 0)


def test_api_errors_are_findings() -> None:
    failed = assistant({"type": "text", "text": "API Error: 529"}, isApiErrorMessage=True)
    retried = line("system", subtype="api_error", content="Connection reset")
    payloads = [draft.payload for draft in drafts_of(PARSER, [failed, retried])]
    assert [type(payload) for payload in payloads] == [Finding, Finding]
    assert {payload.severity for payload in payloads if isinstance(payload, Finding)} == {
        Severity.NEGATIVE
    }


@pytest.mark.parametrize(
    "record",
    [
        line("file-history-snapshot", snapshot={}),
        line("summary", summary="A title", leafUuid="x", uuid=None, timestamp=None),
        line("queue-operation", operation="remove", content=None, uuid=None),
        line("system", subtype="compact_boundary", content="Conversation compacted"),
        line("progress", data={"type": "hook_progress"}),
        line("workflow-status"),
        assistant(),
        user(None),
        line("user", message=None),
        line("assistant", message="broken"),
    ],
)
def test_known_records_that_say_nothing_are_silent(record: dict[str, object]) -> None:
    (parsed,) = read(PARSER, events_of(PARSER, to_bytes([record])))
    assert parsed == Parsed()


def test_unknown_types_are_counted_by_version_and_not_rejected() -> None:
    records = [
        line("hologram"),
        line("hologram", version="9.9.9"),
        {"no": "type"},
        assistant({"type": "dance"}, {"type": "text", "text": "Done."}),
    ]
    parsed = read(PARSER, events_of(PARSER, to_bytes(records)))
    unknown = [dict(one.unknown_types) for one in parsed if isinstance(one, Parsed)]
    assert unknown == [
        {"hologram@2.0.14": 1},
        {"hologram@9.9.9": 1},
        {"untyped@unknown": 1},
        {"block:dance@2.0.14": 1},
    ]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"null\n", "not_an_object"),
        (b'"text"\n', "not_an_object"),
        (b"3\n", "not_an_object"),
        (b"[]\n", "not_an_object"),
        (b'{"type":"user"}{"type":"user"}\n', "not_json"),
        (b'{"type":"user"\n', "not_json"),
        (b"\xff\xfe\n", "not_json"),
        (b'{"a":NaN}\n', "not_json"),
        (b'{"a":' + b"[" * 5_000 + b"]" * 5_000 + b"}\n", "not_json"),
    ],
)
def test_broken_lines_are_rejected_with_a_reason(content: bytes, code: str) -> None:
    good = to_bytes([user("I live in Lyon")])
    first, bad, last = read(PARSER, events_of(PARSER, good + content + to_bytes([user("Bye")])))
    assert isinstance(first, Parsed)
    assert isinstance(bad, Reject)
    assert bad.code == code
    assert isinstance(last, Parsed)


def test_an_event_without_an_owner_is_rejected() -> None:
    (event,) = events_of(PARSER, to_bytes([user("Hello")]))
    parsed = PARSER.parse(event.model_copy(update={"owner": None}), {}, CONTEXT)
    assert isinstance(parsed, Reject)
    assert parsed.code == "no_owner"


def test_copies_of_a_record_all_say_what_the_first_says() -> None:
    original = user("I live in Lyon", uuid="u", sessionId="s-1")
    resumed = {**original, "sessionId": "s-2", "sessionKind": "bg"}
    again = {**original, "slug": "appended-by-a-second-compaction"}
    for records in ([original, resumed, again], [again, resumed, original]):
        drafts = drafts_of(PARSER, records)
        assert len(drafts) == 3
        assert len({draft.source_ref for draft in drafts}) == 1
        assert {draft.correlation.trace_id for draft in drafts} == {"s-1"}
        assert all(draft == drafts[0] for draft in drafts)


def test_nul_and_lone_surrogates_do_not_reach_a_draft() -> None:
    record = json.dumps(user("I live\\u0000 in Ly\\ud83don")).replace("\\\\u", "\\u")
    (draft,) = [
        draft
        for parsed in read(PARSER, events_of(PARSER, record.encode() + b"\n"))
        if isinstance(parsed, Parsed)
        for draft in parsed.drafts
    ]
    assert draft.payload.text == "I live in Lyon"
    draft.payload.model_dump_json().encode()


def test_arguments_in_a_text_are_read() -> None:
    records = [call("Bash", json.dumps({"command": "make"})), result("ok")]
    finding = drafts_of(PARSER, records)[-1]
    assert finding.correlation.attributes["call"] == "Bash: make"
