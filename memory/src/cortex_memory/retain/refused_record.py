"""What a message says of itself that is no observation: which record it is about, and whose."""

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError


class _Lenient(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class RefusedRecord(_Lenient):
    """As much as is legible; what is not is null or empty."""

    source: JsonValue = None
    source_ref: JsonValue = None
    timestamp: JsonValue = None
    subject: JsonValue = None
    actors: JsonValue = None

    def key(self) -> tuple[str, str] | None:
        """Source and reference of the record; null: it does not say both."""
        if isinstance(self.source, str) and isinstance(self.source_ref, str):
            return self.source, self.source_ref
        return None

    def is_said_until(self, until: int) -> bool:
        """Whether it was said by then, or does not say when."""
        return not isinstance(self.timestamp, int) or self.timestamp <= until

    def owners(self) -> set[str]:
        """By which identifiers the owner of the memory is named; none: it does not say."""
        try:
            return {f"{key.scheme}:{key.value}".lower() for key in self._owner().identifiers}
        except (ValidationError, LookupError):
            return set()

    def _owner(self) -> "_Actor":
        if not isinstance(self.actors, list) or not isinstance(self.subject, int):
            raise LookupError
        return _Actor.model_validate(dict(enumerate(self.actors))[self.subject])


class _Key(_Lenient):
    scheme: str
    value: str


class _Actor(_Lenient):
    identifiers: tuple[_Key, ...] = ()


def refused_record(body: bytes) -> RefusedRecord | None:
    """Read it; null: it is no JSON object."""
    try:
        return RefusedRecord.model_validate_json(body)
    except ValidationError:
        return None
