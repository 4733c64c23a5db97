"""A real HTTP server that gives recorded answers: the text that it is asked about decides which."""

import json
import threading
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pydantic import JsonValue

INPUT_TOKENS = 100
OUTPUT_TOKENS = 20

_SUCCESS: tuple[int, dict[str, str]] = (200, {})


class RecordedEndpoint(ThreadingHTTPServer):
    """Answers with what is recorded for a text, to either service; nothing of an unknown text."""

    daemon_threads = True
    recorded: Mapping[str, list[JsonValue]]
    documents: list[dict[str, Any]]
    """What was asked, in order."""
    instructions: list[str]
    """How it was to be answered, in order."""
    failures: Iterator[tuple[int, dict[str, str]]]
    """Status and headers of the answers to come before any is given."""
    garbled: set[str]
    """Texts to which the answer is no JSON."""
    cut: set[str]
    """Texts to which the answer ends before its end."""
    pause: float
    """Seconds between the headers and the answer; something comes now and then."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def texts(self) -> list[str]:
        """The texts that it was asked about, in order."""
        return [_text_of(document) for document in self.documents]


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        endpoint = self.server
        assert isinstance(endpoint, RecordedEndpoint)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        endpoint.instructions.append(body["messages"][0]["content"])
        document = json.loads(body["messages"][1]["content"])
        endpoint.documents.append(document)
        status, headers = next(endpoint.failures, _SUCCESS)
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self._drip(endpoint.pause, json.dumps(_completion(endpoint, document)).encode())

    def _drip(self, pause: float, answer: bytes) -> None:
        until = time.monotonic() + pause
        with suppress(BrokenPipeError, ConnectionResetError):
            while time.monotonic() < until:
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.05)
            self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test's output clean."""


def _completion(endpoint: RecordedEndpoint, document: Mapping[str, Any]) -> Mapping[str, Any]:
    text = _text_of(document)
    asked_for = "candidates" if "observation" in document else "claims"
    content = json.dumps({asked_for: endpoint.recorded.get(text, [])})
    finish = "length" if text in endpoint.cut else "stop"
    message = {"role": "assistant", "content": "{" if text in endpoint.garbled else content}
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "recorded",
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": {
            "prompt_tokens": INPUT_TOKENS,
            "completion_tokens": OUTPUT_TOKENS,
            "total_tokens": INPUT_TOKENS + OUTPUT_TOKENS,
        },
    }


def _text_of(document: Mapping[str, Any]) -> str:
    """Memory is asked about an observation, the lake about a text."""
    text: str = document.get("observation", document)["text"]
    return text


@contextmanager
def answering(recorded: Mapping[str, list[JsonValue]]) -> Generator[RecordedEndpoint]:
    """A running server with these answers."""
    with RecordedEndpoint(("127.0.0.1", 0), _Handler) as server:
        server.recorded = recorded
        server.documents = []
        server.instructions = []
        server.failures = iter([])
        server.garbled = set()
        server.cut = set()
        server.pause = 0.0
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()
