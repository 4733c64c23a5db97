"""Files inside a zip archive, read in place: nothing is unpacked, and nothing leads outside."""

import stat
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Final
from zipfile import BadZipFile, ZipFile, ZipInfo
from zlib import error as ZlibError

from cortex_insight.errors import ArchiveRefused

MAGIC: Final = (b"PK\x03\x04", b"PK\x05\x06")
"""How an archive begins; the second one is empty."""

RATIO_AT_MOST: Final = 200
"""How many times its packed size a file may have; exports stay below 50."""
RATIO_FROM_BYTES: Final = 32 * 1024 * 1024
"""Below this size no ratio is refused: small files of one letter pack well."""
_UTF8_NAME: Final = 0x800
_ENCRYPTED: Final = 0x1
_EXTENDED_TIME: Final = 0x5455


@dataclass(frozen=True)
class Member:
    """A file in an open archive."""

    archive: ZipFile
    info: ZipInfo
    name: str

    def modified_at(self) -> datetime | None:
        """Its time in UTC; null: the archive has only a local time without its zone."""
        return _extended_time(self.info.extra)

    def pieces(self, size: int) -> Iterator[bytes]:
        """Its bytes, as long as they do not grow beyond all measure.

        Raises:
            ArchiveRefused: it is damaged, or a bomb.
        """
        read = 0
        most = max(RATIO_FROM_BYTES, self.info.compress_size * RATIO_AT_MOST)
        try:
            with self.archive.open(self.info) as file:
                while piece := file.read(size):
                    read += len(piece)
                    if read > most:
                        raise ArchiveRefused(f"grows to over {RATIO_AT_MOST} times its packed size")
                    yield piece
        except (BadZipFile, ZlibError, EOFError, NotImplementedError, RuntimeError) as error:
            raise ArchiveRefused(f"cannot be unpacked: {type(error).__name__}") from error


@dataclass(frozen=True)
class Refused:
    """Something in an archive that is not read, and why."""

    name: str
    reason: str


def open_archive(path: Path) -> ZipFile:
    """The archive at a path.

    Raises:
        ArchiveRefused: it is none, damaged, or its files share their bytes.
        OSError: it cannot be read.
    """
    try:
        archive = ZipFile(path)
    except (BadZipFile, ValueError, struct.error, NotImplementedError) as error:
        raise ArchiveRefused("no zip archive, or a damaged one") from error
    if sum(info.compress_size for info in archive.infolist()) > path.stat().st_size:
        archive.close()
        raise ArchiveRefused("its files are larger than the archive: a bomb")
    return archive


def members(archive: ZipFile) -> Iterator[Member | Refused]:
    """The files of an archive, those at its top first, as in a folder; no others are read."""
    named = sorted(
        ((_name(info), info) for info in archive.infolist()),
        key=lambda one: (one[0].count("/"), one[0]),
    )
    for name, info in named:
        if info.is_dir():
            continue
        reason = _objection(name, info)
        yield Refused(name, reason) if reason else Member(archive, info, name)


def _objection(name: str, info: ZipInfo) -> str | None:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or ":" in name.split("/", 1)[0] or "\0" in name:
        return "its name leads outside the archive"
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        return "links are not followed" if kind == stat.S_IFLNK else "neither a file nor a folder"
    if info.flag_bits & _ENCRYPTED:
        return "it is encrypted"
    return None


def _name(info: ZipInfo) -> str:
    """With `/`; in UTF-8 where the writer only forgot to say so."""
    name = info.filename
    if not info.flag_bits & _UTF8_NAME:
        try:
            name = name.encode("cp437").decode()
        except ValueError:
            name = info.filename
    return name.replace("\\", "/")


def _extended_time(extra: bytes) -> datetime | None:
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<HH", extra)
        content, extra = extra[4 : 4 + length], extra[4 + length :]
        if kind == _EXTENDED_TIME and len(content) >= 5 and content[0] & 1:
            (seconds,) = struct.unpack_from("<i", content, 1)
            return datetime.fromtimestamp(seconds, tz=UTC)
    return None
