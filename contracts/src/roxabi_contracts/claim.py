"""The claim check: a message that stands for an event which is too large for one."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

PART_BYTES: Final = 512 * 1024

_DIGEST: Final = "Claim-Digest"
_SIZE: Final = "Claim-Size"
_PARTS: Final = "Claim-Parts"


@dataclass(frozen=True)
class Claim:
    """What the parts of an event have to add up to."""

    digest: str
    """SHA-256 of all of its bytes, in hexadecimal."""
    size: int
    parts: int

    @classmethod
    def on(cls, data: bytes) -> "Claim":
        """The claim on these bytes."""
        return cls(hashlib.sha256(data).hexdigest(), len(data), -(-len(data) // PART_BYTES))

    @classmethod
    def of(cls, headers: Mapping[str, str] | None) -> "Claim | None":
        """The claim that a message holds; null: it is the event itself.

        Raises:
            ValueError: it holds something that is no claim.
        """
        if not headers or _DIGEST not in headers:
            return None
        return cls(headers[_DIGEST], int(headers[_SIZE]), int(headers[_PARTS]))

    def headers(self) -> dict[str, str]:
        """How a message holds it."""
        return {_DIGEST: self.digest, _SIZE: str(self.size), _PARTS: str(self.parts)}

    def is_met_by(self, data: bytes) -> bool:
        """Whether these are the bytes."""
        return len(data) == self.size and hashlib.sha256(data).hexdigest() == self.digest

    def part_id(self, number: int) -> str:
        """The message id of a part."""
        return f"{self.digest}.{number}"

    def number_of(self, part_id: str | None) -> int | None:
        """Which part has this message id; null: none of this claim's."""
        digest, _, number = (part_id or "").partition(".")
        return int(number) if digest == self.digest and number.isdecimal() else None


def parts_of(data: bytes) -> Iterator[bytes]:
    """The bytes in pieces that a message can hold."""
    for start in range(0, len(data), PART_BYTES):
        yield data[start : start + PART_BYTES]
