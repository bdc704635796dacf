"""Embedders by URL, against a server of our own on this machine."""

from __future__ import annotations

import socket
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import pytest

from hippocampus_cli.config.settings import Embedding
from hippocampus_cli.embedding.embedder import hurried
from hippocampus_cli.embedding.http_client import NAME as ASKING
from hippocampus_cli.embedding.http_client import Client, Timing, checked, key_in
from hippocampus_cli.errors import EmbedderUnavailable, EmbeddingFailed
from tests.support.model_server import Answer, Asked, Stub, allow_this_machine, serving

np = pytest.importorskip("numpy", reason="the extra `semantic` is not installed")

from hippocampus_cli.embedding.open import open_embedder  # noqa: E402

SECRET = "sk-a-secret-that-nobody-may-see"
ENVIRON = {"OPENAI_API_KEY": SECRET, "GEMINI_API_KEY": SECRET}


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def timing(self, timeout: float = 5.0) -> Timing:
        return Timing(timeout, lambda: self.now, self.sleep)


@pytest.fixture(autouse=True)
def _this_machine_only(monkeypatch: pytest.MonkeyPatch) -> None:
    allow_this_machine(monkeypatch)


@pytest.fixture
def serve() -> Iterator[Callable[..., Stub]]:
    with ExitStack() as stack:
        yield lambda *answers: stack.enter_context(serving(Stub(*answers)))


def vector(text: str) -> list[float]:
    return [float(len(text)), 1.0, 2.0]


def openai(asked: Asked) -> Answer:
    rows = [{"index": at, "embedding": vector(text)} for at, text in enumerate(asked.body["input"])]
    return Answer({"data": rows[::-1]})


def gemini(asked: Asked) -> Answer:
    texts = [one["content"]["parts"][0]["text"] for one in asked.body["requests"]]
    return Answer({"embeddings": [{"values": vector(text) * 256} for text in texts]})


def ollama(asked: Asked) -> Answer:
    return Answer({"embeddings": [vector(text) for text in asked.body["input"]]})


def opened(kind: str, url: str, time: Time | None = None, **given: Any) -> Any:
    settings = Embedding(embedder=kind, url=url, **{"model": "small", **given})
    time = time or Time()
    timing = time.timing(settings.timeout_seconds)
    said = {f"HIPPO_EMBEDDING_{name.upper()}": "as given" for name in ("url", "key_variable")}
    return open_embedder(settings, None, {**ENVIRON, **said}, timing)  # type: ignore[arg-type]


def expected(texts: list[str]) -> Any:
    rows = np.array([vector(text) for text in texts])
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_openai(serve: Callable[..., Stub]) -> None:
    stub = serve(openai)
    model = opened("openai", stub.url, key_variable="OPENAI_API_KEY")
    texts = ["one", "three", "", "\udc80é" + "x" * 9_000]
    sent = ["one", "three", "-", "?é" + "x" * 7_998]
    vectors = model.embed(texts)
    assert vectors.dtype == np.float32 and np.abs(vectors - expected(sent)).max() < 1e-6
    assert (model.dimensions, model.name) == (3, f"openai:small@{stub.url[7:]}")
    probe, asked = stub.asked
    assert probe.body["input"] == ["-"]
    assert (asked.path, asked.body["model"]) == ("/v1/embeddings", "small")
    assert asked.headers["authorization"] == f"Bearer {SECRET}"
    assert asked.body["input"] == sent


def test_openai_behind_a_path(serve: Callable[..., Stub]) -> None:
    stub = serve(openai)
    opened("openai", f"{stub.url}/api/v3").embed(["a"])
    assert stub.asked[0].path == "/api/v3/embeddings"
    assert "authorization" not in stub.asked[0].headers  # nobody named a key for this machine


def test_gemini(serve: Callable[..., Stub]) -> None:
    stub = serve(gemini)
    model = opened("gemini", stub.url, model="", key_variable="GEMINI_API_KEY")
    vectors = model.embed(["one", "three"])
    assert vectors.shape == (2, 768) and model.dimensions == 768
    assert np.abs(np.linalg.norm(vectors, axis=1) - 1).max() < 1e-6
    (asked,) = stub.asked
    assert asked.path == "/v1beta/models/gemini-embedding-001:batchEmbedContents"
    assert asked.headers["x-goog-api-key"] == SECRET and SECRET not in asked.path
    assert asked.body["requests"][0]["model"] == "models/gemini-embedding-001"
    assert asked.body["requests"][0]["outputDimensionality"] == 768


def test_ollama_needs_no_key(serve: Callable[..., Stub]) -> None:
    stub = serve(ollama)
    model = opened("ollama", stub.url)
    assert np.abs(model.embed(["one"]) - expected(["one"])).max() < 1e-6
    assert {asked.path for asked in stub.asked} == {"/api/embed"}
    assert not any("authorization" in asked.headers for asked in stub.asked)


def test_batches_by_count_and_by_characters(serve: Callable[..., Stub]) -> None:
    stub = serve(openai)
    model = opened("openai", stub.url, batch=10)
    texts = [*map(str, range(25)), *["x" * 8_000] * 8]
    assert model.embed(texts).shape == (33, 3)
    counts = [len(asked.body["input"]) for asked in stub.asked[1:]]
    assert counts == [10, 10, 10, 3]
    assert max(sum(map(len, asked.body["input"])) for asked in stub.asked) <= 60_000
    before = len(stub.asked)
    assert model.embed([]).shape == (0, 3)
    assert len(stub.asked) == before


def test_a_busy_server_is_asked_again_later_and_later(serve: Callable[..., Stub]) -> None:
    time = Time()
    stub = serve(Answer({}, 503), Answer({}, 429), Answer({}, 500), openai)
    opened("openai", stub.url, time).embed(["a"])
    assert time.slept == [1, 2, 4]


@pytest.mark.parametrize(
    ("header", "waited"), [("7", 7), ("Mon, 12 Jan 1970 13:47:10 GMT", 1), ("soon", 1)]
)
def test_it_waits_as_long_as_it_is_asked_to(
    serve: Callable[..., Stub], header: str, waited: float
) -> None:
    time = Time()
    stub = serve(Answer({}, 429, (("Retry-After", header),)), openai)
    opened("openai", stub.url, time).embed(["a"])
    assert time.slept == [waited]


def test_it_does_not_wait_for_ever(serve: Callable[..., Stub]) -> None:
    time = Time()
    stub = serve(Answer({}, 429, (("Retry-After", "86400"),)))
    with pytest.raises(EmbeddingFailed) as raised:
        opened("openai", stub.url, time).embed(["a"])
    assert time.slept == [] and "wait a while" in raised.value.advice
    stub = serve(Answer({"error": {"message": "over\nloaded"}}, 503))
    with pytest.raises(EmbeddingFailed, match="HTTP 503: over loaded"):
        opened("openai", stub.url, time).embed(["a"])
    assert len(stub.asked) == 5 and time.slept == [1, 2, 4, 8]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer(b"<html>"), "no JSON"),
        (Answer(b"[" * 100_000), "no JSON"),
        (Answer([]), "no 'data'"),
        (Answer({"data": {}}), "no list"),
        (Answer({"data": [{"index": 0}]}), "no 'embedding'"),
        (Answer({"data": [{"index": 4, "embedding": [1]}]}), "which vector is whose"),
        (Answer({"data": [{"index": [], "embedding": [1]}]}), "which vector is whose"),
        (Answer({"data": []}), "0 vectors came for 1 texts"),
        (Answer({"data": [{"index": 0, "embedding": []}]}), "no lists of numbers"),
        (Answer({"data": [{"index": 0, "embedding": "abc"}]}), "no lists of numbers"),
        (Answer({"data": [{"index": 0, "embedding": [[1]]}]}), "no lists of numbers"),
        (Answer({"data": [{"index": 0, "embedding": [None]}]}), "no"),
        (Answer(b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}'), "not finite"),
        (Answer({"data": [{"index": 0, "embedding": [0, 0]}]}), "no direction"),
        (Answer({"data": [{"index": 0, "embedding": ["1", "2"]}]}), "no lists of numbers"),
        (Answer({"data": [{"index": 0, "embedding": [1, "2"]}]}), "no lists of numbers"),
        (Answer({"data": [{"index": 0, "embedding": [True, False]}]}), "no lists of numbers"),
        (Answer({"data": [{"index": 0, "embedding": [0.5, True]}]}), "no lists of numbers"),
        (Answer({"data": [{"index": 0, "embedding": {"0": 1}}]}), "no lists of numbers"),
        (Answer({"data": [{"index": 0, "embedding": [1e308, 1]}]}), "not finite"),
        (Answer({"data": [{"index": 0, "embedding": [-1e39, 1]}]}), "not finite"),
        (Answer({"data": [{"index": 0, "embedding": [10**400]}]}), "no lists of numbers"),
        (Answer({"data": [{"index": 0, "embedding": [1e-300, 0]}]}), "no direction"),
    ],
)
def test_an_answer_that_cannot_be_right_is_refused(
    serve: Callable[..., Stub], answer: Answer, reason: str
) -> None:
    stub = serve(answer)
    with pytest.raises(EmbeddingFailed) as raised:
        opened("openai", stub.url).embed(["a"])
    assert reason in raised.value.message
    assert (raised.value.exit_code, len(stub.asked)) == (20, 1)


def test_other_dimensions_than_before_are_refused(serve: Callable[..., Stub]) -> None:
    stub = serve(openai, Answer({"data": [{"index": 0, "embedding": [1, 2]}]}))
    with pytest.raises(EmbeddingFailed, match="2 dimensions, not 3"):
        opened("openai", stub.url).embed(["a"])


def test_an_answer_that_breaks_off_is_asked_for_again(serve: Callable[..., Stub]) -> None:
    stub = serve(Answer(b'{"data": [', length=400), openai)
    time = Time()
    assert opened("openai", stub.url, time).embed(["a"]).shape == (1, 3)
    assert time.slept == [1]


def test_a_slow_server_does_not_hold_us_up(serve: Callable[..., Stub]) -> None:
    done = threading.Event()

    def slow(_: Asked) -> Answer:
        done.wait(10)
        return Answer({})

    stub = serve(slow)
    time = Time()
    with pytest.raises(EmbeddingFailed, match=r"no answer within 0\.1 s"):
        opened("openai", stub.url, time, timeout_seconds=0.1).embed(["a"])
    done.set()
    assert len(time.slept) == 4


@contextmanager
def trickling(first: bytes) -> Iterator[str]:
    """The URL of a server that sends ``first`` and then a byte now and then, for ever."""
    over = threading.Event()
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=answer, args=(server.accept()[0],), daemon=True).start()

    def answer(client: socket.socket) -> None:
        with suppress(OSError), client:
            client.sendall(first)
            while not over.wait(0.02):
                client.sendall(b"1")

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
    finally:
        over.set()
        server.close()


@pytest.mark.parametrize(
    "first",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nX-A: ",
        b"HTTP/1.1 200 OK\r\n\r\n[",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"HTTP/1.1 503 No\r\nContent-Length: 9999\r\n\r\n",
    ],
)
def test_no_dripping_stretches_a_request(first: bytes) -> None:
    time = Time()
    with trickling(first) as url:
        with pytest.raises(EmbeddingFailed, match=r"no answer within 0\.2 s"):
            opened("openai", url, time, timeout_seconds=0.2).embed(["a"])
        assert time.slept == [1, 2, 4, 8]
        asking = [one for one in threading.enumerate() if one.name == ASKING]
        for one in asking:  # whoever was given up ends too
            one.join(5)
        assert not any(one.is_alive() for one in asking)


def test_a_question_is_tried_once(serve: Callable[..., Stub]) -> None:
    time = Time()
    stub = serve(openai, Answer({}, 503))
    model = opened("openai", stub.url, time)
    assert model.dimensions == 3
    with pytest.raises(EmbeddingFailed, match="HTTP 503"), hurried(model, 4.0):
        model.embed(["a"])
    assert time.slept == [] and len(stub.asked) == 2
    with pytest.raises(EmbeddingFailed, match="HTTP 503"):
        model.embed(["a"])
    assert time.slept == [1, 2, 4, 8]  # what nobody waits for has time again


def test_all_requests_of_a_question_share_its_time(serve: Callable[..., Stub]) -> None:
    time = Time()

    def slow(asked: Asked) -> Answer:
        time.now += 3.0
        return openai(asked)

    stub = serve(slow)
    model = opened("openai", stub.url, time)
    reason = "in the time that a question has"
    with pytest.raises(EmbeddingFailed, match=reason), hurried(model, 3.0):
        model.embed(["a"])  # how long a vector is has to be asked first
    assert len(stub.asked) == 1 and time.slept == []
    with hurried(model, 3.0):
        assert model.embed(["a"]).shape == (1, 3)


def test_a_proxy_of_the_environment_is_asked_in_its_place(
    serve: Callable[..., Stub], monkeypatch: pytest.MonkeyPatch
) -> None:
    stub = serve(Answer({"a": 1}))
    monkeypatch.setenv("http_proxy", stub.url)
    monkeypatch.setenv("no_proxy", "")
    client = Client("http://10.0.0.7/v1", {}, Time().timing())
    assert client.ask({"q": 1}) == {"a": 1}
    assert stub.asked[0].path == "http://10.0.0.7/v1"


def test_where_nobody_listens_it_says_so_at_once() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    time = Time()
    with pytest.raises(EmbeddingFailed, match="no connection") as raised:
        opened("ollama", f"http://127.0.0.1:{port}", time).embed(["a"])
    assert time.slept == [] and f"127.0.0.1:{port}" in raised.value.advice


def test_a_redirect_would_carry_the_key_elsewhere(serve: Callable[..., Stub]) -> None:
    other = serve(openai)
    stub = serve(Answer({}, 307, (("Location", f"{other.url}/v1/embeddings"),)))
    with pytest.raises(EmbeddingFailed, match="HTTP 307"):
        opened("openai", stub.url, key_variable="OPENAI_API_KEY").embed(["a"])
    assert other.asked == []


@pytest.mark.parametrize("status", [401, 403, 400, 404, 500])
def test_the_key_is_nowhere_to_be_seen(serve: Callable[..., Stub], status: int) -> None:
    stub = serve(Answer({"error": {"message": f"bad key {SECRET}"}}, status))
    model = opened("openai", stub.url, key_variable="OPENAI_API_KEY")
    with pytest.raises(EmbeddingFailed) as raised:
        model.embed(["a"])
    shown = "".join(traceback.format_exception(raised.value, chain=True))
    shown += f"{raised.value!r} {raised.value.advice} {raised.value.facts} {model!r}"
    shown += f"{vars(model)!r}" + repr(key_in(ENVIRON, "OPENAI_API_KEY"))
    assert SECRET not in shown and "bad key [key]" in shown
    assert ("OPENAI_API_KEY" in raised.value.advice) == (status in (401, 403))


@pytest.mark.parametrize("held", ["", "  ", "two words", "a\nb: c", "café"])
def test_what_is_no_key_is_not_sent(held: str) -> None:
    with pytest.raises(EmbedderUnavailable) as raised:
        key_in({"K": held}, "K")
    assert not held.strip() or held not in f"{raised.value} {raised.value.advice}"


@pytest.mark.parametrize(
    "url",
    [
        *("ftp://u:pw123@host", "file:///etc/passwd", "https://", "host", "http://10.0.0.1/v1"),
        *("http://example.org", "https://user:pw123@host", "https://host/?key=1", "http://[::1"),
        *("http://localhost.example.org", "https://host:99999"),
    ],
)
def test_an_address_that_is_refused(url: str) -> None:
    with pytest.raises(EmbedderUnavailable) as raised:
        checked(url)
    assert "pw123" not in raised.value.message


@pytest.mark.parametrize(
    "url", ["https://host/v1", "http://localhost:1", "http://127.0.0.1", "http://[::1]:9/v1"]
)
def test_an_address_that_will_do(url: str) -> None:
    assert checked(f"{url}/") == url
    assert checked("http://10.0.0.1/v1", plain_http=True) == "http://10.0.0.1/v1"
