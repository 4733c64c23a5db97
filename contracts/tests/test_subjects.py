"""Every subject, letter by letter, and every token that could smuggle."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roxabi_contracts import subjects
from roxabi_contracts.errors import InvalidToken, ReservedProject
from roxabi_contracts.subjects import InsightCommand, MemoryCommand, Query


def test_subjects_are_what_everybody_subscribed_to() -> None:
    assert subjects.events("mail", "p") == "roxabi.insight.events.publish.mail.p"
    assert subjects.EVENTS_ALL == "roxabi.insight.events.publish.>"
    assert subjects.events_of("p") == "roxabi.insight.events.publish.*.p"
    body = subjects.bodies("mail", "p", "0a9f")
    assert body == "roxabi.insight.bodies.publish.mail.p.0a9f"
    assert subjects.BODIES_ALL == "roxabi.insight.bodies.publish.>"
    assert subjects.EVENTS_REJECTED == "roxabi.insight.events.rejected"
    assert subjects.OBSERVATIONS == "roxabi.memory.observations.publish"
    assert subjects.OBSERVATIONS_PARTITIONED == "roxabi.memory.observations.publish.*.*"
    assert subjects.OBSERVATIONS_REJECTED == "roxabi.memory.observations.rejected"
    assert subjects.changes("p") == "roxabi.memory.changes.p"
    assert subjects.CHANGES_ALL == "roxabi.memory.changes.>"
    assert subjects.QUERIES_ALL == "roxabi.memory.query.>"
    assert subjects.MEMORY_COMMANDS_ALL == "roxabi.memory.command.>"
    assert subjects.INSIGHT_COMMANDS_ALL == "roxabi.insight.command.>"


def test_requests_are_named_by_what_and_project() -> None:
    assert subjects.query(Query.DEAD_LETTERS, "p") == "roxabi.memory.query.dead_letters.p"
    resolve = subjects.memory_command(MemoryCommand.RESOLVE, "p")
    assert resolve == "roxabi.memory.command.resolve.p"
    replay = subjects.insight_command(InsightCommand.REPLAY, "p")
    assert replay == "roxabi.insight.command.replay.p"


def test_what_can_be_asked_and_told_is_closed() -> None:
    asked = (
        "compiled conflicts context dead_letters entities facts goals predicates proposals stats"
        " trace"
    )
    told = "compile export feedback forget goal judge link propose resolve retain"

    assert asked == " ".join(sorted(Query))
    assert told == " ".join(sorted(MemoryCommand))
    assert " ".join(sorted(InsightCommand)) == "dead_letters forget replay sources"


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


def test_nothing_is_of_the_project_that_stands_for_none() -> None:
    name = subjects.UNASSIGNED
    with pytest.raises(ReservedProject, match="no project can be called 'unassigned'"):
        subjects.check_project(name)
    with pytest.raises(ReservedProject):
        subjects.events("mail", name)
    with pytest.raises(ReservedProject):
        subjects.event_tokens(f"roxabi.insight.events.publish.mail.{name}")
    assert subjects.query(Query.DEAD_LETTERS, name).endswith(name)


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
