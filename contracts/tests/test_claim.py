"""A claim is met by the very bytes that it is on, in however many parts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roxabi_contracts import claim
from roxabi_contracts.claim import Claim, parts_of


@given(data=st.binary(min_size=1, max_size=40), size=st.integers(1, 9))
def test_the_parts_add_up_to_the_whole(data: bytes, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(claim, "PART_BYTES", size)
        parts, on = [*parts_of(data)], Claim.on(data)
    assert b"".join(parts) == data
    assert (len(parts), on.size) == (on.parts, len(data))
    assert max(map(len, parts)) <= size
    assert on.is_met_by(data)
    assert not on.is_met_by(data[:-1] + bytes([data[-1] ^ 1]))


def test_a_message_holds_its_claim_in_its_headers() -> None:
    on = Claim.on(b"large")
    assert Claim.of(on.headers() | {"Nats-Msg-Id": "1"}) == on
    assert Claim.of({"Nats-Msg-Id": "1"}) is None
    assert Claim.of(None) is None


def test_a_part_is_known_by_its_place() -> None:
    on = Claim.on(b"large")
    assert on.number_of(on.part_id(12)) == 12
    for other in (None, "", "x.1", f"{on.digest}.x", Claim.on(b"other").part_id(1)):
        assert on.number_of(other) is None
