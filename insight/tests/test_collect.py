"""Each file is read by the parser that is surest of it, and what is left out is told."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from cortex_insight.collect import Job, LeftOut, collect, total_bytes
from cortex_insight.event import FileContext, FileHead, Skipped
from cortex_insight.files import find_files
from cortex_insight.parser import Confidence, Parser
from cortex_insight.parsers import load_parsers
from cortex_insight.recognise import Unclear, choose_parser
from roxabi_contracts import RawEvent

from tests.lines_source import OWNER, LinesParser

SAMPLES = Path(__file__).parents[2] / "deploy/local/src/cortex_local/samples"


@dataclass(frozen=True)
class SureParser(LinesParser):
    """Reads lines, and is as sure of every file as it is told to be."""

    sure: Confidence = Confidence.LIKELY

    def recognise(self, head: FileHead) -> Confidence:
        return self.sure


@dataclass(frozen=True)
class FailingParser(LinesParser):
    """Fails in the middle of a file."""

    def split(self, content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
        yield next(super().split(content, context))
        raise KeyError("a secret of the line")


def head(content: bytes, path: str = "file", *, complete: bool = True) -> FileHead:
    return FileHead(path, content, complete)


def parser(source: str, sure: Confidence) -> Parser:
    return SureParser(source=source, sure=sure)


def chosen(*parsers: Parser) -> str:
    answer = choose_parser(parsers, head(b"a"))
    return answer.reason if isinstance(answer, Unclear) else answer.source


def test_the_surest_parser_reads_a_file() -> None:
    sure, likely = parser("sure", Confidence.CERTAIN), parser("likely", Confidence.LIKELY)
    assert chosen(likely, sure) == chosen(sure, likely) == "sure"


def test_two_that_are_equally_sure_are_no_answer() -> None:
    two = parser("two", Confidence.LIKELY), parser("one", Confidence.LIKELY)
    assert chosen(*two) == "may be one or two: name the source to import it"


def test_a_file_that_nobody_knows_is_told() -> None:
    assert chosen(parser("none", Confidence.NONE)) == "no source's file"
    answer = choose_parser([LinesParser()], head(b"\0"))
    assert isinstance(answer, Unclear)


def job(parser: Parser, path: Path, *, named: bool = True) -> Job:
    return Job({parser.source: parser}, [path], "p", OWNER, named)


def collected(job: Job) -> tuple[list[str], list[tuple[str, str]]]:
    items = [*collect(job, find_files(job.paths), lambda _: None)]
    events = [one.body.to_bytes().decode() for one in items if isinstance(one, RawEvent)]
    return events, [(Path(one.place).name, one.reason) for one in items if isinstance(one, LeftOut)]


def test_a_named_file_is_of_the_named_source_whatever_it_holds(tmp_path: Path) -> None:
    (tmp_path / "odd").write_text("a\n")
    never = parser("never", Confidence.NONE)
    assert collected(job(never, tmp_path / "odd")) == (["a"], [])
    assert collected(job(never, tmp_path)) == ([], [("odd", "no source's file")])
    assert collected(job(never, tmp_path / "odd", named=False))[0] == []


def test_a_parser_that_fails_costs_its_file_alone(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("a\nb\n")
    (tmp_path / "two").write_text("c\n")
    events, left_out = collected(job(FailingParser(), tmp_path))
    assert events == ["a", "c"]
    assert left_out == [
        ("one", "the parser lines failed with KeyError"),
        ("two", "the parser lines failed with KeyError"),
    ]


def test_the_bytes_that_are_read_and_to_be_read_are_counted(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("a\nb\n")
    (tmp_path / "other").write_bytes(b"\0\0")
    counted: list[int] = []
    list(collect(job(LinesParser(), tmp_path), find_files([tmp_path]), counted.append))
    assert sum(counted) == total_bytes([tmp_path]) == 6


def test_two_named_sources_are_read_by_content() -> None:
    parsers = load_parsers()
    read = Job(parsers, [SAMPLES / "chat", SAMPLES / "claude-code"], "p", OWNER)
    items = [*collect(read, find_files(read.paths), lambda _: None)]
    assert {one.source for one in items if isinstance(one, RawEvent)} == {
        "claude-code-jsonl",
        "message",
    }
    assert [one for one in items if isinstance(one, LeftOut)] == []


CLAUDE = '{"type":"user","uuid":"u","sessionId":"s","message":{"content":"%s"}}'


@pytest.mark.parametrize(
    ("content", "complete", "source"),
    [
        (CLAUDE % "hello", True, "claude-code-jsonl"),
        ('{"type":"summary","summary":"x","leafUuid":"u"}', True, "claude-code-jsonl"),
        ("null\nnot json\n" + CLAUDE % "x", True, "claude-code-jsonl"),
        ('{"type":"user","uuid":"u","sessionId":"s","message":"' + "x" * 99, False,
         "claude-code-jsonl"),
        ('{"text":"a","author":"owner"}', True, "message"),
        ('[{"text":"a","author":"owner"},', False, "message"),
        ('\ufeff[\n {"text": "a",\n "author": "owner"}]', True, "message"),
        ('{"text": "a",\n "author": "owner"}', True, "message"),
        ('{"timestamp":"2026-01-01","type":"session_meta","payload":{}}', True, None),
        ('{"text":"a"}', True, None),
        ("[" * 100_000, True, None),
        ("", True, None),
        ("plain words", True, None),
    ],
)  # fmt: skip
def test_a_source_is_known_by_its_content(content: str, complete: bool, source: str | None) -> None:
    own = [parser for name, parser in load_parsers().items() if name in OWN]
    answer = choose_parser(own, head(content.encode(), "session.jsonl", complete=complete))
    assert (None if isinstance(answer, Unclear) else answer.source) == source


OWN = {"claude-code-jsonl", "message"}


def test_an_empty_file_says_so() -> None:
    answer = choose_parser([replace(SureParser(), sure=Confidence.NONE)], head(b""))
    assert answer == Unclear("an empty file")
