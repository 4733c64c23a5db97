"""A transcript says who said what and when, in the turns that a listener would have heard."""

from datetime import UTC, datetime

import pytest
from cortex_insight.event import FileContext, FileHead
from cortex_insight.parser import Confidence
from cortex_insight.testing import ParserConformance, SampleFile, readings_of
from cortex_insight.testing.samples import MODIFIED, OWNER
from roxabi_contracts import ActorKind, ActorRole, Artifact, RawEvent
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.payloads import TimePrecision, TimeSource

from .meetings import NAMED, PARSER, at, meeting, read, said, skipped, speakers, turns, vtt

TEAMS = vtt(
    ("0:0:0.0 --> 0:0:0.570", "<v Ada Byron>There you go.</v>"),
    ("0:0:0.210 --> 0:0:1.130", "<v Tom Reed>Why, hello there.</v>"),
)
ZOOM = vtt(
    (f"1\n{at(1, 3)}", "Ada Byron: Good morning."),
    (f"2\n{at(3.5, 6)}", "Ada Byron: I live in Porto."),
    (f"3\n{at(7, 8)}", "Tom Reed (Marea): Fine."),
)
SRT = "1\r\n00:00:01,000 --> 00:00:02,500\r\nTOM: Caf\xe9?\r\n\r\n00:00:03,000 --> 00:00:04,000\r\n"


class TestTranscript(ParserConformance):
    parser = PARSER
    files = (
        SampleFile("call/2026-03-03 09.30 Planning.vtt", ZOOM.encode()),
        SampleFile("teams.vtt", TEAMS.encode()),
        SampleFile("old.srt", (SRT + "ADA: Oui.\r\n").encode("latin-1")),
        SampleFile(
            "rolling.vtt",
            vtt(
                (at(1, 2), "we<00:00:01.500><c> meet</c>"),
                (at(2, 3), "we meet\nin<00:00:02.500><c> Porto</c>"),
                (at(3, 4), "in Porto\n[Music]"),
                header="WEBVTT - A talk\n\nNOTE Recorded 2026-03-03T09:30Z\n\nSTYLE\n::cue {}",
            ).encode(),
        ),
    )


@pytest.mark.parametrize(
    ("content", "path", "sure"),
    [
        ("\ufeffWEBVTT", "x", Confidence.CERTAIN),
        ("WEBVTT - a title\n", "x", Confidence.CERTAIN),
        ("1\r\n00:00:01,000 --> 00:00:02,000\r\nHi", "x", Confidence.CERTAIN),
        ("00:01.000 --> 00:02.000\nHi", "x", Confidence.CERTAIN),
        ("WEBVTTS are fun", "x", Confidence.NONE),
        ("a --> b", "notes.md", Confidence.NONE),
        ("nothing", "x.vtt", Confidence.NONE),
    ],
)
def test_it_is_known_by_its_beginning(content: str, path: str, sure: Confidence) -> None:
    assert PARSER.recognise(FileHead(path, content.encode(), complete=True)) is sure
    assert PARSER.recognise(FileHead(path, content.encode("utf-16"), complete=True)) is sure


def test_a_voice_tag_names_who_speaks() -> None:
    assert said(TEAMS) == [("Ada Byron", "There you go."), ("Tom Reed", "Why, hello there.")]
    two = vtt((at(1, 3), "<v.loud Ada>Open,\nand <b>bold</b>.\n<v Tom &amp; Co>2 < 3 &gt; 1"))
    assert said(two) == [("Ada", "Open, and bold."), ("Tom & Co", "2 < 3 > 1")]


def test_a_name_before_a_colon_names_who_speaks_and_neighbours_are_one_turn() -> None:
    assert said(ZOOM) == [
        ("Ada Byron", "Good morning. I live in Porto."),
        ("Tom Reed", "Fine."),
    ]
    assert speakers(ZOOM) == [0, 0, None]


@pytest.mark.parametrize(
    "words",
    [
        "10:30 Meeting: the plan is 3 --> 4",
        "Remember: never give up",
        "see https://example.org/a: it helps",
        "one more thing: we ship",
    ],
)
def test_what_is_no_name_stays_in_the_words(words: str) -> None:
    assert said(vtt((at(1, 2), words))) == [(None, words)]
    among = vtt((at(1, 2), "Ada: Hi"), (at(2, 3), f"Ada: {words}"), (at(3, 4), words))
    assert said(among) == [("Ada", f"Hi {words} {words}")]


def test_a_single_colon_in_prose_is_nobody() -> None:
    prose = [(at(n, n + 1), f"word {n}") for n in range(8)]
    assert said(vtt(*prose, (at(8, 9), "Kindness: pass it on")))[0][0] is None
    marked = [(at(10, 11), "ANNA: one"), (at(14, 15), "TOM: two"), (at(18, 19), "ANNA: three"),
              (at(22, 23), "TOM: four"), (at(26, 27), "Kindness: pass it on")]  # fmt: skip
    assert [name for name, _ in said(vtt(*prose, *marked))] == [
        None, "ANNA", "TOM", "ANNA", "TOM", None,
    ]  # fmt: skip


def test_names_on_lines_of_their_own_and_dashes_part_voices() -> None:
    alone = vtt(
        (at(1, 2), "(Ada Byron)\nBackground?\n-\n(Tom Reed)\nNone."), (at(3, 4), "(Ada Byron)\nOk.")
    )
    assert said(alone) == [
        ("Ada Byron", "Background?"),
        ("Tom Reed", "None."),
        ("Ada Byron", "Ok."),
    ]
    dashed = vtt((at(1, 2), "- Have some tea.\n- It is cold."), (at(2, 3), ">> And this?"))
    assert said(dashed) == [(None, "Have some tea."), (None, "It is cold."), (None, "And this?")]


def test_a_numbered_voice_is_nobody_in_particular() -> None:
    (first, second) = turns(
        vtt((at(1, 2), "SPEAKER_00: I live in Porto."), (at(2, 3), "[SPEAKER_01]: No."))
    )
    assert (first.actors[0].name, first.payload.claims) == (None, ())
    assert first.correlation.attributes == {"voice": "SPEAKER_00"}
    assert second.correlation.attributes == {"voice": "SPEAKER_01"}


def test_you_are_the_owner_and_a_machine_is_no_person() -> None:
    content = vtt(
        (at(1, 2), "<v You>I live in Porto."),
        (at(2, 3), "<v Fireflies Notetaker>Recording."),
        (at(3, 4), "<v Conference Room 2>Hello."),
    )
    own, bot, room = turns(content)
    assert speakers(content) == [0, None, None, None]
    assert own.actors[own.subject].identifiers == OWNER.identifiers
    assert own.subject == 0
    assert bot.actors[0].kind is ActorKind.BOT
    assert room.actors[0].kind is ActorKind.GROUP


def test_all_who_spoke_are_there_in_every_turn() -> None:
    for one in turns(ZOOM):
        other = {"Ada Byron": "Tom Reed", "Tom Reed": "Ada Byron"}[one.actors[0].name or ""]
        assert [(who.name, who.role) for who in one.actors[1:]] == [
            (other, ActorRole.PARTICIPANT),
            (OWNER.name, ActorRole.OWNER),
        ]
        assert all(not who.identifiers for who in one.actors[:2])
    of = meeting(ZOOM)
    assert isinstance(of.payload, Artifact)
    assert of.payload.text == "Weekly Sync\nSpeakers: Ada Byron, Tom Reed"
    assert {one.correlation.trace_id for one in read(ZOOM)} == {of.correlation.trace_id}


def test_a_silence_ends_a_turn_and_a_long_one_ends_with_a_sentence() -> None:
    parted = vtt((at(1, 2), "<v Ada>One"), (at(4, 5), "<v Ada>two."), (at(7.1, 8), "<v Ada>Three."))
    assert [text for _, text in said(parted)] == ["One two.", "Three."]
    long = vtt(*((at(n, n + 1), f"<v Ada>{'word ' * 40}ends.") for n in range(20)))
    texts = [text for _, text in said(long)]
    assert len(texts) == 5
    assert all(text.endswith("ends.") for text in texts)


def test_captions_that_roll_are_said_once() -> None:
    rolling = vtt(
        (at(1, 1.4), "yeah"),
        (f"{at(1.4, 5)} align:start position:0%", "yeah\n<c.colorCCCCCC>what</c>"),
        (at(5, 6), "this<00:00:05.199><c> will</c><00:00:05.379><c> happen</c>"),
        (at(6, 6.4), "this will happen\n <c></c>"),
        (at(6.4, 8), "this will happen\nto<00:00:07.000><c> us</c>"),
    )
    assert said(rolling) == [(None, "yeah what this will happen to us")]
    shown = vtt((at(1, 2), "one two"), (at(2, 2.01), "two three"), (at(2.01, 3), "two three\nfour"))
    assert said(shown) == [(None, "one two two three four")]
    growing = vtt(
        (at(1, 2), "we will"), (at(2, 3), "we will meet"), (at(3, 4), "we will meet soon")
    )
    assert said(growing) == [(None, "we will meet soon")]


def test_who_repeats_a_word_said_it_twice_but_a_doubled_cue_once() -> None:
    assert said(vtt((at(1, 2), "No."), (at(2, 3), "No."))) == [(None, "No. No.")]
    assert said(vtt((at(1, 2), "No."), (at(1, 2), "No."))) == [(None, "No.")]


def test_blocks_that_are_no_cues_are_left_out_silently() -> None:
    header = "WEBVTT\nKind: captions\nStyle:\n::cue(c) {}\n##\n\nNOTE kept: no\n\nREGION\nid:x"
    content = vtt((f"NOTEWORTHY-1\n{at(1, 2)} line:0", "Kept."), header=header)
    assert said(content) == [(None, "Kept.")]
    assert skipped(content) == []


def test_sounds_and_empty_cues_say_nothing() -> None:
    silent = ((at(1, 2), "[Music]"), (at(2, 3), "---"), (at(3, 4), ""), (at(4, 5), "♪ la la ♪"))
    assert said(vtt(*silent, (at(5, 6), "{\\an8}Hi [sic] <i>there</i>"))) == [
        (None, "Hi [sic] there")
    ]
    assert read(vtt(*silent)) == []
    assert [one.reason for one in skipped(vtt(*silent))] == ["nothing is said in it"]


def test_times_that_cannot_be_read_lose_no_words() -> None:
    broken = vtt((at(1, 2), "one"), ("00:00:02.000 --> 00:00:0d.000", "two"))
    assert said(broken) == [(None, "one two")]
    doubled = vtt((f"{at(1, 2)}\n{at(1, 2)}", "one"))
    assert said(doubled) == [(None, "one")]
    (lost,) = skipped(vtt((at(1, 2), "one")) + "\nwords alone\n")
    assert (lost.offset, lost.reason) == (43, "words without a time: no cue")


def test_cues_need_neither_numbers_nor_blank_lines_between_them() -> None:
    tight = f"1\n{at(1, 2)}\none\n2\n{at(2, 3)}\ntwo\n{at(3, 4)}\nthree\n"
    assert said(tight) == [(None, "one two three")]
    assert skipped(tight) == []


def test_old_bytes_and_other_line_ends_are_read() -> None:
    assert said((SRT + "ADA: Oui.").encode("latin-1"))[0] == ("TOM", "Café?")
    assert said(ZOOM.replace("\n", "\r")) == said(ZOOM)
    assert said(ZOOM.encode("utf-16")) == said(ZOOM)


@pytest.mark.parametrize(
    ("path", "header", "moment", "precision", "source", "assumed"),
    [
        (NAMED, "", datetime(2026, 3, 3, 9, 30, 1, tzinfo=UTC), "second", "envelope", False),
        ("Sync-20260303_093000-Meeting Recording.vtt", "",
         datetime(2026, 3, 3, 9, 30, 1, tzinfo=UTC), "second", "envelope", True),
        ("2026-03-03 09.30.00 Sync 123456789/audio_transcript.vtt", "",
         datetime(2026, 3, 3, 9, 30, 1, tzinfo=UTC), "second", "envelope", True),
        ("2026-03-03 sync.vtt", "",
         datetime(2026, 3, 3, 0, 0, 1, tzinfo=UTC), "day", "envelope", True),
        ("a.vtt", "\n\nNOTE\nRecorded: 2026-03-03T09:30:00Z",
         datetime(2026, 3, 3, 9, 30, 1, tzinfo=UTC), "second", "envelope", False),
        ("a.vtt", "\n\nNOTE see 2011-01-01",
         datetime(2029, 2, 3, 0, 0, 1, tzinfo=UTC), "day", "file", True),
        ("20269999-1.vtt", "", datetime(2029, 2, 3, 0, 0, 1, tzinfo=UTC), "day", "file", True),
    ],
)  # fmt: skip
def test_the_time_is_that_of_the_recording_and_says_how_it_is_known(
    path: str, header: str, moment: datetime, precision: str, source: str, assumed: bool
) -> None:
    (one,) = turns(vtt((at(1, 2), "Hi"), header=f"WEBVTT{header}"), path)
    assert one.timestamp == epoch_ms(moment)
    assert one.payload.time.precision is TimePrecision(precision)
    assert one.payload.time.source is TimeSource(source)
    assert one.payload.time.assumed is assumed


@pytest.mark.parametrize(
    ("path", "title"),
    [
        (NAMED, "Weekly Sync"),
        ("2026-03-03 09.30.00 Budget review 123456789/audio_transcript.vtt", "Budget review"),
        ("Sync-20260303_093000-Meeting Recording.vtt", "Sync"),
        ("talk.en.vtt", "talk"),
        ("transcript.vtt", None),
    ],
)
def test_the_title_is_what_a_person_put_into_the_name(path: str, title: str | None) -> None:
    of = meeting(ZOOM, path).payload
    assert isinstance(of, Artifact)
    assert of.title == title


def test_the_same_transcript_in_another_spelling_is_the_same() -> None:
    srt = ZOOM.removeprefix("WEBVTT\n\n").replace(".", ",").replace("morning,", "morning.")
    again = srt.replace("Porto,", "Porto.").replace("Fine,", "Fine.")
    assert [one.id for one in read(again)] == [one.id for one in read(ZOOM)]


def test_a_transcript_that_grows_revises_its_last_turn() -> None:
    cues = [(at(n, n + 1), f"<v Ada>word {n}") for n in range(30)]
    before, after = (turns(vtt(*cues[:size])) for size in (25, 30))
    assert [one.source_ref for one in before] == [one.source_ref for one in after]
    assert after[-1].revision > before[-1].revision


def test_a_turn_read_alone_says_the_same_words() -> None:
    context = FileContext("p", OWNER, NAMED, MODIFIED)
    events = [one for one in PARSER.split([ZOOM.encode()], context) if isinstance(one, RawEvent)]
    (reading,) = readings_of(PARSER, events[:1])
    (one,) = reading.observations
    assert one.payload.text == "Good morning. I live in Porto."
    assert [who.name for who in one.actors] == ["Ada Byron", OWNER.name]
