"""The suite for parsers: each of its tests fails a parser that breaks its rule."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest
from cortex_insight.event import FileContext, FileHead, Skipped, split_lines
from cortex_insight.parser import (
    Confidence,
    Draft,
    Neighbours,
    ParseContext,
    Parsed,
    Reject,
)
from cortex_insight.testing import ParserConformance, SampleFile
from roxabi_contracts import ActorRole, Claim, Identifier, RawEvent, Statement
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.event import body_of

from tests.lines_source import TIME

SAMPLES = (SampleFile("one.txt", b"@a\n@b after @a\n"), SampleFile("two.txt", b"@c after @b\n"))


class WordsParser:
    """Keeps every rule: a record a line, which says what the line says."""

    source: str = "words"
    title: str = "Words"
    version: int = 1
    media_types: frozenset[str] = frozenset({"text/plain"})

    def recognise(self, head: FileHead) -> Confidence:
        return Confidence.CERTAIN if head.content.startswith(b"@") else Confidence.NONE

    def split(self, content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
        for line in split_lines(content):
            if line.content:
                yield self.event(line.content, context)

    def event(self, line: bytes, context: FileContext) -> RawEvent:
        return RawEvent(
            project=context.project,
            source=self.source,
            source_ref=line.decode("utf-8", "replace").replace("\0", "-")[:100],
            media_type="text/plain",
            body=body_of(line),
            owner=context.owner,
        )

    def provides(self, event: RawEvent) -> tuple[str, ...]:
        return (self.text(event).split(" ")[0],)

    def needs(self, event: RawEvent) -> tuple[str, ...]:
        _, found, key = self.text(event).partition(" after ")
        return (key,) if found else ()

    def text(self, event: RawEvent) -> str:
        return event.body.to_bytes().decode("utf-8", "replace").replace("\0", "")

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        if event.owner is None:
            return Reject("no_owner", "whose memory is it?")
        before = [self.text(found) for key in sorted(neighbours) for found in neighbours[key]]
        said = Draft(
            payload=Statement(text=" ".join([*before, self.text(event)]), time=TIME),
            source_ref=event.source_ref,
            timestamp=epoch_ms(context.received_at),
            actors=(event.owner.model_copy(update={"role": ActorRole.AUTHOR}),),
            subject=0,
        )
        return Parsed((self.changed(said, event, context),))

    def changed(self, said: Draft, event: RawEvent, context: ParseContext) -> Draft:
        return said


class WithLongTitle(WordsParser):
    title = "Words,\nand more"


class RecognisesAll(WordsParser):
    def recognise(self, head: FileHead) -> Confidence:
        return Confidence.POSSIBLE


class RefusesItsOwn(WordsParser):
    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        return Reject("never", "it does not like it")


class Counts(WordsParser):
    """Remembers how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def changed(self, said: Draft, event: RawEvent, context: ParseContext) -> Draft:
        self.asked += 1
        return replace(said, sequence=self.asked)


class RemembersTheLast(WordsParser):
    """Says what it was asked before, too."""

    def __init__(self) -> None:
        self.last = ""

    def split(self, content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
        for item in super().split(content, context):
            if isinstance(item, RawEvent):
                yield item.model_copy(update={"attributes": {"before": self.last}})
                self.last = item.source_ref


class NamesByPath(WordsParser):
    def event(self, line: bytes, context: FileContext) -> RawEvent:
        said = super().event(line, context)
        return said.model_copy(update={"source_ref": f"{context.path}:{said.source_ref}"})


class NamesAllAlike(WordsParser):
    def changed(self, said: Draft, event: RawEvent, context: ParseContext) -> Draft:
        return replace(said, source_ref="the same")


class InventsTimes(WordsParser):
    def changed(self, said: Draft, event: RawEvent, context: ParseContext) -> Draft:
        return replace(said, timestamp=said.timestamp - 1)


class WritesToAnother(WordsParser):
    def changed(self, said: Draft, event: RawEvent, context: ParseContext) -> Draft:
        other = Identifier(scheme="email", value="other@example.net")
        actor = said.actors[0].model_copy(update={"identifiers": (other,)})
        return replace(said, actors=(actor,))


class ClaimsWithoutWords(WordsParser):
    def changed(self, said: Draft, event: RawEvent, context: ParseContext) -> Draft:
        claim = Claim(about=0, predicate="likes", value={"value": "tea"}, evidence="I like tea")
        return replace(said, payload=said.payload.model_copy(update={"claims": (claim,)}))


class Fragile(WordsParser):
    def text(self, event: RawEvent) -> str:
        return event.body.to_bytes().decode("ascii")


class Conformance(ParserConformance):
    """The suite, not collected under this name."""

    files = SAMPLES


RULES = [name for name in dir(ParserConformance) if name.startswith("test_")]


def failed(parser: WordsParser) -> list[str]:
    """Which tests of the suite fail the parser."""
    suite = Conformance()
    type(suite).parser = parser
    return [rule for rule in RULES if fails(suite, rule)]


def fails(suite: ParserConformance, rule: str) -> bool:
    try:
        getattr(suite, rule)()
    except (AssertionError, ValueError, BaseExceptionGroup):
        return True
    return False


def test_a_good_parser_passes() -> None:
    assert failed(WordsParser()) == []


@pytest.mark.parametrize(
    ("parser", "rule"),
    [
        (WithLongTitle(), "test_its_name_is_a_token_and_its_title_a_line"),
        (RecognisesAll(), "test_it_recognises_its_files_and_no_others"),
        (RefusesItsOwn(), "test_its_files_are_read"),
        (Counts(), "test_the_same_bytes_say_the_same"),
        (RemembersTheLast(), "test_the_order_of_import_is_invisible"),
        (NamesByPath(), "test_its_keys_are_stable"),
        (NamesAllAlike(), "test_a_key_names_one_record"),
        (InventsTimes(), "test_no_time_is_invented"),
        (WritesToAnother(), "test_scope_and_origin_come_from_the_event"),
        (ClaimsWithoutWords(), "test_what_is_claimed_stands_in_the_text"),
        (Fragile(), "test_broken_files_never_stop_it"),
        (Fragile(), "test_junk_never_stops_it"),
    ],
    ids=lambda case: case if isinstance(case, str) else type(case).__name__,
)
def test_each_rule_fails_who_breaks_it(parser: WordsParser, rule: str) -> None:
    suite = Conformance()
    type(suite).parser = parser
    assert fails(suite, rule)


def test_every_rule_was_broken_once() -> None:
    assert len(RULES) == 12
