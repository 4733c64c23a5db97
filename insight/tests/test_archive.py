"""Archives are read in place; whatever would lead outside or grow without measure is refused."""

import io
import stat
import struct
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest
from cortex_insight import archive
from cortex_insight.collect import Finished, LeftOut, collect
from cortex_insight.files import FoundFile, Passed, find_files
from roxabi_contracts import RawEvent

from tests.lines_source import OWNER, lines_job


def packed(path: Path, files: dict[str, bytes]) -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return path


def texts(path: Path) -> list[str]:
    items = collect(lines_job(path), find_files([path]), lambda _: None)
    return [item.body.to_bytes().decode() for item in items if isinstance(item, RawEvent)]


def left_out(path: Path) -> dict[str, str]:
    items = collect(lines_job(path), find_files([path]), lambda _: None)
    return {item.place: item.reason for item in items if isinstance(item, LeftOut)}


def test_the_files_of_an_archive_are_read_like_those_of_a_folder(tmp_path: Path) -> None:
    path = packed(tmp_path / "export.zip", {"b/two": b"b\n", "one": b"a\n"})
    assert texts(path) == texts(tmp_path) == ["a", "b"]
    found = [one.relative for one in find_files([path]) if isinstance(one, FoundFile)]
    assert found == ["one", "b/two"]


def test_an_archive_is_known_by_its_content_when_it_is_named(tmp_path: Path) -> None:
    packed(tmp_path / "download", {"one": b"a\n"})
    assert texts(tmp_path / "download") == ["a"]


@pytest.mark.parametrize("name", ["/etc/passwd", "../up", "a/../../up", "C:/windows", "..\\up"])
def test_a_name_that_leads_outside_is_refused(tmp_path: Path, name: str) -> None:
    path = packed(tmp_path / "evil.zip", {name: b"x\n", "good": b"a\n"})
    assert texts(path) == ["a"]
    assert [*left_out(path).values()] == ["its name leads outside the archive"]


def test_a_link_is_refused(tmp_path: Path) -> None:
    link = ZipInfo("link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with ZipFile(tmp_path / "links.zip", "w") as made:
        made.writestr(link, "/etc/passwd")
    path = tmp_path / "links.zip"
    assert left_out(path) == {f"{path}:link": "links are not followed"}


def test_a_file_that_grows_beyond_measure_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "RATIO_FROM_BYTES", 1024)
    path = packed(tmp_path / "bomb.zip", {"bomb": b"\n" * 5_000_000, "good": b"a\n"})
    assert "a" in texts(path)
    assert left_out(path) == {f"{path}:bomb": "grows to over 200 times its packed size"}


def test_files_that_share_their_bytes_are_a_bomb(tmp_path: Path) -> None:
    path = packed(tmp_path / "whole.zip", {"one": bytes(range(256)) * 40})
    with ZipFile(path, "a") as made:
        (info,) = made.infolist()
        for number in range(50):
            twin = ZipInfo(f"twin{number}")
            for name in ("header_offset", "compress_size", "file_size", "CRC", "compress_type"):
                setattr(twin, name, getattr(info, name))
            made.filelist.append(twin)
            made.NameToInfo[twin.filename] = twin
        made.writestr("last", b"")
    assert left_out(path) == {str(path): "its files are larger than the archive: a bomb"}


def test_a_damaged_archive_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    whole = packed(tmp_path / "whole.zip", {"one": b"a\n"}).read_bytes()
    (tmp_path / "broken.zip").write_bytes(whole[:30])
    assert texts(tmp_path) == ["a"]
    assert [*left_out(tmp_path).values()] == ["no zip archive, or a damaged one"]


def test_damage_inside_is_told(tmp_path: Path) -> None:
    path = packed(tmp_path / "rotten.zip", {"one": bytes(range(256)) * 100})
    content = bytearray(path.read_bytes())
    content[60:80] = b"\xff" * 20
    path.write_bytes(content)
    (reason,) = left_out(path).values()
    assert reason.startswith("cannot be unpacked")


def test_an_archive_in_an_archive_is_not_opened(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with ZipFile(inner, "w") as made:
        made.writestr("deep", "x")
    path = packed(tmp_path / "outer.zip", {"inner.zip": inner.getvalue()})
    assert [*left_out(path).values()] == ["an archive inside an archive is not opened"]


def test_the_time_of_a_file_is_the_archives_own_or_stated_in_utc(tmp_path: Path) -> None:
    stamped = ZipInfo("stamped")
    stamped.extra = struct.pack("<HHBi", 0x5455, 5, 1, 1_700_000_000)
    with ZipFile(tmp_path / "times.zip", "w") as made:
        made.writestr(stamped, "a\n")
        made.writestr("plain", "b\n")
    times: dict[str, float] = {}
    for found in find_files([tmp_path / "times.zip"]):
        assert isinstance(found, FoundFile)
        modified = found.context("p", OWNER).modified_at
        assert modified is not None
        times[found.relative] = modified.timestamp()
    assert times["stamped"] == 1_700_000_000
    assert abs(times["plain"] - (tmp_path / "times.zip").stat().st_mtime) < 0.001


def test_a_name_in_utf8_without_its_mark_is_read(tmp_path: Path) -> None:
    path = packed(tmp_path / "names.zip", {"é": b"a\n"})
    content = path.read_bytes().replace(b"\x00\x08\x08\x00", b"\x00\x00\x08\x00")
    path.write_bytes(content)
    names = [one.relative for one in find_files([path]) if not isinstance(one, Passed)]
    assert names == ["é"]


def test_every_file_that_is_read_is_told(tmp_path: Path) -> None:
    path = packed(tmp_path / "two.zip", {"one": b"a\n", "two": b"b\n"})
    items = [*collect(lines_job(path), find_files([path]), lambda _: None)]
    assert sum(isinstance(item, Finished) for item in items) == 2
