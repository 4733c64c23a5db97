"""Records of a Codex session: who speaks, what tools found, and what only the program says."""

import pytest
from cortex_insight.testing import ParserConformance
from cortex_insight.testing.samples import OWNER
from roxabi_contracts import (
    ActorKind,
    ActorRole,
    Finding,
    Interaction,
    Statement,
)
from roxabi_contracts.payloads import Attachment, Direction, SpeechAct, TimeSource

from .rollouts import (
    EARLY_TURN,
    FIRST,
    PARSER,
    SECOND,
    Fields,
    agent,
    call,
    completed,
    event,
    item,
    line,
    meta,
    only,
    result,
    said,
    said_in,
    texts,
    to_file,
    turn,
    unknown,
    user,
)


def test_what_a_person_types_is_the_owners_statement() -> None:
    one = only(user("I live in Porto"))
    assert isinstance(one.payload, Statement)
    assert one.payload.speech_act is SpeechAct.ASSERTION
    assert one.timestamp == 1_772_352_000_250
    assert one.payload.time.source is TimeSource.RECORD
    assert one.subject == 0
    assert [(who.kind, who.role, who.name) for who in one.actors] == [
        (ActorKind.PERSON, ActorRole.AUTHOR, OWNER.name),
        (ActorKind.AGENT, ActorRole.RECIPIENT, "Codex"),
    ]
    assert [str(key) for key in one.actors[1].identifiers] == ["slug:codex"]
    assert one.topic == ("tidebook", "main")
    assert one.correlation.trace_id == FIRST
    assert one.correlation.attributes == {
        "cwd": "/home/mira/tidebook",
        "git_branch": "main",
        "version": "0.120.0",
        "model": "gpt-5-codex",
    }


def test_what_the_agent_says_is_no_word_of_the_owner() -> None:
    prompt, answer = said(user("I live in Porto"), agent("Noted."))
    assert isinstance(answer.payload, Interaction)
    assert answer.payload.direction is Direction.INBOUND
    assert answer.actors[0].kind is ActorKind.AGENT
    assert answer.subject == 1
    assert answer.correlation.parent_ref == prompt.source_ref
    assert (prompt.sequence, answer.sequence) == (2, 3)


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context>\n<cwd>/x</cwd>\n</environment_context>",
        "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nAlways use tabs.\n</INSTRUCTIONS>",
        "<user_instructions>\nAlways use tabs.\n</user_instructions>",
        "<recommended_plugins>\nx\n</recommended_plugins>",
        '<hook_prompt hook_run_id="1">go on</hook_prompt>',
        "<turn_aborted>\nThe user interrupted\n</turn_aborted>",
        "<subagent_notification>\n{}\n</subagent_notification>",
        "<skill>\n<name>x</name>\n</skill>",
        "<user_action>\n<context>review</context>\n</user_action>",
        "<goal_context>\nx\n</goal_context>",
        "<permissions instructions>\nx\n</permissions instructions>",
    ],
)
def test_what_the_program_says_in_the_users_name_is_not_noted(text: str) -> None:
    assert texts(user(text)) == []
    assert texts(user(text, "I live in Porto")) == ["I live in Porto"]
    assert texts(user(f"What does {text} mean?")) != []


def test_developers_and_systems_are_no_persons() -> None:
    for role in ("developer", "system"):
        assert texts(item("message", role=role, content=[{"text": "Always use tabs."}])) == []
    assert texts(event("user_message", message="x", kind="environment_context")) == []


def test_the_request_is_taken_out_of_what_the_editor_adds() -> None:
    told = (
        "# Context from my IDE setup:\n\n## Active file: a.rs\n\n## My request for Codex:\nGo on\n"
    )
    assert texts(user(told)) == ["Go on"]
    assert texts(user("## My request for Codex:\nGo on")) == ["## My request for Codex:\nGo on"]


def test_a_command_of_the_user_is_no_prose() -> None:
    shell = "<user_shell_command>\n<command>\nmake test\n</command>\n<result>ok</result>"
    one = only(user(shell))
    assert isinstance(one.payload, Statement)
    assert one.payload.text == "! make test"
    assert one.payload.speech_act is SpeechAct.INSTRUCTION


@pytest.mark.parametrize(
    "records",
    [
        [user("Yes"), event("user_message", message="Yes")],
        [event("user_message", message="Yes"), user("Yes")],
        [user("Yes"), completed("UserMessage", "Yes")],
        [user("Yes"), completed("UserMessage", "Yes"), event("user_message", message="Yes \n")],
        [user("Yes"), user("<environment_context>x"), event("user_message", message="Yes")],
        [user("Yes"), turn(), event("user_message", message="Yes")],
        [event("user_message", message="Yes", kind="plain")],
        [completed("UserMessage", "Yes")],
    ],
)
def test_the_same_words_in_two_ways_are_said_once(records: list[Fields]) -> None:
    assert texts(*records) == ["Yes"]


@pytest.mark.parametrize(
    "records",
    [
        [agent("Ok"), event("agent_message", message="Ok")],
        [event("agent_message", message="Ok"), agent("Ok")],
        [completed("AgentMessage", "Ok"), agent("Ok"), event("task_complete", last="Ok")],
        [event("agent_message", message="Ok"), event("agent_reasoning", text="x"), agent("Ok")],
        [event("agent_message", message="Ok"), user("<turn_aborted>x"), agent("Ok")],
    ],
)
def test_the_same_answer_in_two_ways_is_given_once(records: list[Fields]) -> None:
    assert texts(*records) == ["Ok"]


def test_words_that_return_are_said_again() -> None:
    twice = [user("Yes"), event("user_message", message="Yes")] * 2
    assert texts(*twice) == ["Yes", "Yes"]
    assert texts(user("Yes"), agent("Ok"), event("user_message", message="Yes")) == [
        "Yes", "Ok", "Yes"
    ]  # fmt: skip
    assert texts(user("Yes"), user("Yes")) == ["Yes", "Yes"]


def test_pictures_come_along() -> None:
    content = [
        {"type": "input_text", "text": "<image name=[Image #1]>"},
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
        {"type": "input_text", "text": "</image>"},
        {"type": "input_text", "text": "Look"},
    ]
    one = only(item("message", role="user", content=content))
    assert isinstance(one.payload, Interaction)
    assert one.payload.text == "Look"
    assert one.payload.attachments == (Attachment(media_type="image/png"),)
    told = only(event("user_message", message="Look", images=["https://x.org/a.png"],
                      local_images=["/tmp/b.png"]))  # fmt: skip
    assert isinstance(told.payload, Interaction)
    assert told.payload.attachments == (
        Attachment(uri="https://x.org/a.png"),
        Attachment(name="b.png"),
    )


def test_a_summary_by_the_program_is_no_word_of_the_owner() -> None:
    one = only(line("compacted", {"message": "I live in Porto", "replacement_history": []}))
    assert isinstance(one.payload, Interaction)
    assert one.correlation.attributes["derived"] == "compaction"
    assert one.subject == 1


def test_an_error_is_a_failure() -> None:
    one = only(event("error", message="quota exceeded"))
    assert isinstance(one.payload, Finding)
    assert (one.payload.outcome, one.payload.text) == ("failure", "quota exceeded")


@pytest.mark.parametrize(
    "source",
    [
        {"source": {"subagent": {"thread_spawn": {"parent_thread_id": SECOND, "depth": 1}}}},
        {"source": {"subagent": "review"}, "parent_thread_id": SECOND},
        {"thread_source": "subagent", "parent_thread_id": SECOND},
    ],
)
def test_the_user_of_a_sub_agent_is_an_agent(source: Fields) -> None:
    found = said_in(to_file(meta(**source), user("I live in Rome"), agent("Done.")))
    assert [one.actors[0].kind for one in found] == [ActorKind.AGENT] * 2
    for one in found:
        assert isinstance(one.payload, Interaction)
        assert one.payload.direction is Direction.INTERNAL
        assert one.correlation.trace_id == SECOND
        assert one.correlation.attributes["session"] == FIRST


def test_a_turn_is_an_episode() -> None:
    found = said(turn(EARLY_TURN), user("a"), agent("b"))
    assert [one.correlation.episode_id for one in found] == [EARLY_TURN] * 2
    prompt, answer = said(user("a"), agent("b"))
    assert answer.correlation.episode_id == prompt.source_ref
    begun = said(event("task_started", turn_id=EARLY_TURN), user("a"))
    assert begun[0].correlation.episode_id == EARLY_TURN


@pytest.mark.parametrize(
    "record",
    [
        event("token_count", info={}),
        event("agent_reasoning", text="hm"),
        event("exec_command_end", call_id="c", stdout="x"),
        event("task_complete", last_agent_message="Ok"),
        item("reasoning", summary=[{"text": "hm"}], encrypted_content="x"),
        item("ghost_snapshot", ghost_commit={}),
        line("world_state", {"full": True}),
        event("item_completed", item={"type": "CommandExecution", "id": "i"}),
    ],
)
def test_steps_of_the_program_say_nothing(record: Fields) -> None:
    assert texts(record) == []
    assert unknown(record) == {}


def test_what_is_not_known_is_counted_by_version() -> None:
    assert unknown(
        event("dance"),
        item("hologram"),
        line("weather", {"type": "rain"}),
        event("item_completed", item={"type": "Dance"}),
        {"loose": 1},
    ) == {
        "event_msg:dance@0.120.0": 1,
        "response_item:hologram@0.120.0": 1,
        "weather@0.120.0": 1,
        "item_completed:dance@0.120.0": 1,
        "untyped@0.120.0": 1,
    }


class TestCodex(ParserConformance):
    parser = PARSER
    files = (
        to_file(
            meta(),
            turn(EARLY_TURN),
            user("<environment_context>x</environment_context>"),
            user("I live in Porto"),
            event("user_message", message="I live in Porto"),
            call("apply_patch", {"input": "*** Begin Patch\n*** Delete File: a\n*** End Patch"}),
            result("Success."),
            agent("Done."),
            event("thread_rolled_back", num_turns=0),
            line("compacted", {"message": "They live in Porto"}, None),
        ),
        to_file(
            meta(SECOND, forked_from_id=FIRST, timestamp="2026-03-02T08:00:00.000Z"),
            meta(),
            turn(EARLY_TURN),
            user("I live in Porto"),
            turn("later"),
            user("And in Rome"),
            path="2026/03/02/rollout-2.jsonl",
        ),
    )
