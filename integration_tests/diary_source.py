"""A source that another package brings, in two versions: it is installed by its entry point."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from cortex_insight.event import FileContext, Skipped
from cortex_insight.parser import Draft, Neighbours, ParseContext, Parsed, Reject
from roxabi_contracts import Claim, JsonBody, RawEvent, Statement, TimeNote
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.payloads import TimePrecision, TimeSource

SOURCE = "diary"
FORMER_HOME = "Atlantis"
ASIDE = "/aside"


class DiaryParser:
    """Reads where the author lives, and what they answer to, from entries of a diary."""

    source = SOURCE
    version = 2
    media_types = frozenset({"application/json"})

    def split(self, content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
        yield Skipped(0, "there are no files of it")

    def provides(self, event: RawEvent) -> tuple[str, ...]:
        return (event.source_ref,)

    def needs(self, event: RawEvent) -> tuple[str, ...]:
        before = _content(event).get("answers")
        return () if before is None else (before,)

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        content = _content(event)
        answered = [_content(found)["text"] for name in neighbours for found in neighbours[name]]
        text = " ".join([*answered, content["text"]])
        return Parsed((_draft(event, event.source_ref, text, content["home"]),))


class FormerDiaryParser(DiaryParser):
    """What it was before: it mistook every home, asked for nothing, and made two records of one."""

    version = 1

    def needs(self, event: RawEvent) -> tuple[str, ...]:
        return ()

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        names = (event.source_ref, event.source_ref + ASIDE)
        return Parsed(tuple(_draft(event, name, "Dear diary.", FORMER_HOME) for name in names))


def install(folder: Path, parser: type[DiaryParser]) -> None:
    """Put the package into a folder as an installer does, with that parser as its entry point."""
    module = Path(__file__)
    (folder / module.name).write_bytes(module.read_bytes())
    metadata = folder / f"{module.stem}-{parser.version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {module.stem}\nVersion: {parser.version}\n"
    )
    entry = f"{SOURCE} = {module.stem}:{parser.__name__}"
    (metadata / "entry_points.txt").write_text(f"[cortex_insight.parsers]\n{entry}\n")


def _content(event: RawEvent) -> dict[str, str]:
    assert isinstance(event.body, JsonBody)
    assert isinstance(event.body.content, dict)
    return {name: str(value) for name, value in event.body.content.items()}


def _draft(event: RawEvent, source_ref: str, text: str, home: str) -> Draft:
    assert event.occurred_at is not None
    assert event.owner is not None
    words = f"{text} I live in {home}."
    claim = Claim(about=0, predicate="lives_in", value={"value": home}, evidence=f"live in {home}")
    time = TimeNote(precision=TimePrecision.SECOND, source=TimeSource.EVENT)
    return Draft(
        payload=Statement(text=words, time=time, claims=(claim,)),
        source_ref=source_ref,
        timestamp=epoch_ms(event.occurred_at),
        actors=(event.owner,),
        subject=0,
    )
