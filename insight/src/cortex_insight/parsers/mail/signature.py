"""What a signature block states of its author: numbers and pages, which need no interpretation."""

import re
from typing import Final

from roxabi_contracts import Claim

_PHONE: Final = re.compile(
    r"(?:(?:^|[\s|,;•·-])(?:tel|t|phone|mobile|mob|m|cell|tél|téléphone|portable|telefon|handy|p)"
    r"[.:\s]{1,3})?(?P<number>\+\d[\d\s().-]{7,20}\d)", re.I
)  # fmt: skip
_LABELLED: Final = re.compile(
    r"\b(?:tel|phone|mobile|mob|cell|tél|téléphone|portable|telefon|handy)[.:]{1,2}\s*"
    r"(?P<number>\(?\d[\d\s().-]{6,20}\d)", re.I
)  # fmt: skip
_PAGE: Final = re.compile(r"\b(?:https?://|www\.)[^\s<>|,;]+[^\s<>|,;.)]", re.I)
_CLAIMS_AT_MOST: Final = 4
_LONGEST: Final = 1500


def signature_claims(signature: str) -> tuple[Claim, ...]:
    """The claims of a signature; of a footer that a list or a firm puts there, none."""
    if not signature or len(signature) > _LONGEST or "unsubscribe" in signature.casefold():
        return ()
    phones = [*_PHONE.finditer(signature), *_LABELLED.finditer(signature)]
    numbers = dict.fromkeys(found["number"].strip() for found in phones)
    pages = dict.fromkeys(found[0] for found in _PAGE.finditer(signature))
    claims = [_claim("phone_number", number) for number in numbers]
    claims += [_claim("website", page) for page in list(pages)[:1] if len(pages) == 1]
    return tuple(claims[:_CLAIMS_AT_MOST])


def _claim(predicate: str, value: str) -> Claim:
    return Claim(about=0, predicate=predicate, value={"value": value}, evidence=value)
