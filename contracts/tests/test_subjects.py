"""Every subject, letter by letter, and every token that could smuggle."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roxabi_contracts import subjects
from roxabi_contracts.errors import InvalidToken
from roxabi_contracts.subjects import InsightCommand, MemoryCommand, Query


def test_subjects_are_what_everybody_subscribed_to() -> None:
    assert subjects.events("mail", "p") == "roxabi.insight.events.publish.mail.p"
    assert subjects.EVENTS_ALL == "roxabi.insight.events.publish.>"
    assert subjects.EVENTS_REJECTED == "roxabi.insight.events.rejected"
    assert subjects.OBSERVATIONS == "roxabi.memory.observations.publish"
    assert subjects.OBSERVATIONS_PARTITIONED == "roxabi.memory.observations.publish.*.*"
    assert subjects.OBSERVATIONS_REJECTED == "roxabi.memory.observations.rejected"
    assert subjects.changes("p") == "roxabi.memory.changes.p"
    assert subjects.CHANGES_ALL == "roxabi.memory.changes.>"
    assert subjects.QUERIES_ALL == "roxabi.memory.query.>"
    assert subjects.MEMORY_COMMANDS_ALL == "roxabi.memory.command.>"
    assert subjects.INSIGHT_COMMANDS_ALL == "roxabi.insight.command.>"


def test_requests_are_named_by_their_last_tokens() -> None:
    asked = {subjects.query(what, "p").removeprefix("roxabi.memory.query.") for what in Query}
    told = {
        subjects.memory_command(what, "p").removeprefix("roxabi.memory.command.")
        for what in MemoryCommand
    }
    lake = {
        subjects.insight_command(what, "p").removeprefix("roxabi.insight.command.")
        for what in InsightCommand
    }

    assert asked == {
        f"{what}.p"
        for what in [
            "context",
            "trace",
            "facts",
            "entities",
            "compiled",
            "conflicts",
            "goals",
            "proposals",
            "dead_letters",
            "stats",
        ]
    }
    assert told == {
        f"{what}.p"
        for what in [
            "retain",
            "resolve",
            "link",
            "forget",
            "feedback",
            "goal",
            "propose",
            "compile",
            "export",
        ]
    }
    assert lake == {f"{what}.p" for what in ["replay", "forget", "sources", "dead_letters"]}


@pytest.mark.parametrize("token", ["", "a.b", "*", ">", "a b", "-a", "a" * 65, "é", "a\n", "a\0"])
def test_a_token_cannot_smuggle(token: str) -> None:
    with pytest.raises(InvalidToken):
        subjects.events(token, "p")
    with pytest.raises(InvalidToken):
        subjects.events("s", token)
    with pytest.raises(InvalidToken):
        subjects.query(Query.CONTEXT, token)
    with pytest.raises(InvalidToken):
        subjects.changes(token)


@given(st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", fullmatch=True))
def test_a_subject_gives_its_tokens_back(token: str) -> None:
    assert (token, token) == subjects.event_tokens(subjects.events(token, token))
    assert token == subjects.project_token(subjects.query(Query.FACTS, token))


@pytest.mark.parametrize(
    "subject",
    ["roxabi.insight.events.publish.a", "roxabi.insight.events.publish.a.b.c", "other.a.b", ""],
)
def test_a_subject_of_another_form_names_no_event(subject: str) -> None:
    with pytest.raises(InvalidToken):
        subjects.event_tokens(subject)
