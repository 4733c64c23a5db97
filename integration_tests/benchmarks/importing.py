"""How fast files are read, per source, and whether memory stays flat in the size of a file.

Each source is measured in a process of its own, on one file of the size that is asked for: what is
recognised, split and parsed counts, in seconds of the processor, without lake and broker.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cortex_insight.collect import Job, collect
from cortex_insight.files import find_files
from cortex_insight.parser import ParseContext, Reject
from cortex_insight.parsers import load_parsers
from roxabi_contracts import Origin, RawEvent
from samples import PROJECT, owner

RECEIVED: Final = datetime(2026, 6, 1, tzinfo=UTC)
FIRST: Final = 1_700_000_000
TEXT: Final = "I live in Porto and work at the harbour. " * 12
MEGABYTE: Final = 1_000_000


def main() -> None:
    """Measure every source, or in a process of its own one; a line of JSON each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=100, help="size of each file")
    parser.add_argument("--sources", nargs="*", choices=sorted(FILES), default=sorted(FILES))
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.file is not None:
        print(json.dumps(measure(arguments.sources[0], arguments.file)), flush=True)
        return
    with tempfile.TemporaryDirectory(prefix="cortex-") as folder:
        for source in arguments.sources:
            path = write_file(source, arguments.megabytes * MEGABYTE, Path(folder))
            command = [sys.executable, "-m", "benchmarks.importing", "--sources", source]
            subprocess.run([*command, "--file", str(path)], check=True)
            path.unlink()


def measure(source: str, path: Path) -> dict[str, object]:
    """Read one file as an import does, and parse each event as the lake does."""
    parsers = load_parsers()
    job = Job(parsers, [path], PROJECT, owner())
    context = ParseContext(RECEIVED, Origin.SEMI_TRUSTED)
    started, events, observations = time.process_time(), 0, 0
    for item in collect(job, find_files(job.paths), lambda _: None):
        if isinstance(item, RawEvent):
            assert item.source == source, f"taken for {item.source}"
            events += 1
            parsed = parsers[source].parse(item, {}, context)
            observations += 0 if isinstance(parsed, Reject) else len(parsed.drafts)
    seconds = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "source": source,
        "events": events,
        "observations": observations,
        "events_per_second": round(events / seconds),
        "mb_per_second": round(path.stat().st_size / MEGABYTE / seconds, 1),
        "peak_rss_mb": round(peak / (1024 * 1024 if sys.platform == "darwin" else 1024)),
    }


def write_file(source: str, size: int, folder: Path) -> Path:
    """A file of a source, of at least this many bytes."""
    name, begin, record, between, end = FILES[source]
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with path.open("wb") as file:
        file.write(begin)
        for number in _numbers():
            piece = (between if number else b"") + record(number)
            written += file.write(piece)
            if written >= size:
                break
        file.write(end)
    return path


def _numbers() -> Iterator[int]:
    number = 0
    while True:
        yield number
        number += 1


def _message(number: int) -> bytes:
    record = {"id": str(number), "text": TEXT, "at": FIRST + number, "author": "owner"}
    return json.dumps(record).encode()


def _session(number: int) -> bytes:
    at = datetime.fromtimestamp(FIRST + number, tz=UTC).isoformat()
    record = {
        "type": "user", "uuid": f"u{number}", "parentUuid": f"u{number - 1}", "sessionId": "s",
        "timestamp": at, "message": {"role": "user", "content": TEXT},
    }  # fmt: skip
    return json.dumps(record).encode()


def _chat_with_claude(number: int) -> bytes:
    at = datetime.fromtimestamp(FIRST + number, tz=UTC).isoformat()
    messages = [
        {"uuid": f"{number}-{turn}", "sender": "assistant" if turn % 2 else "human", "text": TEXT,
         "content": [{"type": "text", "text": TEXT}], "created_at": at, "updated_at": at}
        for turn in range(8)
    ]  # fmt: skip
    record = {"uuid": f"c{number}", "name": "Harbour", "created_at": at, "updated_at": at,
              "chat_messages": messages}  # fmt: skip
    return json.dumps(record, indent=1).encode()


def _rollout(number: int) -> bytes:
    """A prompt, told in two ways, a call, and its result."""
    at = datetime.fromtimestamp(FIRST + number, tz=UTC).isoformat()
    said = [{"type": "input_text", "text": f"{number} {TEXT}"}]
    kinds: list[tuple[str, dict[str, object]]] = [
        ("response_item", {"type": "message", "role": "user", "content": said}),
        ("event_msg", {"type": "user_message", "message": f"{number} {TEXT}"}),
        ("response_item", {"type": "function_call", "name": "shell", "call_id": f"c{number}",
                           "arguments": json.dumps({"command": ["bash", "-lc", "make"]})}),
        ("response_item", {"type": "function_call_output", "call_id": f"c{number}",
                           "output": f"Exit code: 0\nOutput:\n{TEXT}"}),
    ]  # fmt: skip
    lines = [{"timestamp": at, "type": kind, "payload": payload} for kind, payload in kinds]
    return b"\n".join(json.dumps(line).encode() for line in lines)


def _mail(number: int) -> bytes:
    at = datetime.fromtimestamp(FIRST + number, tz=UTC).strftime("%d %b %Y %H:%M:%S +0000")
    return (
        "From tom@example.net Tue Mar  3 09:30:00 2026\n"
        f"From: Tom <tom@example.net>\nTo: ada@example.org\nDate: {at}\n"
        f"Message-ID: <{number}@example.net>\nSubject: Harbour\n\n{TEXT}\n\n"
        f"On Tue, 3 Mar 2026, Ada wrote:\n> {TEXT[:200]}\n"
    ).encode()


def _chat(number: int) -> bytes:
    record = {
        "id": number, "type": "message", "date_unixtime": str(FIRST + number), "from": "Tom",
        "from_id": "user77", "text": TEXT, "text_entities": [{"type": "plain", "text": TEXT}],
    }  # fmt: skip
    return json.dumps(record, indent=1).encode()


def _workspace(number: int) -> bytes:
    record = {"type": "message", "user": "U0TOM", "text": TEXT, "ts": f"{FIRST + number}.000100"}
    return json.dumps(record, indent=1).encode()


def _conversation(number: int) -> bytes:
    """Four turns; what follows the first answer was asked anew."""
    mapping: dict[str, object] = {"root": {"id": "root", "parent": None, "message": None}}
    above = "root"
    for turn in range(8):
        role = "assistant" if turn % 2 else "user"
        mapping[f"m{turn}"] = {"id": f"m{turn}", "parent": above, "message": {
            "author": {"role": role}, "create_time": FIRST + number + turn, "recipient": "all",
            "content": {"content_type": "text", "parts": [TEXT]}, "metadata": {},
        }}  # fmt: skip
        above = "root" if turn == 1 else f"m{turn}"
    record = {
        "title": "Harbour", "create_time": FIRST + number, "update_time": FIRST + number + 9,
        "mapping": mapping, "current_node": "m7", "conversation_id": f"c{number}",
    }  # fmt: skip
    return json.dumps(record, indent=1).encode()


def _cue(number: int) -> bytes:
    seconds = number * 12
    start, end = (f"{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}.000"
                  for at in (seconds, seconds + 11))  # fmt: skip
    return f"{start} --> {end}\n<v Speaker Number{number % 3}>{TEXT}</v>\n".encode()


def _commit(number: int) -> bytes:
    who = ("Tom", "tom@example.net")
    at = f"{FIRST + number} +0100"
    fields = [
        "commit 1", f"{number:040x}", f"{number - 1:040x}" if number else "", *who, *who, at,
        *who, *who, at, f"Change {number}\n\n{TEXT}\n", "", "\nM", f"src/{number}.py", "",
    ]  # fmt: skip
    return "\0".join(fields).encode()


def _section(number: int) -> bytes:
    return f"## Day {number}\n\n{TEXT}See [[Harbour]] #work.\n\n- [ ] Call {number}\n".encode()


_CHAT_BEGINS: Final = b'{"name": "Club", "type": "private_supergroup", "id": 5, "messages": ['

FILES: Final[dict[str, tuple[str, bytes, Callable[[int], bytes], bytes, bytes]]] = {
    "chatgpt": ("conversations.json", b"[", _conversation, b",\n", b"]"),
    "claude-ai": ("conversations.json", b"[", _chat_with_claude, b",\n", b"]"),
    "claude-code-jsonl": ("session.jsonl", b"", _session, b"\n", b"\n"),
    "codex": ("rollout-1.jsonl", b"", _rollout, b"\n", b"\n"),
    "git": ("harbour.gitlog", b"", _commit, b"", b""),
    "mail": ("all.mbox", b"", _mail, b"\n", b""),
    "markdown": ("notes/book.md", b"# Book\n\n", _section, b"\n", b""),
    "message": ("notes.jsonl", b"", _message, b"\n", b"\n"),
    "slack": ("general/2026-03-03.json", b"[", _workspace, b",\n", b"]"),
    "telegram": ("result.json", _CHAT_BEGINS, _chat, b",\n", b"]}"),
    "transcript": ("meeting.vtt", b"WEBVTT\n\n", _cue, b"\n", b""),
}
"""Of each source the file's name, what it begins with, a record, what is between, its end."""


if __name__ == "__main__":
    main()
