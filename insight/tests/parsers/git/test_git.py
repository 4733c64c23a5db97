"""A history tells who made what and when, what was taken back, and what came out."""

from datetime import UTC, datetime

import pytest
from cortex_insight.event import FileHead
from cortex_insight.parser import Confidence
from cortex_insight.testing import ParserConformance, SampleFile
from cortex_insight.testing.samples import OWNER
from roxabi_contracts import Artifact
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.payloads import TimeSource

from .histories import (
    ADA,
    PARSER,
    ROOT,
    TOM,
    commit,
    decided,
    events,
    made,
    people,
    said,
    skipped,
    tag,
)

MESSAGE = """Keep facts

Because they matter.

Co-authored-by: Ann Lee <ann@example.net>
Reviewed-by: Bob <bob@example.net>
"""
REVERT = 'Revert "Start"\n\nThis reverts commit 1111111111.\n\nIt broke the build.\n'


class TestGit(ParserConformance):
    parser = PARSER
    files = (
        SampleFile(
            "cortex/.git",
            b"".join([
                commit(),
                commit(MESSAGE, 2, ROOT, ADA, files=("R100", "a.py", "b\n.py")),
                commit(REVERT, 3, "2" * 40, files=("M", "c", "D", "commit 1")),
                commit("Merge branch 'x'\n", 4, f"{ROOT} {'3' * 40}", files=()),
                tag(), tag("nightly", "Start\n", "commit"),
            ]),
        ),
        SampleFile("old.gitlog", commit("Other\n", 9, at="0 +0000", committed="x")),
    )  # fmt: skip


def test_it_is_known_by_its_marks() -> None:
    for content, sure in (
        (commit(), Confidence.CERTAIN),
        (tag(), Confidence.CERTAIN),
        (b"commit 1234\nAuthor: x", Confidence.NONE),
    ):
        assert PARSER.recognise(FileHead("x", content, complete=True)) is sure


def test_a_commit_is_an_artifact_of_its_author_in_its_project() -> None:
    one, payload = made(commit(MESSAGE, 2, ROOT, ADA))
    assert one.source_ref == f"{2:040x}"
    assert payload.text == (
        "Ada Owner committed to cortex: Keep facts\n\nBecause they matter.\n\nFiles: a.py (new)"
    )
    assert (payload.kind, payload.title, payload.action) == ("commit", "Keep facts", "created")
    assert one.correlation.parent_ref == ROOT
    assert one.topic == ("cortex",)
    (claim,) = payload.claims
    assert (claim.about, claim.predicate, claim.value) == (0, "works_on", {"value": "cortex"})


def test_who_wrote_brought_in_and_looked_at_it_are_its_people() -> None:
    assert people(commit(MESSAGE, 2, ROOT, ADA, committer=TOM)) == [
        (OWNER.name, "person", "author", ["owner@example.org"]),
        ("Ann Lee", "person", "author", ["ann@example.net"]),
        ("Tom", "person", "participant", ["tom@example.net"]),
        ("Bob", "person", "participant", ["bob@example.net"]),
        ("cortex", "project", "mentioned", []),
    ]
    one, _ = made(commit(MESSAGE, 2, ROOT, ADA))
    assert one.subject == 0


def test_the_map_of_names_states_that_two_addresses_are_one_persons() -> None:
    (author, *_) = people(commit(author=("tom", "tom@old.org"), mapped=("Tom Reed", "tom@new.org")))
    assert author == ("Tom Reed", "person", "author", ["tom@new.org", "tom@old.org"])
    (own, *_) = people(commit(author=("x", "x@old.org"), mapped=ADA))
    assert own == (OWNER.name, "person", "author", ["owner@example.org"])


@pytest.mark.parametrize(
    ("author", "kind", "keys"),
    [
        (("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com"), "bot",
         ["49699333+dependabot[bot]@users.noreply.github.com"]),
        (("GitHub", "noreply@github.com"), "bot", []),
        (("Claude Opus 4", "noreply@anthropic.com"), "agent", []),
        (("Claude Monet", "claude@monet.example"), "person", ["claude@monet.example"]),
        (("Tom", "4711+tom@users.noreply.github.com"), "person",
         ["4711+tom@users.noreply.github.com"]),
        (("Tom", "tom@laptop.local"), "person", []),
        (("Tom", "tom@laptop.(none)"), "person", []),
        (("Tom", "root@localhost"), "person", []),
        (("Tom", ""), "person", []),
        (("Tom", "not an address"), "person", []),
    ],
)  # fmt: skip
def test_programs_agents_and_made_up_addresses(
    author: tuple[str, str], kind: str, keys: list[str]
) -> None:
    (found, *_) = people(commit(author=author, committer=TOM))
    assert found[1:] == (kind, "author", keys)
    claims = made(commit(author=author))[1].claims
    assert bool(claims) is (kind == "person")


def test_hostile_names_and_paths_are_shown_harmlessly() -> None:
    text = made(
        commit(author=("Tom\u202e\x1b[31m\nx", "t@x.org"), files=("A", "a\n\x07b", "M", "c d"))
    )[1].text
    assert text == "Tom [31m x committed to cortex: Start\n\nFiles: a b (new), c d"
    (skip,) = skipped(b"commit 1\0--output=/etc/passwd\0" + b"x\0" * 12)
    assert skip == "a commit that is cut off, or without its hash"


def test_renames_and_many_files() -> None:
    many = tuple(part for n in range(300) for part in ("M", f"f{n}"))
    text = made(commit(files=("R087", "old.py", "new.py", "D", "gone", *many)))[1].text
    assert "Files: old.py -> new.py, gone (deleted), f0, f1" in text
    assert text.endswith("f7 and 292 more")


def test_a_file_called_like_a_record_is_none() -> None:
    records = said(commit(files=("A", "commit 1", "R1", "tag 1", "commit 1")), commit("B", 2))
    assert len(records) == 2


def test_bytes_that_are_no_text_lose_nothing_else() -> None:
    broken = commit("Caf\x00").replace(b"Caf\0", b"Caf\xe9 [x]\r\n\r\nb\n\0")
    assert made(broken)[1].text.startswith("Tom committed to cortex: Caf\ufffd [x]\n\nb")


@pytest.mark.parametrize(
    ("at", "committed", "moment", "local"),
    [
        ("1772352000 +0200", "1772359200 +0100", 1772352000, "2026-03-01T10:00:00+02:00"),
        ("0 +0000", "1772359200 +0100", 1772359200, "2026-03-01T11:00:00+01:00"),
        ("1800000000 +0000", "1772359200 +0000", 1772359200, None),
        ("1772352000 +9900", "1772359200 +0000", 1772352000, None),
        ("junk", "1772359200 -0030", 1772359200, "2026-03-01T09:30:00-00:30"),
        ("0 +0000", "0 +0000", 0, None),
        ("-86400 +0000", "-86400 +0000", 0, "1969-12-31T00:00:00+00:00"),
    ],
)
def test_the_time_is_the_authors_unless_it_cannot_be_true(
    at: str, committed: str, moment: int, local: str | None
) -> None:
    one, payload = made(commit(at=at, committed=committed))
    assert one.timestamp == moment * 1000
    assert payload.time.source is TimeSource.RECORD
    assert payload.time.local == local


def test_when_it_was_brought_in_is_kept_where_it_differs() -> None:
    one, _ = made(commit())
    assert one.correlation.attributes["committed_at"] == "2026-03-01T11:00:00+01:00"
    same, _ = made(commit(at="1772352000 +0200", committed="1772352000 +0200"))
    assert "committed_at" not in same.correlation.attributes


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (REVERT, [("Start", "reversed", "It broke the build.")]),
        ('Revert "Revert "Start""\n', [("Start", "accepted", None)]),
        ('Revert "Start" (#12)\n', [("Start", "reversed", None)]),
        ('Reapply "Start"\n', [("Start", "accepted", None)]),
        ('Revert "Reapply "Start""\n', [("Start", "reversed", None)]),
        ("Revert the build\n", []),
        ("Start\n", []),
    ],
)
def test_what_takes_a_commit_back_reverses_it(
    message: str, expected: list[tuple[str, str, str | None]]
) -> None:
    assert decided(commit(message)) == expected


def test_the_merge_of_a_proposal_accepts_it_and_any_other_is_a_merge() -> None:
    parents = f"{ROOT} {'2' * 40}"
    pull = "Merge pull request #12 from tom/x\n\nUse uv\n"
    assert decided(commit(pull, 3, parents)) == [("Use uv", "accepted", None)]
    asked = "Merge branch 'x' into 'main'\n\nUse uv\n\nSee merge request a/b!12\n"
    assert decided(commit(asked, 3, parents)) == [("Use uv", "accepted", None)]
    assert decided(commit("Merge branch 'x'\n\nUse uv\n", 3, parents)) == []
    assert decided(commit(pull, 3, ROOT)) == []
    one, payload = made(commit("Merge branch 'x'\n", 3, parents, files=()))
    assert payload.kind == "merge"
    assert one.correlation.attributes["merges"] == "2" * 40


def test_a_picked_commit_names_the_one_it_repeats() -> None:
    picked = f"Start\n\n(cherry picked from commit {'3' * 40})\n"
    one, payload = made(commit(picked))
    assert one.correlation.attributes["picked_from"] == "3" * 40
    assert "cherry" not in payload.text


def test_a_tag_of_a_version_is_a_release_of_the_project() -> None:
    one, payload = made(tag(message="First\n-----BEGIN PGP SIGNATURE-----\nx\n"))
    assert (payload.kind, payload.title, payload.digest) == ("release", "v1.0", ROOT)
    assert payload.text == "cortex v1.0 was released.\n\nFirst"
    assert one.timestamp == epoch_ms(datetime(2026, 3, 1, 11, tzinfo=UTC))
    (claim,) = payload.claims
    assert (claim.predicate, claim.qualifiers) == ("release_version", {"project": "cortex"})
    assert one.actors[claim.about if isinstance(claim.about, int) else 0].name == "cortex"


@pytest.mark.parametrize("name", ["v1.0rc1", "nightly", "2026", "v2.0-beta.1"])
def test_any_other_tag_is_a_name(name: str) -> None:
    one, payload = made(tag(name, "Start\n", "commit"))
    assert (payload.kind, payload.claims) == ("tag", ())
    assert payload.text == f"cortex {name} was tagged."
    assert payload.time.source is TimeSource.NEIGHBOUR
    assert [who.kind.value for who in one.actors] == ["project", "person"]


def test_a_tag_that_is_moved_is_revised() -> None:
    before, after = (said(tag(at=at))[0] for at in ("1772362800 +0100", "1772449200 +0100"))
    assert before.source_ref == after.source_ref == "cortex/tag/v1.0"
    assert after.revision > before.revision


def test_what_is_cut_off_is_told_and_the_rest_is_read() -> None:
    broken = b"rubbish\0" + commit() + commit("B", 2)[:100]
    assert skipped(broken) == [
        "neither a commit nor a tag", "a commit that is cut off, or without its hash",
    ]  # fmt: skip
    assert len(events(broken)) == 1


def test_a_history_in_a_file_is_called_as_the_file() -> None:
    (one,) = said(commit(), path="backup/cortex.gitlog")
    assert one.topic == ("cortex",)
    assert isinstance(one.payload, Artifact)
