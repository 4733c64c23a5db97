"""Files of exports as they are: broken by the program, cut short, very large."""

import json
from typing import Any

import pytest
from cortex_insight.event import FileContext
from cortex_insight.parsers.telegram import repair
from cortex_insight.parsers.telegram.repair import repaired
from cortex_insight.testing.samples import OWNER

from .chats import PARSER, chat, message, only, said, skipped, to_file


def test_control_bytes_are_read_as_they_were_meant() -> None:
    content = to_file(chat(message(text="a@b"))).replace(b"@", b"\\x0C")
    assert only(content).payload.text == "a\x0cb"
    kept = to_file(chat(message(text="a\\x0Cb")))
    assert only(kept).payload.text == "a\\x0Cb"


def test_half_a_character_is_no_reason_to_stop() -> None:
    content = to_file(chat(message(text="a@b"), message(2, "more")))
    assert [one.payload.text for one in said(content.replace(b"@", b"\\ud83d"))][1] == "more"
    assert [one.payload.text for one in said(content.replace(b"@", b"\xf0\x9f"))][1] == "more"


def test_a_line_without_end_is_repaired_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repair, "_HELD_AT_MOST", 16)
    written = "é\\\\x0C" * 50 + "\\x0C" * 50
    content = f'{{"text": "{written}"}}'.encode()
    for size in (1, 5, 7, 33):
        pieces = (content[start : start + size] for start in range(0, len(content), size))
        value = json.loads(b"".join(repaired(pieces)))
        assert value["text"] == "é\\x0C" * 50 + "\x0c" * 50


def test_ids_of_emoji_without_quotes_are_read() -> None:
    entity = {"type": "custom_emoji", "text": "🙂", "document_id": "@"}
    content = to_file(chat(message(text_entities=[entity])))
    assert (
        only(content.replace(b'"@"', b"(File not included. Change settings.)")).payload.text == "🙂"
    )
    assert only(content.replace(b'"@"', b"5368324170671202286")).payload.text == "🙂"


def test_of_a_text_that_comes_twice_the_one_that_says_something_counts() -> None:
    content = to_file(chat(message(text="A gift")))
    assert only(content.replace(b'"text": "A gift"', b'"text": "A gift", "text": ""'))
    twice = content.replace(b'"text": "A gift"', b'"text": "A gift", "text": ""')
    assert only(twice).payload.text == "A gift"


def test_what_comes_before_broken_text_is_read() -> None:
    content = to_file(chat(message(1, "one"), message(2, "two")))
    broken = content.replace(b'"two"', b'"t"w"o"')
    assert [one.payload.text for one in said(broken)] == ["one"]
    assert skipped(broken) == ["from here on the file is no JSON; what came before it was read"]
    assert skipped(content) == []


def test_what_waits_for_its_owner_is_read_even_if_the_file_ends_early() -> None:
    talk = [message(1, "one", from_id="user1"), message(2, "two", from_id="user1")]
    broken = to_file(chat(*talk, kind="personal_chat")).replace(b'"two"', b'"t"w"o"')
    assert [one.payload.text for one in said(broken)] == ["one"]


def test_an_export_is_read_as_it_streams() -> None:
    whole = to_file(chat(*(message(number, "x" * 500) for number in range(1, 400))))
    taken: list[int] = []

    def pieces() -> Any:
        for start in range(0, len(whole), 5000):
            taken.append(start)
            yield whole[start : start + 5000]

    events = PARSER.split(pieces(), FileContext("p", OWNER, "result.json", None))
    for _ in range(10):
        next(events)
    assert len(taken) < len(whole) / 5000 / 2
