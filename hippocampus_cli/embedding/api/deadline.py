"""A request that is over when its time is, whatever the server does.

A socket's own time limit is one of each read, so that a byte now and then stretches it without end, and looking
a name up has none at all. So a request runs in a thread that is waited for just so long; then its sockets are
shut, on which the thread ends too.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from functools import partial
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from queue import Empty, SimpleQueue
from ssl import create_default_context
from threading import Lock, Thread
from typing import Any, TypeVar
from urllib.request import HTTPHandler, HTTPSHandler, Request

NAME = "hippo-request"
"""Of the threads in which requests run."""
_T = TypeVar("_T")


class Line:
    """The sockets of one request: none stays open once it is cut."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._sockets: list[socket.socket] = []
        self._is_cut = False

    def hold(self, opened: socket.socket) -> None:
        """Have this one cut with the others, at once where they were already."""
        with self._lock:
            self._sockets.append(opened)
            if self._is_cut:
                _shut(opened)

    def cut(self) -> None:
        """Let whoever still reads or writes find an end."""
        with self._lock:
            self._is_cut = True
            for one in self._sockets:
                _shut(one)


class Timed(Request):
    """A request whose sockets are held by ``line``."""

    def __init__(self, line: Line, url: str, **given: Any) -> None:
        super().__init__(url, **given)
        self.line = line


class Plain(HTTPHandler):
    """http for :class:`Timed`."""

    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(partial(_PlainConnection, line=_line_of(req)), req)


class Secure(HTTPSHandler):
    """https for :class:`Timed`."""

    def __init__(self) -> None:
        self._trusted = create_default_context()
        self._trusted.set_alpn_protocols(["http/1.1"])
        super().__init__(context=self._trusted)

    def https_open(self, req: Request) -> HTTPResponse:
        made = partial(_SecureConnection, line=_line_of(req))
        return self.do_open(made, req, context=self._trusted)


def within(seconds: float, work: Callable[[Line], _T]) -> _T:
    """What ``work`` gives, or raises; :class:`TimeoutError` once ``seconds`` are over."""
    line = Line()
    done: SimpleQueue[tuple[_T | None, BaseException | None]] = SimpleQueue()
    Thread(target=_run, args=(work, line, done), name=NAME, daemon=True).start()
    try:
        made, error = done.get(timeout=seconds)
    except Empty:
        raise TimeoutError from None
    finally:
        line.cut()
    if error is not None:
        raise error
    return made  # type: ignore[return-value]


def _run(work: Callable[[Line], _T], line: Line, done: SimpleQueue[Any]) -> None:
    try:
        done.put((work(line), None))
    except BaseException as error:  # whatever it is, it is raised where it is waited for
        done.put((None, error))


class _PlainConnection(HTTPConnection):
    """A connection whose socket is held by ``line``."""

    def __init__(self, *args: Any, line: Line, **given: Any) -> None:
        super().__init__(*args, **given)
        self._line = line

    def connect(self) -> None:
        super().connect()
        self._line.hold(self.sock)


class _SecureConnection(_PlainConnection, HTTPSConnection):
    """The same under TLS: the connection above it is that of https here."""


def _line_of(request: Request) -> Line:
    return request.line if isinstance(request, Timed) else Line()


def _shut(opened: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it is closed already
        socket.socket.shutdown(opened, socket.SHUT_RDWR)
