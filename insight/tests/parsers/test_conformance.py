"""Our own parsers keep what every parser must keep."""

from cortex_insight.parsers.claude_code_jsonl import ClaudeCodeJsonlParser
from cortex_insight.parsers.message import MessageParser
from cortex_insight.testing import ParserConformance, SampleFile

from .sessions import assistant, call, line, result, to_bytes, user

OWNER_TURN = {"id": "1", "text": "I live in Lyon", "author": "owner", "at": "2026-03-01T09:30:00Z"}
CLAIM = {"predicate": "lives_in", "value": "Lyon", "evidence": "in Lyon", "about": 0}
TOM = {"name": "Tom", "email": "tom@example.net"}
ANSWER = {"message": {"id": "m", "content": [{"type": "text", "text": "Good"}]}}
LONGER_ANSWER = {"message": {"id": "m", "content": [{"type": "text", "text": "Good, I know"}]}}


class TestMessage(ParserConformance):
    parser = MessageParser()
    files = (
        SampleFile(
            "chat.jsonl",
            to_bytes(
                [
                    {**OWNER_TURN, "conversation": "family", "claims": [CLAIM]},
                    {"id": "2", "text": "And I in Rome", "author": TOM},
                    {**OWNER_TURN, "conversation": "family", "text": "Or Nice", "revision": 1},
                    {"id": "3", "author": "assistant", "deleted": True, "revision": 2},
                ]
            ),
        ),
        SampleFile("notes.json", b'[{"text": "I use Vim", "author": "owner", "kind": "note"}]'),
    )


class TestClaudeCode(ParserConformance):
    parser = ClaudeCodeJsonlParser()
    files = (
        SampleFile(
            "project/s-1.jsonl",
            to_bytes(
                [
                    line("summary", summary="Tides", uuid=None, timestamp=None),
                    user("I live in Lyon", promptId="p-1"),
                    assistant({"type": "text", "text": "Hello"}),
                    call("Bash", {"command": "make"}),
                    result("ok", {"stdout": "ok"}),
                    line("attachment", attachment={"type": "queued_command", "prompt": "hurry"}),
                    line("pr-link", prUrl="https://x/1", prNumber=1, uuid=None),
                    user("<bash-input>ls</bash-input>", timestamp=None),
                ]
            ),
        ),
        SampleFile(
            "project/s-2.jsonl",
            to_bytes(
                [
                    user("I live in Lyon", promptId="p-1", sessionId="s-2"),
                    result("late", None, "t-1", is_error=True),
                    user("No time is known here", timestamp=None),
                ]
            ),
        ),
        SampleFile(
            "project/s-3.jsonl",
            to_bytes(
                [
                    line("assistant", uuid="a", **ANSWER),
                    line("assistant", uuid="b", **LONGER_ANSWER),
                    user("I moved to Brest", uuid="c", parentUuid="b"),
                    user("I moved to Nantes", uuid="d", parentUuid="b"),
                    user("And I sail", uuid="e", parentUuid="d", forkedFrom={"sessionId": "s-0"}),
                    line("last-prompt", leafUuid="e", uuid=None, timestamp=None),
                    line("summary", summary="Moving", leafUuid="e", uuid=None, timestamp=None),
                ]
            ),
        ),
    )
