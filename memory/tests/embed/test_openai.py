"""The endpoint's client against a real HTTP server that speaks the protocol."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from cortex_memory.embed.openai import OpenaiEmbedder
from cortex_memory.embed.port import EmbedderUnavailable, EmbeddingFailed


class Endpoint(ThreadingHTTPServer):
    dimensions = 8
    failing = False
    requests: list[dict[str, object]]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        endpoint = self.server
        assert isinstance(endpoint, Endpoint)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        endpoint.requests.append(body)
        vectors = [
            {"object": "embedding", "index": index, "embedding": self.vector(endpoint, text)}
            for index, text in enumerate(body["input"])
        ]
        reply = {"object": "list", "model": body["model"], "data": vectors[::-1]}
        self.send_response(401 if endpoint.failing else 200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(reply).encode())

    def vector(self, endpoint: Endpoint, text: str) -> list[float]:
        return [float(len(text))] + [1.0] * (endpoint.dimensions - 1)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test's output clean."""


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    with Endpoint(("127.0.0.1", 0), Handler) as server:
        server.requests = []
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_vectors_come_back_in_the_order_of_the_texts(endpoint: Endpoint) -> None:
    embedder = OpenaiEmbedder("some-model", endpoint.url)
    short, long = embedder.embed_passages(["a", "a" * 100])
    assert short[0] < long[0]
    assert embedder.dimensions == 8
    assert float(short @ short) == pytest.approx(1)


def test_an_empty_or_hostile_text_is_still_sent_as_text(endpoint: Endpoint) -> None:
    OpenaiEmbedder("some-model", endpoint.url).embed_passages(["", "a\0b\ud800"])
    assert endpoint.requests[-1]["input"] == [" ", "a b?"]


def test_two_endpoints_are_two_models(endpoint: Endpoint) -> None:
    one = OpenaiEmbedder("some-model", endpoint.url)
    assert one.digest == OpenaiEmbedder("some-model", endpoint.url).digest
    assert one.digest != OpenaiEmbedder("another-model", endpoint.url).digest


def test_a_model_that_can_is_asked_for_shorter_vectors(endpoint: Endpoint) -> None:
    OpenaiEmbedder("text-embedding-3-small", endpoint.url)
    assert endpoint.requests[-1]["dimensions"] == 512


def test_vectors_too_long_for_the_store_are_said(endpoint: Endpoint) -> None:
    endpoint.dimensions = 1_301
    with pytest.raises(EmbedderUnavailable, match="1301 dimensions"):
        OpenaiEmbedder("some-model", endpoint.url)


def test_a_refusal_is_a_failed_embedding_without_the_key(endpoint: Endpoint) -> None:
    embedder = OpenaiEmbedder("some-model", endpoint.url)
    endpoint.failing = True
    with pytest.raises(EmbeddingFailed) as failure:
        embedder.embed_query("hello")
    assert "a-key" not in str(failure.value)


def test_an_endpoint_that_is_down_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    with pytest.raises(EmbedderUnavailable):
        OpenaiEmbedder("some-model", "http://127.0.0.1:9/v1")


def test_a_missing_key_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(EmbedderUnavailable):
        OpenaiEmbedder("some-model", "http://127.0.0.1:9/v1")
