"""Meetings that mails call, move, answer and cancel, as records that revise each other."""

from datetime import UTC, datetime
from itertools import permutations

import pytest
from roxabi_contracts import Artifact, Decision, Interaction, Origin
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.payloads import DecisionStatus

from .calendars import ADA, TEXT, calendar, claim, claims, invitation, part, stated, the_only
from .letters import emails, parts, said


def test_an_invitation_stands_beside_the_words_of_its_mail() -> None:
    words, meeting = said(invitation(calendar()))
    assert isinstance(words.payload, Interaction)
    assert words.payload.text == "Please come."
    assert isinstance(meeting.payload, Artifact)
    assert meeting.payload.text == (
        "Invitation: Budget review\n"
        "Start: 2026-03-10 10:00 +01:00 (Europe/Berlin)\n"
        "End: 2026-03-10 11:00 +01:00 (Europe/Berlin)\n"
        "Organiser: Tom Reed <tom@example.net>\n"
        "Guest: Ada Owner <owner@example.org>\n"
        "Guest: Zoë, K. <zoe@x.org> (accepted)"
    )
    assert (meeting.payload.kind, meeting.payload.action) == ("meeting", "created")
    assert emails(meeting) == ["tom@example.net", "owner@example.org", "zoe@x.org"]
    assert meeting.subject == 1


def test_only_what_is_stated_is_claimed() -> None:
    """Who was asked and has not answered takes part in nothing."""
    one = the_only(invitation(calendar(LOCATION="LOCATION:Room 4\\, 2nd floor")))
    assert claims(one) == {
        ("meeting_organiser", "tom@example.net"): "Tom Reed",
        ("meeting_time", "tom@example.net"): "2026-03-10 10:00 +01:00 (Europe/Berlin)",
        ("meeting_place", "tom@example.net"): "Room 4, 2nd floor",
        ("attends", "zoe@x.org"): "Budget review",
    }
    assert claim(one, "meeting_time").qualifiers == {"event": "Budget review"}
    valid = claim(one, "attends").valid
    assert valid is not None
    assert valid.valid_from is None
    assert valid.valid_until == datetime(2026, 3, 10, 10, tzinfo=UTC)


def test_a_meeting_is_told_when_it_was_entered_not_when_it_is() -> None:
    one = the_only(invitation(calendar()))
    assert one.timestamp == epoch_ms(datetime(2026, 3, 3, 8, tzinfo=UTC))


@pytest.mark.parametrize(
    ("answer", "status", "verb"),
    [
        ("ACCEPTED", DecisionStatus.ACCEPTED, "accepted"),
        ("declined", DecisionStatus.REJECTED, "declined"),
        ("TENTATIVE", DecisionStatus.PROPOSED, "tentatively accepted"),
    ],
)
def test_an_answer_is_the_guests_decision(answer: str, status: DecisionStatus, verb: str) -> None:
    zoe = f"ATTENDEE;CN=Zoe;PARTSTAT={answer}:mailto:zoe@x.org"
    one = the_only(invitation(calendar("REPLY", ATTENDEE=zoe), From="Zoe <zoe@x.org>"))
    assert isinstance(one.payload, Decision)
    assert one.payload.status is status
    assert one.payload.decided_by == 0
    assert one.payload.decision == f"Zoe <zoe@x.org> {verb}: Budget review"
    assert emails(one) == ["zoe@x.org", "tom@example.net", "owner@example.org"]
    came = {("attends", "zoe@x.org"): "Budget review"}
    assert claims(one) == (came if status is DecisionStatus.ACCEPTED else {})


def test_no_answer_is_no_decision() -> None:
    assert stated(invitation(calendar("REPLY", ATTENDEE=ADA), From="owner@example.org")) == []


def test_a_change_of_mind_revises_the_answer() -> None:
    def reply(answer: str, at: str, name: str) -> bytes:
        zoe = f"ATTENDEE;PARTSTAT={answer}:mailto:zoe@x.org"
        lines = {"ATTENDEE": zoe, "DTSTAMP": f"DTSTAMP:{at}"}
        return invitation(calendar("REPLY", **lines), From="zoe@x.org", Message_ID=name)

    came = the_only(reply("ACCEPTED", "20260303T070000Z", "<a@x.org>"))
    stays = the_only(reply("DECLINED", "20260303T080000Z", "<b@x.org>"))
    assert came.source_ref == stays.source_ref
    assert came.revision < stays.revision
    assert stays.payload.claims == ()


def test_an_update_revises_the_invitation_by_sequence_then_by_time() -> None:
    mails = [
        invitation(calendar(SEQUENCE=f"SEQUENCE:{sequence}", DTSTAMP=f"DTSTAMP:{at}"),
             Message_ID=f"<{sequence}{at}@x.org>")
        for sequence, at in ((0, "20260303T080000Z"), (0, "20260303T081000Z"),
                             (1, "20260303T070000Z"), (10, "20260303T060000Z"))
    ]  # fmt: skip
    found = [the_only(one) for one in mails]
    assert {one.source_ref for one in found} == {"calendar/tom@example.net/m-1"}
    assert [one.revision for one in found] == sorted({one.revision for one in found})
    assert {one.trace_id for one in (each.correlation for each in found)} == {"calendar/m-1"}
    for order in permutations(mails):
        assert {one.message_id for one in stated(*order)} == {one.message_id for one in found}


def test_a_cancelled_meeting_claims_nothing_any_more() -> None:
    lines = {"SEQUENCE": "SEQUENCE:1", "STATUS": "STATUS:CANCELLED"}
    called = invitation(calendar(), Message_ID="<a@x.org>")
    gone = invitation(calendar("CANCEL", **lines), Message_ID="<b@x.org>")
    first, last = the_only(called), the_only(gone)
    assert first.source_ref == last.source_ref
    assert first.revision < last.revision
    assert isinstance(last.payload, Artifact)
    assert last.payload.action == "deleted"
    assert last.payload.text.startswith("Cancelled: Budget review\n")
    assert last.payload.claims == ()


def test_who_is_asked_to_stay_away_is_told_of_no_cancellation() -> None:
    """The meeting takes place: without `STATUS:CANCELLED` only the invitation is taken back."""
    one = the_only(invitation(calendar("CANCEL")))
    assert one.payload.text.startswith("Invitation withdrawn: Budget review\n")


@pytest.mark.parametrize(
    "written", ["20260317T100000", "20260317T090000Z", "20260317T100000;TZID=Europe/Berlin"]
)
def test_an_instance_of_a_series_has_one_name(written: str) -> None:
    """However its time is written: without a zone it is in that of the meeting."""
    time, _, zone = written.partition(";")
    line = f"RECURRENCE-ID{';' + zone if zone else ''}:{time}"
    one = the_only(invitation(calendar(ID=line)))
    assert one.source_ref == "calendar/tom@example.net/m-1/2026-03-17T09:00:00+00:00"


def test_a_meeting_that_comes_twice_in_a_mail_is_one() -> None:
    attached = part(calendar(), 'application/ics; name="invite.ics"')
    doubled = parts("mixed", TEXT, part(calendar()), attached)
    words, meeting = said(doubled)
    assert isinstance(words.payload, Interaction)
    assert len(words.payload.attachments) == 2
    assert meeting.source_ref == "calendar/tom@example.net/m-1"


def test_of_two_that_differ_in_a_mail_the_first_stands() -> None:
    one = the_only(invitation(calendar(), calendar(LOCATION="LOCATION:Elsewhere")))
    assert "Elsewhere" not in one.payload.text


@pytest.mark.parametrize(
    "header",
    [
        {"From": "Eve <eve@evil.example>"},
        {"From": "Eve <eve@evil.example>", "Sender": "tom@example.net"},
        {"Authentication_Results": "mx; dmarc=fail"},
    ],
)
def test_nobody_but_its_organiser_revises_a_meeting(header: dict[str, str]) -> None:
    """What others send of it is a part of their mail, and trusted less."""
    own = the_only(invitation(calendar()))
    other = the_only(invitation(calendar(SEQUENCE="SEQUENCE:9"), **header))
    assert other.source_ref == "<one@example.net>/calendar/0"
    assert other.correlation.parent_ref == "<one@example.net>"
    assert own.origin is not other.origin
    assert other.origin in (Origin.THIRD_PARTY, Origin.UNTRUSTED)


@pytest.mark.parametrize(
    "lines", [{"UID": None}, {"DTSTAMP": None}, {"DTSTAMP": "DTSTAMP:20991231T000000Z"}]
)
def test_a_meeting_without_name_or_time_is_a_part_of_its_mail(
    lines: dict[str, str | None],
) -> None:
    one = the_only(invitation(calendar(**lines)))
    assert one.source_ref == "<one@example.net>/calendar/0"
    assert one.timestamp == epoch_ms(datetime(2026, 3, 3, 8, 30, tzinfo=UTC))
