from collections.abc import Mapping
from datetime import date, datetime, time, timedelta

class Component:
    def get(self, key: str) -> object: ...
    def walk(self, name: str) -> list[Component]: ...

class Calendar(Component):
    @classmethod
    def from_ical(cls, st: str, multiple: bool) -> list[Component]: ...

class vDDDTypes:
    dt: datetime | date | time | timedelta | tuple[object, ...]
    params: Mapping[str, str]

class vCalAddress(str):
    params: Mapping[str, str | list[str]]

class vRecur:
    def to_ical(self) -> bytes: ...
