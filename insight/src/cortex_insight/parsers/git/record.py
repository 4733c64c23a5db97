"""What an event of a repository holds: a commit or a tag."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import RawEvent
from roxabi_contracts.payloads import TimePrecision, TimeSource

from cortex_insight.event_time import Bound
from cortex_insight.parsers.records import as_object, as_text, read_json

Fields = dict[str, JsonValue]

_RAW_DATE: Final = re.compile(r"\s*(-?\d{1,13})(?:\s+([+-])(\d\d)(\d\d))?\s*")
_TRAILER: Final = re.compile(r"([A-Za-z][A-Za-z-]{1,40}):\s+(\S.*)")
_PICKED: Final = re.compile(r"\(cherry picked from commit ([0-9a-f]{7,64})\)")
_SIGNATURE: Final = re.compile(r"-----BEGIN (?:PGP|SSH) SIGNATURE-----[\s\S]*")


@dataclass(frozen=True)
class Person:
    """Somebody as git names them: a name and an address, neither checked by anybody."""

    name: str | None
    email: str | None


@dataclass(frozen=True)
class Commit:
    """A commit, with what its message says apart from its trailers."""

    fields: Fields

    @property
    def hash(self) -> str:
        """Its name all over the world."""
        return str(self.fields["commit"])

    @property
    def repository(self) -> str:
        """What the folder of its repository is called."""
        return as_text(self.fields.get("repository")) or "repository"

    @property
    def parents(self) -> tuple[str, ...]:
        """The commits that it follows; a merge has several."""
        return tuple((as_text(self.fields.get("parents")) or "").split())

    @property
    def author(self) -> tuple[Person, Person]:
        """Who wrote it: as the repository's map of names has them, and as they were recorded."""
        return self._person("mapped_name", "mapped_email"), self._person("name", "email")

    @property
    def committer(self) -> tuple[Person, Person]:
        """Who brought it in, likewise."""
        mapped = self._person("mapped_committer_name", "mapped_committer_email")
        return mapped, self._person("committer_name", "committer_email")

    @property
    def authored(self) -> Bound | None:
        """When it was written, as its author's clock had it."""
        return raw_date(self.fields.get("authored"))

    @property
    def committed(self) -> Bound | None:
        """When it got its place in the history."""
        return raw_date(self.fields.get("committed"))

    @property
    def subject(self) -> str:
        """The first line of its message."""
        return self._message.partition("\n")[0].strip()

    @property
    def body(self) -> str:
        """Its message below the subject, without trailers."""
        below = self._message.partition("\n")[2].strip("\n")
        *paragraphs, last = re.split(r"\n[ \t]*\n", below)
        return "\n\n".join(paragraphs if _is_trailers(last) else [*paragraphs, last]).strip()

    @property
    def trailers(self) -> tuple[tuple[str, str], ...]:
        """The names in lower case, and the values, of the lines at its end."""
        last = re.split(r"\n[ \t]*\n", self._message.strip("\n"))[1:][-1:]
        lines = last[0].split("\n") if last and _is_trailers(last[0]) else []
        found = (_TRAILER.fullmatch(line.strip()) for line in lines)
        return tuple((one[1].lower(), one[2]) for one in found if one is not None)

    @property
    def picked_from(self) -> str | None:
        """The commit whose change it repeats."""
        found = _PICKED.search(self._message)
        return found[1] if found else None

    @property
    def files(self) -> tuple[tuple[str, ...], ...]:
        """What it does to which files: a letter, the path, and of a renamed one the new path."""
        stated = self.fields.get("files")
        listed = (
            [one for one in stated if isinstance(one, list)] if isinstance(stated, list) else []
        )
        texts = (tuple(part for part in one if isinstance(part, str)) for one in listed)
        return tuple(one for one in texts if len(one) > 1)

    @property
    def more_files(self) -> int:
        """How many it touches beside these."""
        count = self.fields.get("more_files")
        return count if isinstance(count, int) and count > 0 else 0

    @property
    def _message(self) -> str:
        return (as_text(self.fields.get("message")) or "").replace("\r\n", "\n").lstrip("\n")

    def _person(self, name: str, email: str) -> Person:
        return Person(as_text(self.fields.get(name)), as_text(self.fields.get(email)))


@dataclass(frozen=True)
class Tag:
    """A name that was given to a commit."""

    fields: Fields

    @property
    def name(self) -> str:
        """As it is spelled."""
        return str(self.fields["tag"])

    @property
    def repository(self) -> str:
        """What the folder of its repository is called."""
        return as_text(self.fields.get("repository")) or "repository"

    @property
    def commit(self) -> str | None:
        """The commit that it names."""
        return as_text(self.fields.get("target")) or as_text(self.fields.get("object"))

    @property
    def is_signed_off(self) -> bool:
        """Somebody made it with a message; else it is no more than a name."""
        return self.fields.get("type") == "tag"

    @property
    def tagger(self) -> Person:
        """Who made it."""
        email = (as_text(self.fields.get("email")) or "").strip("<> ")
        return Person(as_text(self.fields.get("name")), email or None)

    @property
    def created(self) -> Bound | None:
        """When it was made; of a mere name, when its commit was."""
        return raw_date(self.fields.get("created"))

    @property
    def message(self) -> str:
        """What its maker says, without the signature."""
        text = as_text(self.fields.get("message")) if self.is_signed_off else None
        return _SIGNATURE.sub("", text or "").strip()


def read_record(event: RawEvent) -> Commit | Tag | None:
    """What an event holds; null: nothing of a repository."""
    try:
        fields = as_object(read_json(event.body.to_bytes()))
    except ValueError:
        return None
    if as_text(fields.get("commit")) is not None:
        return Commit(fields)
    return Tag(fields) if as_text(fields.get("tag")) is not None else None


def raw_date(value: JsonValue) -> Bound | None:
    """A count of seconds since 1970 and an offset, as git stores its times."""
    found = _RAW_DATE.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    minutes = int(found[3] or 0) * 60 + int(found[4] or 0)
    offset = timedelta(minutes=-minutes if found[2] == "-" else minutes)
    zone = timezone(offset) if abs(offset) < timedelta(hours=24) else UTC
    try:
        moment = datetime.fromtimestamp(int(found[1]), tz=UTC).astimezone(zone)
    except (ValueError, OverflowError, OSError):
        return None
    shown = moment.strftime("%z") or None
    return Bound(moment, TimeSource.RECORD, TimePrecision.SECOND, zone=shown)


def _is_trailers(paragraph: str) -> bool:
    lines = [line.strip() for line in paragraph.split("\n") if line.strip()]
    return bool(lines) and all(_TRAILER.fullmatch(one) or _PICKED.fullmatch(one) for one in lines)
