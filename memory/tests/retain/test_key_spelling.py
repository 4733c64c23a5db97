"""One spelling for each key, and no more than one key for a spelling."""

import unicodedata

import pytest
from cortex_memory.retain.key_spelling import folded, spelling

SAME = [
    ("email", "Ann@Garden.org ", "ann@garden.org"),
    ("email", "<ann@garden.org>", "mailto:ann@garden.org"),
    ("email", "ann@garden.org.", "ann@GARDEN.org"),
    ("email", "ann\u200b@garden.org", "ann@garden.org"),
    ("email", "\uff41nn@garden.org", "ann@garden.org"),
    ("email", "ren\u00e9@garden.org", "rene\u0301@garden.org"),
    ("email", "STRASSE@garden.org", "stra\u00dfe@garden.org"),
    ("email", "ann@b\u00fccher.example", "ann@xn--bcher-kva.example"),
    ("email", "ann@B\u00dcCHER.example", "ann@bu\u0308cher.example"),
    ("phone", "+47 22 33-44 55", "+4722334455"),
    ("phone", "0047 22334455", "tel:+47-22-33-44-55"),
    ("phone", "+49 (0)30 1234567", "+49301234567"),
    ("phone", "(+47) 22334455", "+4722334455"),
    ("phone", "+4722334455 ext. 12", "+4722334455;ext=12"),
    ("phone", "+\u0664\u0667 22334455", "+4722334455"),
    ("slug", "@Ann-Bee", "ann-bee"),
    ("uri", "HTTPS://Garden.org:443/", "https://garden.org"),
    ("uri", "https://b\u00fccher.example/ann", "https://xn--bcher-kva.example/ann"),
    ("account:chat", " 4711\ufe0f", "4711"),
    ("account:forge", "@ann", "ann"),
]

APART = [
    ("email", "ann.bee@garden.org", "annbee@garden.org"),
    ("email", "ann+news@gmail.com", "ann@gmail.com"),
    ("email", "a.nn@gmail.com", "ann@gmail.com"),
    ("email", "ann@gmail.com", "ann@googlemail.com"),
    ("email", "ann@stra\u00dfe.example", "ann@strasse.example"),
    ("email", "\u0131\u015f\u0131k@garden.org", "I\u015eIK@garden.org"),
    ("email", "ann", "ann@garden.org"),
    ("phone", "+4722334455", "22334455"),
    ("phone", "+4722334455", "+4722334455 ext 12"),
    ("phone", "unknown", "none"),
    ("uri", "https://garden.org/Ann", "https://garden.org/ann"),
    ("uri", "https://garden.org/ann#me", "https://garden.org/ann"),
    ("uri", "http://garden.org", "https://garden.org"),
    ("account:video", "UCabc", "ucabc"),
]


@pytest.mark.parametrize(("scheme", "one", "other"), SAME)
def test_one_key_has_one_spelling(scheme: str, one: str, other: str) -> None:
    assert spelling(scheme, one) == spelling(scheme, other)


@pytest.mark.parametrize(("scheme", "one", "other"), APART)
def test_two_keys_stay_two(scheme: str, one: str, other: str) -> None:
    assert spelling(scheme, one) != spelling(scheme, other)


@pytest.mark.parametrize("value", ["http://[", "http://a.org:port/x", "ann@\u2603..x", "@", ""])
@pytest.mark.parametrize("scheme", ["email", "phone", "slug", "uri", "account:chat"])
def test_what_is_malformed_is_compared_as_it_stands(scheme: str, value: str) -> None:
    once = spelling(scheme, value)
    assert spelling(scheme, once) == once


def test_sharp_s_is_two_s_and_the_dotless_i_of_turkish_its_own_letter() -> None:
    assert folded("Gro\u00df") == folded("GROSS")
    assert folded("\u0131") != folded("I")
    assert folded("\u0130zmir") == unicodedata.normalize("NFC", "i\u0307zmir")
