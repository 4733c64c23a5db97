"""The tests that every parser must pass."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta
from typing import ClassVar, Final

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from roxabi_contracts import Observation, RawEvent
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.event import body_of
from roxabi_contracts.payloads import TimeSource
from roxabi_contracts.subjects import check_token

from cortex_insight.event import FileHead, Skipped
from cortex_insight.parser import Confidence, Parser
from cortex_insight.reading import Reading
from cortex_insight.recognise import HEAD_BYTES
from cortex_insight.testing.mutation import mutated
from cortex_insight.testing.samples import (
    MODIFIED,
    OWNER,
    PROJECT,
    RECEIVED,
    SampleFile,
    read_files,
    readings_of,
)

_FOREIGN: Final = (b"", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"\x7fELF\2\1\1\0", b"\0" * 64)
_LATER: Final = timedelta(days=400)
_OFTEN: Final = settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[
        HealthCheck.differing_executors, HealthCheck.too_slow, HealthCheck.data_too_large
    ],
)  # fmt: skip


class ParserConformance:
    """Inherit it, and name the parser and its files."""

    parser: ClassVar[Parser]
    files: ClassVar[Sequence[SampleFile]]
    """Small, written for the test; together they are one import."""

    def test_its_name_is_a_token_and_its_title_a_line(self) -> None:
        """So that it can be part of a subject, and be listed."""
        assert check_token(self.parser.source) == self.parser.source
        assert self.parser.title.strip()
        assert "\n" not in self.parser.title
        assert self.parser.version >= 0

    def test_it_recognises_its_files_and_no_others(self) -> None:
        """So that an import finds it without being told."""
        for file in self.files:
            whole = len(file.content) <= HEAD_BYTES
            head = FileHead(file.path, file.content[:HEAD_BYTES], whole)
            assert self.parser.recognise(head) > Confidence.NONE, file.path
        for content in _FOREIGN:
            assert self.parser.recognise(FileHead("x", content, complete=True)) is Confidence.NONE

    def test_its_files_are_read(self) -> None:
        """Each event is of a media type that it reads, and all together say something."""
        readings = self._readings()
        assert all(reading.reject is None for reading in readings), [
            reading.reject for reading in readings if reading.reject
        ]
        assert any(reading.observations for reading in readings)

    def test_the_same_bytes_say_the_same(self) -> None:
        """Whatever was read before, and in pieces of whatever size."""
        first = read_files(self.parser, self.files)
        for piece in (1, 7, 1 << 20):
            assert read_files(self.parser, self.files, piece=piece) == first
        assert _said(self._readings()) == _said(self._readings())

    def test_the_order_of_import_is_invisible(self) -> None:
        """All that an event says depends on it and the neighbours that it asks for."""
        events = self._events(self.files)
        forwards, backwards = (readings_of(self.parser, order) for order in (events, events[::-1]))
        assert _said(forwards) == _said(backwards)
        twice = self._events([*reversed(self.files), *self.files])
        assert {event.event_id for event in twice} == {event.event_id for event in events}
        assert _said(readings_of(self.parser, twice)) == _said(forwards)

    def test_its_keys_are_stable(self) -> None:
        """A copy of a file elsewhere, with another time, gives records of the same keys.

        Where records have no other name than their place in a vault or repository, this is copied.
        """
        elsewhere = [
            SampleFile(f"copy/of/{file.path}", file.content, file.home or file.path)
            for file in self.files
        ]
        copied = read_files(self.parser, elsewhere, modified_at=MODIFIED + _LATER)
        again = [item for item in copied if isinstance(item, RawEvent)]
        assert _keys(readings_of(self.parser, again)) == _keys(self._readings())

    def test_a_key_names_one_record(self) -> None:
        """What shares its key and revision says the same."""
        by_key: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
        for one in _observations(self._readings()):
            by_key[one.source_ref, one.revision].add(one.id)
        assert {key: ids for key, ids in by_key.items() if len(ids) > 1} == {}

    def test_no_time_is_invented(self) -> None:
        """A time that no source states is that of the file or the receipt, and says so."""
        events = self._events(self.files)
        for received_at in (RECEIVED, RECEIVED + _LATER):
            for one in _observations(readings_of(self.parser, events, received_at)):
                if one.payload.time.source is TimeSource.RECEIPT:
                    assert one.timestamp == epoch_ms(received_at)
        first, later = (
            [
                (one.source_ref, one.revision, one.timestamp)
                for one in _observations(readings_of(self.parser, events, received_at))
                if one.payload.time.source is not TimeSource.RECEIPT
            ]
            for received_at in (RECEIVED, RECEIVED + _LATER)
        )
        assert first == later

    def test_scope_and_origin_come_from_the_event(self) -> None:
        """The memory is the owner's, the project the event's; a parser only lowers the trust."""
        readings = self._readings()
        for reading in readings:
            assert reading.admitted.event.project == PROJECT
            for one in reading.observations:
                assert one.actors[one.subject].identifiers == OWNER.identifiers
        unowned = [event.model_copy(update={"owner": None}) for event in self._events(self.files)]
        assert _observations(readings_of(self.parser, unowned)) == []

    def test_what_is_claimed_stands_in_the_text(self) -> None:
        """Word for word: else memory refuses the claim."""
        for one in _observations(self._readings()):
            for claim in one.payload.claims:
                assert claim.evidence in one.payload.text

    @_OFTEN
    @given(data=st.data())
    def test_broken_files_never_stop_it(self, data: st.DataObject) -> None:
        """What is wrong is skipped or rejected with a reason, and the rest is read."""
        file = data.draw(st.sampled_from(list(self.files)))
        content = data.draw(mutated(file.content))
        self.parser.recognise(FileHead(file.path, content[:HEAD_BYTES], complete=False))
        items = read_files(self.parser, [SampleFile(file.path, content)])
        assert all(item.reason for item in items if isinstance(item, Skipped))
        self._read_calmly([item for item in items if isinstance(item, RawEvent)])

    @_OFTEN
    @given(content=st.binary(max_size=300))
    def test_junk_never_stops_it(self, content: bytes) -> None:
        """Neither as a file nor as an event that somebody publishes."""
        path = self.files[0].path
        items = read_files(self.parser, [SampleFile(path, content)])
        media_type = min(self.parser.media_types)
        published = RawEvent(
            project=PROJECT,
            source=self.parser.source,
            source_ref="junk",
            media_type=media_type,
            body=body_of(content),
            owner=OWNER,
        )
        self._read_calmly([published, *(item for item in items if isinstance(item, RawEvent))])

    def _events(self, files: Sequence[SampleFile]) -> list[RawEvent]:
        items = read_files(self.parser, files)
        return [item for item in items if isinstance(item, RawEvent)]

    def _readings(self) -> list[Reading]:
        return readings_of(self.parser, self._events(self.files))

    def _read_calmly(self, events: Sequence[RawEvent]) -> None:
        for event in events:
            self.parser.provides(event)
            self.parser.needs(event)
        failed = [
            reading.reject
            for reading in readings_of(self.parser, events)
            if reading.reject is not None
            and reading.reject.code in ("parser_failed", "observation_not_sendable")
        ]
        assert failed == []


def _observations(readings: Sequence[Reading]) -> list[Observation]:
    return [one for reading in readings for one in reading.observations]


def _said(readings: Sequence[Reading]) -> list[str]:
    return sorted({one.message_id for one in _observations(readings)})


def _keys(readings: Sequence[Reading]) -> set[tuple[str, int]]:
    return {(one.source_ref, one.revision) for one in _observations(readings)}
