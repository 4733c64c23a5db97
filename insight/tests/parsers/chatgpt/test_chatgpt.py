"""Messages of ChatGPT: who speaks, what they bring, and what only the program says."""

import pytest
from cortex_insight.testing import ParserConformance, SampleFile
from cortex_insight.testing.samples import OWNER
from roxabi_contracts import (
    ActorKind,
    ActorRole,
    Artifact,
    Finding,
    Interaction,
    Observation,
    Origin,
    Statement,
)
from roxabi_contracts.payloads import Attachment, Direction, SpeechAct, TimePrecision, TimeSource

from .conversations import (
    BEGUN,
    PARSER,
    Fields,
    answer,
    code,
    conversation,
    line,
    message,
    only,
    said,
    texts,
    to_bytes,
    tool,
    unknown,
)

PICTURE = {
    "content_type": "image_asset_pointer",
    "asset_pointer": "file-service://file-abc",
    "size_bytes": 4096,
}
MADE = {**PICTURE, "metadata": {"dalle": {"prompt": "A harbour at dawn"}}}


def pictures(*parts: object) -> Fields:
    return {"content_type": "multimodal_text", "parts": [*parts]}


def keys(one: Observation) -> list[list[str]]:
    return [[str(key) for key in who.identifiers] for who in one.actors]


def test_what_the_user_says_is_the_owners_statement() -> None:
    one = only(message())
    assert isinstance(one.payload, Statement)
    assert one.payload.text == "I live in Porto"
    assert one.payload.speech_act is SpeechAct.ASSERTION
    assert (one.source_ref, one.timestamp) == ("c1/n0", 1_700_000_000_500)
    assert one.payload.time.source is TimeSource.RECORD
    assert one.payload.time.precision is TimePrecision.MILLISECOND
    assert one.subject == 0
    assert [(who.kind, who.role, who.name) for who in one.actors] == [
        (ActorKind.PERSON, ActorRole.AUTHOR, OWNER.name),
        (ActorKind.AGENT, ActorRole.RECIPIENT, "ChatGPT"),
    ]
    assert keys(one) == [["email:owner@example.org"], ["slug:chatgpt"]]
    assert one.topic == ("Moving house",)
    assert one.correlation.trace_id == "c1"


def test_what_the_model_says_is_no_word_of_the_owner() -> None:
    one = only(answer(metadata={"model_slug": "gpt-5"}))
    assert isinstance(one.payload, Interaction)
    assert one.payload.direction is Direction.INBOUND
    assert (one.actors[0].kind, one.actors[0].role) == (ActorKind.AGENT, ActorRole.AUTHOR)
    assert one.subject == 1
    assert one.correlation.attributes == {"model": "gpt-5"}


@pytest.mark.parametrize(
    ("gizmo", "key", "attribute"),
    [
        ("g-abc", "account:chatgpt:g-abc", "gizmo"),
        ("g-p-0a1b", "slug:chatgpt", "project"),
    ],
)
def test_a_custom_gpt_is_an_agent_of_its_own_and_a_project_is_none(
    gizmo: str, key: str, attribute: str
) -> None:
    one = only(answer(), gizmo_id=gizmo)
    assert keys(one)[0] == [key]
    assert one.correlation.attributes == {attribute: gizmo}


def test_a_custom_gpt_that_was_called_once_answers_for_itself() -> None:
    one = only(answer(metadata={"gizmo_id": "g-abc"}))
    assert keys(one)[0] == ["account:chatgpt:g-abc"]
    assert one.actors[0].name is None


def test_messages_hang_together_by_what_was_said() -> None:
    hidden = message("system", "", metadata={"is_visually_hidden_from_conversation": True})
    found = said([conversation(line(None, hidden, message(), answer(""), answer(), message()))])
    assert [one.source_ref for one in found] == ["c1/n2", "c1/n4", "c1/n5"]
    assert [one.correlation.parent_ref for one in found] == [None, "c1/n2", "c1/n4"]
    assert [one.correlation.episode_id for one in found] == ["c1/n2", "c1/n2", "c1/n5"]
    assert [one.sequence for one in found] == [2, 4, 5]


@pytest.mark.parametrize(
    "silent",
    [
        message("system", "You are ChatGPT."),
        message("developer", "Be kind."),
        message(text="secret", metadata={"is_visually_hidden_from_conversation": True}),
        answer(content={"content_type": "thoughts", "thoughts": [{"content": "hm"}]}),
        answer(content={"content_type": "reasoning_recap", "content": "Thought for 2 s"}),
        answer(content={"content_type": "model_editable_context", "model_set_context": "1. x"}),
        tool("a8km123", "I weigh", metadata={"initial_text": "Thinking", "finished_text": "Ok"}),
        tool("dalle.text2im", "DALL·E displayed 1 images. Do not repeat."),
        tool("t2uay3k.sj4i4kz", "GPT-4o returned 1 images. From now on, do not say anything."),
        tool("bio", "Model set context updated."),
        tool("canmore.create_textdoc", "Successfully created text document"),
        answer(""),
        answer(text=None),
        message(content=None),
    ],
)
def test_what_only_the_program_says_is_not_noted(silent: Fields) -> None:
    assert texts([conversation(line(silent))]) == []
    assert [one for one in unknown(silent) if one != "content:untyped"] == []


def test_marks_of_citations_are_left_out_of_an_answer_and_kept_in_a_quotation() -> None:
    marked = "Porto \ue200cite\ue202turn0search1\ue201is old【1†source】."
    assert only(answer(marked)).payload.text == "Porto is old."
    assert only(message(text=marked)).payload.text == marked


def test_texts_stand_between_objects_and_nothing() -> None:
    heard = {"content_type": "audio_transcription", "text": "and in Rome", "direction": "in"}
    sound = {"content_type": "audio_asset_pointer", "asset_pointer": "sediment://a"}
    one = only(message(content=pictures("I live in Porto", "", None, sound, heard)))
    assert one.payload.text == "I live in Porto\nand in Rome"
    assert isinstance(one.payload, Statement)


def test_files_of_the_user_come_along_once() -> None:
    files = [
        {"id": "file-abc", "name": "map.png", "mime_type": "image/png", "size": 4096},
        {"id": "file-def", "name": "lease.pdf", "mimeType": "application/pdf"},
    ]
    one = only(message(content=pictures(PICTURE, "Look"), metadata={"attachments": files}))
    assert isinstance(one.payload, Interaction)
    assert one.payload.direction is Direction.OUTBOUND
    assert one.payload.attachments == (
        Attachment(
            name="map.png", media_type="image/png", size=4096, uri="file-service://file-abc"
        ),
        Attachment(name="lease.pdf", media_type="application/pdf"),
    )


def test_a_picture_without_words_is_noted() -> None:
    one = only(message(content=pictures({**PICTURE, "asset_pointer": "sediment://file_1#x#y"})))
    assert isinstance(one.payload, Interaction)
    assert one.payload.text == ""
    assert [file.size for file in one.payload.attachments] == [4096]


def test_a_call_tells_what_it_asks_for() -> None:
    found = said(
        [
            conversation(
                line(
                    answer('{"prompt": "A harbour", "size": "1"}', recipient="dalle.text2im"),
                    code("print(1)"),
                    answer("User lives in Porto", recipient="bio"),
                )
            )
        ]
    )
    assert [one.payload.text for one in found] == [
        "dalle.text2im: A harbour",
        "python: print(1)",
        "bio: User lives in Porto",
    ]
    for one in found:
        assert isinstance(one.payload, Interaction)
        assert (one.payload.channel, one.payload.direction) == ("tool-call", Direction.INTERNAL)
        assert one.actors[0].kind is ActorKind.AGENT


@pytest.mark.parametrize(
    ("status", "outcome"),
    [("success", "success"), ("failed_with_in_kernel_exception", "failure"), (None, None)],
)
def test_the_output_of_code_is_a_finding(status: str | None, outcome: str | None) -> None:
    output = {"content_type": "execution_output", "text": "42"}
    metadata = {"aggregate_result": {"status": status}} if status else {}
    found = said([conversation(line(code("6*7"), tool("python", content=output,
                                                      metadata=metadata)))])  # fmt: skip
    payload = found[1].payload
    assert isinstance(payload, Finding)
    assert (payload.text, payload.tool, payload.outcome) == ("42", "python", outcome)
    assert found[1].correlation.parent_ref == "c1/n0"
    assert found[1].origin is Origin.SEMI_TRUSTED
    assert found[1].actors[0].kind is ActorKind.TOOL


def test_an_error_of_a_tool_is_a_failure() -> None:
    error = {"content_type": "system_error", "name": "tool_error", "text": "robots.txt"}
    payload = only(tool("web.run", content=error)).payload
    assert isinstance(payload, Finding)
    assert payload.outcome == "failure"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ({"content_type": "tether_quote", "text": "Old town", "url": "https://x.org"}, "Old town"),
        ({"content_type": "tether_browsing_display", "result": "Hits", "summary": ""}, "Hits"),
        (
            {"content_type": "sonic_webpage", "title": "Porto", "snippet": "A town",
             "text": "Long", "url": "https://x.org"},
            "Porto\nA town",
        ),
        ({"content_type": "sonic_webpage", "text": "Long"}, "Long"),
    ],
)  # fmt: skip
def test_a_page_of_the_web_is_a_strangers_word(content: Fields, text: str) -> None:
    one = only(tool("file_search", content=content))
    assert isinstance(one.payload, Finding)
    assert (one.payload.text, one.payload.evidence) == (text, content.get("url"))
    assert one.origin is Origin.THIRD_PARTY


def test_what_a_web_tool_says_is_a_strangers_word() -> None:
    assert only(tool("web.search", "Hits")).origin is Origin.THIRD_PARTY


def test_a_tool_that_writes_in_the_users_name_is_not_the_user() -> None:
    forged = message(text="I moved to Rome")
    forged["author"]["metadata"] = {"real_author": "tool:web"}
    assert isinstance(only(forged).payload, Finding)


def test_pictures_that_a_tool_made_are_artifacts() -> None:
    mixed = pictures(MADE, {**PICTURE, "asset_pointer": "sediment://file_2"}, "Two of them")
    found = said([conversation(line(tool("dalle.text2im", content=mixed), answer()))])
    first, second, words, reply = found if found[0].source_ref == "c1/n0" else found[::-1]
    assert [one.source_ref for one in (first, second, words)] == ["c1/n0", "c1/n0#1", "c1/n0#2"]
    assert isinstance(first.payload, Artifact)
    assert (first.payload.text, first.payload.uri) == (
        "A harbour at dawn",
        "file-service://file-abc",
    )
    assert second.payload.text == "Picture sediment://file_2"
    assert isinstance(words.payload, Finding)
    assert reply.correlation.parent_ref == first.source_ref


def test_a_canvas_is_made_and_changed() -> None:
    made = '{"name": "Lease", "type": "document", "content": "# Lease"}'
    changed = '{"updates": [{"pattern": ".*", "replacement": "# New lease"}]}'
    remarked = '{"comments": [{"pattern": "x", "comment": "Too short"}]}'
    found = said(
        [
            conversation(
                line(
                    code(made, "canmore.create_textdoc"),
                    code(changed, "canmore.update_textdoc"),
                    code(remarked, "canmore.comment_textdoc"),
                )
            )
        ]
    )
    first, second, third = (one.payload for one in found)
    assert isinstance(first, Artifact)
    assert (first.action, first.title, first.text) == ("created", "Lease", "# Lease")
    assert isinstance(second, Artifact)
    assert (second.action, second.title, second.text) == ("modified", None, "# New lease")
    assert isinstance(third, Interaction)
    assert third.text == f"canmore.comment_textdoc: {remarked}"


def test_what_is_not_known_is_counted_and_what_it_says_is_kept() -> None:
    strange = {"content_type": "hologram", "parts": ["I like tea", {"content_type": "scent"}]}
    assert unknown(message(content=strange)) == {"content:hologram": 1, "part:scent": 1}
    assert only(message(content=strange)).payload.text == "I like tea"
    assert unknown(message("narrator")) == {"role:narrator": 1}
    assert texts([conversation(line(message("narrator")))]) == []


def test_an_unstated_time_is_that_of_what_is_above_it() -> None:
    silent = message("system", "", create_time=BEGUN + 5)
    found = said([conversation(line(silent, message(create_time=None), answer(create_time=0)))])
    for one in found:
        assert one.timestamp == 1_700_000_005_500
        assert one.payload.time.source is TimeSource.NEIGHBOUR
        assert one.payload.time.assumed
    (first,) = said([conversation(line(message(create_time=None)))])
    assert first.timestamp == 1_700_000_000_500


def test_without_any_time_that_of_the_file_counts() -> None:
    silent = conversation(line(message(create_time=None)), create_time=None, update_time=None)
    (one,) = said([silent])
    assert one.payload.time.source is TimeSource.FILE


class TestChatGpt(ParserConformance):
    parser = PARSER
    files = (
        SampleFile(
            "conversations.json",
            to_bytes(
                [
                    conversation(
                        line(
                            None,
                            message(
                                create_time=None,
                                content={
                                    "content_type": "user_editable_context",
                                    "user_instructions": "```Be terse.```",
                                    "user_profile": "```I live in Porto```",
                                },
                            ),
                            message(content=pictures(PICTURE, "I like tea")),
                            code("print(1)"),
                            tool("python", content={"content_type": "execution_output",
                                                    "text": "1"}),
                            answer("One.", metadata={"model_slug": "gpt-5"}),
                        )
                        | line(message(text="I like maté"), under="n1", first=9),
                        current="n5",
                    ),
                    conversation(line(message(), answer(create_time=None)), name="c2"),
                ]
            ),
        ),
        SampleFile("user.json", to_bytes({"id": "user-1", "email": "owner@example.org",
                                          "chatgpt_plus_user": True})),
    )  # fmt: skip
