"""Lines of a file, however its bytes arrive."""

from cortex_insight.event import Line, split_lines
from hypothesis import given
from hypothesis import strategies as st

BYTES = st.lists(st.sampled_from([b"a", b"bc", b"\n", b"\r", "\u2028é".encode(), b"\x00"]))


def test_only_line_feeds_end_a_line() -> None:
    content = "one\u2028still one\x0b\x85\ntwo\r\n\nlast".encode()
    assert [*split_lines([content])] == [
        Line(0, "one\u2028still one\x0b\x85".encode(), complete=True),
        Line(19, b"two\r", complete=True),
        Line(24, b"", complete=True),
        Line(25, b"last", complete=False),
    ]


def test_an_empty_file_has_no_line() -> None:
    assert [*split_lines([])] == [*split_lines([b""])] == []


@given(pieces=BYTES)
def test_pieces_make_no_difference_and_nothing_is_lost(pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    lines = [*split_lines(pieces)]
    assert lines == [*split_lines([whole])]
    assert b"".join(line.content + b"\n" * line.complete for line in lines) == whole
    for line in lines:
        assert whole[line.offset :].startswith(line.content)
