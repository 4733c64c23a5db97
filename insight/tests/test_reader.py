"""A parser's fault costs one event; neighbours are handed over in a fixed order."""

from dataclasses import replace

import pytest
from cortex_insight.admit import Admitted, admit
from cortex_insight.interpret import Presence
from cortex_insight.parser import Reject
from cortex_insight.reader import NEIGHBOURS_PER_KEY, Reader, presence_of
from cortex_insight.reading import UNREAD, EventKey, Links, key_of, link_digest
from roxabi_contracts import RawEvent
from structlog.testing import capture_logs

from tests.lines_source import CONFIG, SOURCE, LinesParser, line_event, receipt

READER = Reader({SOURCE: CONFIG})


def admitted(text: str) -> Admitted:
    answer = admit(receipt(line_event(text)))
    assert isinstance(answer, Admitted)
    return answer


def test_keys_are_digests_of_one_length() -> None:
    links = READER.links(admitted("b after " + "a" * 5_000))
    assert links.provides == {link_digest("b")}
    assert links.needs == {link_digest("a" * 5_000): "a" * 5_000}
    assert {len(digest) for digest in [*links.provides, *links.needs]} == {16}


def test_a_reading_counts_what_it_found() -> None:
    reading = READER.read(admitted("an odd line"), Presence())
    assert reading.reject is None
    assert [said.payload.text for said in reading.observations] == ["an odd line"]
    assert len(reading.messages) == 1
    assert reading.unknown_types == {"oddity": 1}
    assert reading.summary.versions.parser == 3


def test_a_fault_is_named_and_its_detail_is_not() -> None:
    with capture_logs() as logs:
        reading = READER.read(admitted("! boom"), Presence())
    assert reading.reject == Reject("parser_failed", "the parser failed with KeyError")
    assert [entry["event"] for entry in logs] == ["parser_failed"]
    assert "secret" not in repr(logs)


def test_a_fault_at_the_keys_leaves_the_event_without_any() -> None:
    class Faulty(LinesParser):
        def needs(self, event: RawEvent) -> tuple[str, ...]:
            raise RecursionError

    reader = Reader({SOURCE: replace(CONFIG, parser=Faulty())})
    with capture_logs() as logs:
        assert reader.links(admitted("b after a")) == Links()
    assert logs[0]["fault"] == "RecursionError"


def test_a_source_that_nobody_reads_is_rejected() -> None:
    reading = Reader({}).read(admitted("hello"), Presence())
    assert reading.reject is not None
    assert reading.reject.code == "unknown_source"
    assert reading.summary.versions.parser == UNREAD


@pytest.mark.parametrize("count", [0, 1, NEIGHBOURS_PER_KEY, NEIGHBOURS_PER_KEY + 5])
def test_a_crowded_key_hands_over_the_first_and_counts_all(count: int) -> None:
    event = admitted("b after a")
    links = READER.links(event)
    providers = {number: admitted(f"a {number}") for number in range(count)}
    events = {key_of(item): item for item in providers.values()}
    ids = sorted(item.event_id for item in providers.values())
    found = {link_digest("a"): ids} if ids else {}
    presence = presence_of(key_of(event), links, found, events)
    assert presence.count == count
    handed = presence.events.get("a", ())
    expected = [events[EventKey("p", name)].event for name in ids[:NEIGHBOURS_PER_KEY]]
    assert [*handed] == expected
