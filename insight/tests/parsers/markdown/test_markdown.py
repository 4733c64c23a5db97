"""A note says what its author would point at: a section at a time, with its day and its links."""

from datetime import UTC, datetime

import pytest
from cortex_insight.event import FileHead
from cortex_insight.parser import Confidence
from cortex_insight.testing import ParserConformance, SampleFile
from cortex_insight.testing.samples import MODIFIED, OWNER
from roxabi_contracts import ActorKind, ActorRole, Identifier, Origin
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.payloads import SpeechAct, Statement, TimePrecision, TimeSource

from .notes import PARSER, claims, only, said, skipped, speakers, texts

UPDATED = "updated: 2026-03-05T10:00:00Z\n"
DAILY = f"""---
{UPDATED}tags: [daily, work]
---
# Tuesday

I live in [[Porto]].

## Tasks

- [ ] Call [[@Tom Reed|Tom]] 📅 2026-03-09 #phone
- [x] Pay the rent ✅ 2026-03-02
"""
ADR = f"""---
status: accepted
date: 2026-02-01
{UPDATED}deciders: Ada Owner, Tom Reed
---
# 7. Use Postgres

## Context

We need transactions.

## Decision

We use Postgres because we know it.
"""


class TestMarkdown(ParserConformance):
    parser = PARSER
    files = (
        SampleFile("vault/2026-03-03.md", DAILY.encode()),
        SampleFile("vault/adr/0007-postgres.md", ADR.encode()),
        SampleFile(
            "vault/clip.md",
            f"---\nsource: https://example.org/a\n{UPDATED}---\nI like tea.\n".encode("utf-16"),
        ),
        SampleFile("vault/old.md", f"---\n{UPDATED}---\nCaf\xe9\n\n# A\n\nb\n".encode("latin-1")),
    )


@pytest.mark.parametrize(
    ("path", "content", "sure"),
    [
        ("a/b.md", b"hello", Confidence.LIKELY),
        ("B.MARKDOWN", b"# x", Confidence.LIKELY),
        ("b.md", b"", Confidence.NONE),
        ("b.md", b"\x89PNG\0", Confidence.NONE),
        ("script.sh", b"# x\n", Confidence.NONE),
    ],
)
def test_it_is_known_by_its_name_and_that_it_is_text(
    path: str, content: bytes, sure: Confidence
) -> None:
    assert PARSER.recognise(FileHead(path, content, complete=True)) is sure


def test_each_section_is_an_observation_under_its_headings() -> None:
    note = "Before.\n\n# Home\n\n## Where\n\nPorto\n\n## Empty\n\n### Deep\n\nx\n# Work #\ny\n"
    assert texts(note) == {
        "": "Before.",
        "Home > Where": "Where\nPorto",
        "Home > Empty > Deep": "Deep\nx",
        "Work": "Work\ny",
    }
    deep = next(one for one in said(note) if one.source_ref.endswith("Deep"))
    assert deep.topic == ("Home", "Empty", "Deep")
    assert deep.correlation.parent_ref == "vault/note.md"
    assert deep.correlation.attributes["heading"] == "Home > Empty > Deep"


def test_headings_in_code_are_none_and_underlined_ones_are() -> None:
    note = "Title\n=====\n\na\n\n```sh\n# no heading\n---\n```\n\nSub *title*\n---\n"
    note += "\nb\n\n- item\n---\nc\n"
    assert texts(note) == {
        "Title": "Title\na\n\n```sh\n# no heading\n---\n```",
        "Title > Sub title": "Sub title\nb\n\n- item\n---\nc",
    }
    assert texts("a\n\n#tag no heading\n") == {"": "a\n\n#tag no heading"}


def test_headings_that_come_twice_are_two() -> None:
    assert [*texts("# A\n\n## N\n\n1\n\n## N\n\n2\n\n# B\n\n## N\n\n3\n")] == [
        "A > N", "A > N~2", "B > N",
    ]  # fmt: skip


def test_a_long_section_is_cut_at_paragraphs_and_a_long_name_stays_a_key() -> None:
    paragraph = "word " * 300
    pieces = texts("# A\n\n" + f"{paragraph}\n\n" * 8)
    assert [*pieces] == ["A", "A+1", "A+2"]
    assert all(len(text) < 9000 for text in pieces.values())
    deep = "".join(f"#{'#' * n} {'y' * 280}\n" for n in range(6))
    (one,) = said(f"{deep}z")
    assert len(one.source_ref) <= 1024


def test_a_book_is_read_in_parts_and_its_headings_stay_one() -> None:
    chapters = "".join(f"## Day\n\n{n} {'word ' * 200}\n\n" for n in range(600))
    found = texts(f"# Book\n\n{chapters}")
    assert len(found) == 600
    assert found["Book > Day~600"].startswith("Day\n599 ")


def test_code_and_quotes_are_kept_but_nobody_says_them() -> None:
    one = only("I live in Porto.\n\n```\nI live in Rome.\n```\n\n> I live in Nice.\n")
    assert "Rome" in one.payload.text
    assert speakers("I live in Porto.") == [0]


def test_links_are_shown_as_a_reader_sees_them_and_are_topics() -> None:
    one = only(
        "See [[Plans/Spring|the plan]], [[Porto#Sights]], ![[map.png]] and "
        "[Marea](https://x/a(b)). `[[ -f x ]]` #work/cortex #fff %%hidden%% <!-- not\nshown --> "
        "end ^block-1\nid:: 6-6-6\n"
    )
    assert one.payload.text == (
        "See the plan, Porto, map.png and Marea. `[[ -f x ]]` #work/cortex #fff   end"
    )
    assert one.topic == ("note", "work/cortex", "Spring", "Porto", "map.png")


def test_mentions_are_people_inside_the_note() -> None:
    one = only("Ask @tom.reed, [[@Ann Lee]] not a@b.org, `@code`, @types/node.\n")
    people = [who for who in one.actors if who.role is ActorRole.MENTIONED]
    assert {who.name for who in people} == {"tom.reed", "Ann Lee"}
    assert all(who.kind is ActorKind.PERSON and not who.identifiers for who in people)


@pytest.mark.parametrize(
    ("path", "note", "day", "precision", "source"),
    [
        ("v/2026-03-01.md", "x", "2026-03-01", "day", "envelope"),
        ("v/2026_03_01.md", "x", "2026-03-01", "day", "envelope"),
        ("v/20260301 Standup.md", "x", "2026-03-01", "day", "envelope"),
        ("v/Mar 1st, 2026.md", "x", "2026-03-01", "day", "envelope"),
        ("v/2026-03-01.md", "---\ndate: 2026-03-02\n---\nx", "2026-03-02", "day", "record"),
        ("v/2026-03-01.md", "---\ndate: 2026-03-02\n---\n## 1 mars 2026\nx", "2026-03-01", "day",
         "record"),
        ("v/a.md", "## Tuesday, March 3, 2026\nx", "2026-03-03", "day", "record"),
        ("v/a.md", "## 03.03.2026 Standup\n### Notes\nx", "2026-03-03", "day", "record"),
        ("v/a.md", "## [[2026-03-03]]\nx", "2026-03-03", "day", "record"),
        ("v/a.md", "---\ncreated: \"[[2026-03-03]]\"\n---\nx", "2026-03-03", "day", "record"),
        ("v/a.md", "---\ncreated: 2026-03-03\nupdated: 2026-03-04\n---\nx", "2026-03-04", "day",
         "record"),
        ("v/a 03-04-2026.md", "x", None, "second", "file"),
        ("v/a.md", "## What 2026-03-03 was about in the end\nx", None, "second", "file"),
        ("v/2040-01-01.md", "x", None, "second", "file"),
        ("v/2026-13-41.md", "x", None, "second", "file"),
    ],
)  # fmt: skip
def test_the_day_is_what_the_note_says_else_its_name_else_its_file(
    path: str, note: str, day: str | None, precision: str, source: str
) -> None:
    one = only(note, path)
    moment = datetime.fromisoformat(f"{day}T00:00+00:00") if day else MODIFIED
    assert one.timestamp == epoch_ms(moment)
    time = one.payload.time
    assert (time.precision, time.source) == (TimePrecision(precision), TimeSource(source))
    assert time.assumed


def test_a_stated_time_keeps_its_zone() -> None:
    one = only("---\ndate: 2026-03-01T10:00:00+02:00\n---\nx")
    assert one.timestamp == epoch_ms(datetime(2026, 3, 1, 8, tzinfo=UTC))
    assert not one.payload.time.assumed
    assert one.payload.time.local == "2026-03-01T10:00:00+02:00"


def test_front_matter_is_read_in_all_its_spellings_and_is_no_text() -> None:
    one = only(
        '---\nTitle: "My: plan" # why\ntags:\n  - one\n  - "two"\naliases: [Big Plan, \'B, P\']\n'
        "keywords: three, #four\nempty:\n---\nx\n"
    )
    assert one.payload.text == "x"
    assert one.topic == ("My: plan", "one", "two", "three", "four", "Big Plan", "B, P")
    assert only('+++\ntitle = "Hugo"\n+++\nx\n').topic == ("Hugo",)
    assert only("---\nno field\n---\nx\n").payload.text == "---\nno field\n---\nx"
    logseq = only("title:: Plans\ntags:: a, b\n\n- x\n  id:: 1\n")
    assert (logseq.payload.text, logseq.topic) == ("- x", ("Plans", "a", "b"))


def test_an_export_of_notion_is_known_by_its_id() -> None:
    path = f"vault/Plan {'0a' * 16}.md"
    one = only("# Plan\n\nTags: a, b\nCreated: March 3, 2026\n\nx\n", path)
    assert one.source_ref == f"notion/{'0a' * 16}#Plan"
    assert one.payload.text == "Plan\nx"
    assert one.timestamp == epoch_ms(datetime(2026, 3, 3, tzinfo=UTC))
    assert one.topic == ("Plan", "a", "b")


def test_who_else_is_named_as_author_wrote_it() -> None:
    own = only("---\nauthor: Ada Owner <OWNER@example.org>\n---\nI live in Porto.")
    assert own.actors[own.subject].role is ActorRole.AUTHOR
    assert own.origin is Origin.SEMI_TRUSTED
    other = only("---\nauthors: [Tom Reed, ann@example.net]\n---\nI live in Rome.")
    assert [who.name for who in other.actors] == ["Tom Reed", None, OWNER.name]
    assert other.actors[1].identifiers == (Identifier(scheme="email", value="ann@example.net"),)
    assert other.origin is Origin.THIRD_PARTY
    assert speakers("---\nauthor: Tom\n---\nI live in Rome.\n- [ ] x") == [None]
    assert claims("---\nauthor: Tom\n---\n- [ ] x") == []


def test_what_was_cut_out_of_a_page_is_not_the_owners() -> None:
    clip = only("---\nsource: https://www.example.org/a\n---\nI live in Rome.")
    assert (clip.actors[0].kind, clip.actors[0].name) == (ActorKind.ORGANISATION, "example.org")
    assert clip.origin is Origin.THIRD_PARTY
    assert speakers("---\nurl: https://example.org\n---\nI live in Rome.") == [None]
    assert speakers("---\nsource: a book\n---\nI live in Rome.") == [0]


def test_a_manual_speaks_for_nobody() -> None:
    assert speakers("We use uv.", "repo/README.md") == [None]
    assert speakers("We use uv.", "repo/docs/readme-notes/tools.md") == [0]


def test_who_was_at_a_meeting_is_there_in_the_note_alone() -> None:
    one = only('---\nattendees:\n  - "[[Tom Reed]]"\n  - Ann <ann@example.net>\n---\nx')
    found = {(who.name, who.role, len(who.identifiers)) for who in one.actors[1:]}
    assert found == {("Tom Reed", ActorRole.PARTICIPANT, 0), ("Ann", ActorRole.PARTICIPANT, 1)}


def test_tasks_are_commitments_until_they_are_done() -> None:
    assert claims(
        "- [ ] Call Tom 📅 2026-03-09 #phone\n* [x] Pay rent ✅ 2026-03-02\n1. [-] Sell bike\n"
        "+ [/] Write [due:: 2026-04-01]\n- [>] moved\n- [?] maybe\n- TODO [#A] Ship\n"
        "  DEADLINE: <2026-05-01 Fri>\n- DONE Test\n```\n- [ ] code\n```\n"
    ) == [
        ("commitment", "Call Tom", "create"), ("deadline", "2026-03-09", "create"),
        ("commitment", "Pay rent", "retract"), ("task_status", "done", "create"),
        ("commitment", "Sell bike", "retract"), ("task_status", "cancelled", "create"),
        ("commitment", "Write", "create"), ("deadline", "2026-04-01", "create"),
        ("commitment", "Ship", "create"), ("deadline", "2026-05-01", "create"),
        ("commitment", "Test", "retract"), ("task_status", "done", "create"),
    ]  # fmt: skip


def test_a_task_for_somebody_is_theirs() -> None:
    (claim,) = only("- [ ] @tom: write the minutes").payload.claims
    assert (claim.about, claim.value) == ("tom", {"value": "write the minutes"})
    listed = only("- [ ] a\n- [ ] b\n").payload
    prose = only("Much else.\nAnd more.\n- [ ] a\n").payload
    assert isinstance(listed, Statement)
    assert isinstance(prose, Statement)
    assert listed.speech_act is SpeechAct.COMMITMENT
    assert prose.speech_act is SpeechAct.ASSERTION


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("v/.trash/a.md", "in .trash: no note of yours"),
        ("v/node_modules/x/README.md", "in node_modules: no note of yours"),
        ("v/logseq/bak/pages/a.md", "a backup of a note"),
        ("v/Templates/daily.md", "a template: nothing is filled in"),
        ("v/plan.excalidraw.md", "a drawing"),
    ],
)
def test_what_is_no_note_is_told(path: str, reason: str) -> None:
    assert skipped(path) == [reason]
    assert skipped("a.md", " \n") == ["nothing is written in it"]
