"""A real HTTP server that speaks the chat protocol, well or badly."""

import json
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from pydantic import JsonValue
from roxabi_contracts.base import JsonObject


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server sends; `pause` seconds after the headers."""

    body: str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    pause: float = 0.0


def completion(
    content: str | None,
    *,
    finish: str = "stop",
    refusal: str | None = None,
    tokens: tuple[int, int] | None = (100, 20),
) -> Reply:
    """A completion as endpoints answer it."""
    message: JsonObject = {"role": "assistant", "content": content, "refusal": refusal}
    choice: JsonObject = {"index": 0, "finish_reason": finish, "message": message}
    usage: JsonValue = None
    if tokens is not None:
        usage = {
            "prompt_tokens": tokens[0],
            "completion_tokens": tokens[1],
            "total_tokens": sum(tokens),
        }
    body: JsonObject = {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "some-model",
        "choices": [choice],
        "usage": usage,
    }
    return Reply(json.dumps(body))


def proposing(*candidates: JsonValue) -> Reply:
    """A completion that proposes candidates."""
    return completion(json.dumps({"candidates": list(candidates)}))


class ChatEndpoint(ThreadingHTTPServer):
    """Answers every request with `reply`, and keeps what it was asked."""

    reply: Reply
    requests: list[JsonObject]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        endpoint = self.server
        assert isinstance(endpoint, ChatEndpoint)
        endpoint.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        reply = endpoint.reply
        self.send_response(reply.status)
        for name, value in {"Content-Type": "application/json", **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self._drip(reply)

    def _drip(self, reply: Reply) -> None:
        """A slow answer still sends something now and then."""
        until = time.monotonic() + reply.pause
        try:
            while time.monotonic() < until:
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.05)
            self.wfile.write(reply.body.encode())
        except (BrokenPipeError, ConnectionResetError):
            return

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test's output clean."""


@contextmanager
def serving() -> Generator[ChatEndpoint]:
    """A running server that proposes nothing until it is told to."""
    with ChatEndpoint(("127.0.0.1", 0), _Handler) as server:
        server.requests = []
        server.reply = proposing()
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()
