import json
from pathlib import Path

from cortex_local.demo_script import FOLDER, load_demo


def test_script_names_what_is_shipped() -> None:
    demo = load_demo()
    assert {history.source for history in demo.histories} == {"claude-code-jsonl", "message"}
    assert len(demo.questions) >= 5
    for history in demo.histories:
        source, path = demo.request(history).what
        assert source == history.source
        assert any(Path(path).iterdir())


def test_histories_are_the_owners() -> None:
    demo = load_demo()
    lines = (FOLDER / "chat" / "friends.jsonl").read_text(encoding="utf-8").splitlines()
    authors = [json.loads(line)["author"] for line in lines]
    assert "owner" in authors
    assert not [author for author in authors if author != "owner" and author["email"] == demo.owner]
