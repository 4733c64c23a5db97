from pathlib import Path

from cortex_local.files import secret, write_private
from cortex_local.locks import exclusive_lock, is_held


def test_private_file_is_replaced_and_stays_private(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_private(path, "one")
    write_private(path, "two")
    assert path.read_text() == "two"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_secret_is_generated_once_and_kept(tmp_path: Path) -> None:
    first = secret(tmp_path / "secrets" / "one")
    assert len(first) >= 32
    assert secret(tmp_path / "secrets" / "one") == first
    assert secret(tmp_path / "secrets" / "two") != first


def test_lock_is_held_by_one_at_a_time_and_free_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    assert not is_held(path)
    with exclusive_lock(path) as first, exclusive_lock(path) as second:
        assert (first, second) == (True, False)
        assert is_held(path)
    assert not is_held(path)
