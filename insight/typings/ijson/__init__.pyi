from collections.abc import Iterator
from typing import Protocol

from pydantic import JsonValue

class _Readable(Protocol):
    def read(self, size: int = ...) -> bytes: ...

def parse(source: _Readable, *, use_float: bool = ...) -> Iterator[tuple[str, str, JsonValue]]: ...
