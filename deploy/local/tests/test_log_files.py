from pathlib import Path

from cortex_local.log_files import KEPT, set_aside


def write(log: Path, text: str) -> None:
    with log.open("a") as stream:
        stream.write(text)


def test_small_log_is_left_alone(tmp_path: Path) -> None:
    log = tmp_path / "memory.log"
    assert not set_aside(log, 10)
    write(log, "0123456789")
    assert not set_aside(log, 10)
    assert log.read_text() == "0123456789"


def test_who_holds_the_log_open_goes_on_writing_into_it(tmp_path: Path) -> None:
    log = tmp_path / "memory.log"
    log.touch(0o600)
    with log.open("ab", buffering=0) as held:
        held.write(b"before before\n")
        assert set_aside(log, 10)
        held.write(b"after\n")
    assert log.read_text() == "after\n"
    older = tmp_path / "memory.log.1"
    assert older.read_text() == "before before\n"
    assert older.stat().st_mode & 0o777 == 0o600


def test_oldest_parts_go(tmp_path: Path) -> None:
    log = tmp_path / "memory.log"
    for number in range(KEPT + 2):
        write(log, f"part {number}")
        assert set_aside(log, 1)
    left = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert left.pop("memory.log") == ""
    assert left == {f"memory.log.{n + 1}": f"part {KEPT + 1 - n}" for n in range(KEPT)}
