"""Which messages may become events."""

import json

import pytest
from cortex_insight.admit import Admitted, admit
from cortex_insight.outbox import Receipt, dead_letter
from cortex_insight.parser import Reject
from roxabi_contracts import subjects

from tests.lines_source import RECEIVED, SOURCE, line_event, receipt

EVENT = line_event("hello")
SUBJECT = receipt(EVENT).subject


def changed(**fields: object) -> bytes:
    return json.dumps(json.loads(receipt(EVENT).data) | fields).encode()


def test_an_event_is_admitted_under_its_id() -> None:
    assert admit(receipt(EVENT)) == Admitted(receipt(EVENT), EVENT, EVENT.event_id)


def test_fields_of_a_later_version_of_this_contract_are_ignored() -> None:
    assert isinstance(admit(Receipt(SUBJECT, changed(novelty=1), RECEIVED)), Admitted)


@pytest.mark.parametrize(
    ("subject", "data", "code"),
    [
        (SUBJECT, b"", "undecodable"),
        (SUBJECT, b"\xff\xfe", "undecodable"),
        (SUBJECT, b"null", "undecodable"),
        (SUBJECT, b'{"a": NaN}', "undecodable"),
        (SUBJECT, changed(contract_version=2), "newer_version"),
        (SUBJECT, changed(source_ref="\0"), "invalid_request"),
        (SUBJECT, changed(attributes={"a": "\ud800"}), "undecodable"),
        (SUBJECT, b'{"a":' * 100 + b"1" + b"}" * 100, "invalid_request"),
        (SUBJECT, changed(project="a.>"), "invalid_request"),
        (SUBJECT, changed(project="other"), "project_mismatch"),
        (SUBJECT, changed(source="other"), "source_mismatch"),
        (SUBJECT + ".more", changed(), "invalid_subject"),
        ("elsewhere", changed(), "invalid_subject"),
        (SUBJECT.replace(".p", ".unassigned"), changed(project="unassigned"), "invalid_subject"),
    ],
)
def test_anything_else_is_rejected(subject: str, data: bytes, code: str) -> None:
    answer = admit(Receipt(subject, data, RECEIVED))
    assert isinstance(answer, Reject)
    assert answer.code == code


def test_a_dead_letter_is_the_same_however_often_the_message_comes() -> None:
    refused = Receipt(SUBJECT, b"\xff", RECEIVED)
    letters = [dead_letter(refused, Reject("undecodable", "no"), None) for _ in range(2)]
    assert letters[0] == letters[1]
    assert (letters[0].rejected.project, letters[0].rejected.source) == ("p", SOURCE)
    assert letters[0].data == b"\xff"


def test_a_dead_letter_tells_no_secret_and_no_project_that_is_none() -> None:
    letter = dead_letter(Receipt("x", b"", RECEIVED), Reject("a", "password=hunter2"), None)
    assert "hunter2" not in letter.rejected.reason
    assert letter.rejected.project is None


def test_a_stored_event_is_kept_once() -> None:
    letter = dead_letter(receipt(EVENT), Reject("unreadable", "no"), EVENT)
    assert letter.data is None
    assert letter.rejected.event_id == EVENT.event_id
    assert receipt(EVENT).subject == subjects.events(SOURCE, "p")
