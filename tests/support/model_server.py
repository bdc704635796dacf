"""A server on this machine that answers as it is told, and remembers what it was asked."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import pytest

_CONNECT, _RESOLVE = socket.socket.connect, socket.getaddrinfo  # before the tests' own ones


def allow_this_machine(patch: pytest.MonkeyPatch) -> None:
    """Let a test reach servers on this machine."""

    def connect(self: socket.socket, address: Any) -> None:
        assert address[0] == "127.0.0.1"
        _CONNECT(self, address)

    patch.setattr(socket.socket, "connect", connect)
    patch.setattr(socket, "getaddrinfo", _RESOLVE)


class Asked(NamedTuple):
    path: str
    headers: dict[str, str]
    body: Any


class Answer(NamedTuple):
    """``length`` is what Content-Length claims, where that is not the truth."""

    body: Any
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    length: int | None = None


class Stub:
    """Its answers in turn, the last again and again; an answer may be a function of what was asked."""

    def __init__(self, *answers: Answer | Callable[[Asked], Answer]) -> None:
        self.answers = list(answers)
        self.asked: list[Asked] = []
        self.url = ""

    def next(self, asked: Asked) -> Answer:
        answer = self.answers[min(len(self.asked), len(self.answers) - 1)]
        self.asked.append(asked)
        return answer(asked) if callable(answer) and not isinstance(answer, Answer) else answer


@contextmanager
def serving(stub: Stub) -> Iterator[Stub]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = stub.next(Asked(self.path, headers, json.loads(data)))
            body = (
                answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            )
            self.send_response_only(answer.status)  # without a Date of its own
            for name, value in answer.headers:
                self.send_header(name, value)
            length = len(body) if answer.length is None else answer.length
            self.send_header("Content-Length", str(length))
            self.end_headers()
            with suppress(ConnectionError):  # who asked has given up
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing on the screen of the tests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    stub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
