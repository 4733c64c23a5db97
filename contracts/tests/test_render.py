"""The rendering that packing counts."""

from datetime import UTC, datetime

from roxabi_contracts.context import ContextPacket, PacketEpisode, PacketFact
from roxabi_contracts.payloads import Category
from roxabi_contracts.render import (
    count_tokens,
    one_line,
    render_episode,
    render_fact,
    render_packet,
)

FACT = PacketFact(
    id="f",
    subject="s",
    about="a",
    about_name="Alice",
    predicate="lives_in",
    value={"value": "Paris"},
    confidence=0.9,
    valid_from=datetime(2024, 5, 1, tzinfo=UTC),
    last_confirmed=None,
    source_event_ids=("o",),
)
EPISODE = PacketEpisode(
    event_id="o",
    kind=Category.STATEMENT,
    occurred_at=datetime(2024, 5, 1, tzinfo=UTC),
    who="Alice",
    excerpt="I moved\nto Paris",
)


def test_a_fact_is_one_line() -> None:
    assert render_fact(FACT) == "- Alice: lives in: Paris (since 2024-05-01)"


def test_a_structured_value_and_its_notes_are_readable() -> None:
    fact = FACT.model_copy(
        update={
            "value": {"min": 3, "max": None},
            "qualifiers": {"domain": "tea"},
            "valid_until": datetime(2025, 1, 1, tzinfo=UTC),
            "stale": True,
        }
    )

    assert render_fact(fact) == (
        "- Alice: lives in: max null, min 3"
        " (domain tea, since 2024-05-01, until 2025-01-01, not confirmed lately)"
    )


def test_an_episode_is_one_line_even_if_its_text_is_not() -> None:
    assert render_episode(EPISODE) == "- [2024-05-01 Statement] Alice: I moved to Paris"


def test_an_empty_packet_is_the_empty_string() -> None:
    assert render_packet(ContextPacket(trace_id="t", warnings=("something",))) == ""


def test_a_packet_has_its_sections_and_warnings() -> None:
    packet = ContextPacket(trace_id="t", facts=(FACT,), episodes=(EPISODE,), warnings=("careful",))

    rendered = render_packet(packet)

    assert [section.splitlines()[0] for section in rendered.split("\n\n")] == [
        "Facts:",
        "Episodes:",
        "Warning: careful",
    ]


def test_a_text_costs_a_quarter_of_its_length() -> None:
    assert [count_tokens(text) for text in ("", "abc", "a" * 8, "a" * 100)] == [1, 1, 2, 25]


def test_what_others_wrote_cannot_steer_a_terminal() -> None:
    episode = EPISODE.model_copy(
        update={"excerpt": "red \x1b[31m\x9b, \u202eevil\u202c, \x07 👩‍🚀 é"}
    )
    assert render_episode(episode).endswith(": red [31m, evil, 👩‍🚀 é")
    assert one_line("a\x1b]0;title\x07\nb") == "a]0;title b"
