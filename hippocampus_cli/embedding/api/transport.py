"""One JSON document to a server and one back, within a deadline, tried again where that can help: over https
anywhere, over plain http on this machine only, with a key that shows itself in no repr, log, error or traceback.

A socket's own time limit is one of each read, so that a byte now and then stretches it without end, and looking
a name up has none at all. So a request runs in a thread that is waited for just so long; then its sockets are
shut, on which the thread ends too.
"""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from queue import Empty, SimpleQueue
from ssl import create_default_context
from threading import Lock, Thread
from typing import IO, Any, NamedTuple, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    build_opener,
)

from hippocampus_cli.errors import EmbedderUnavailable


class Key:
    """A key from the environment variable ``variable``."""

    __slots__ = ("_text", "variable")

    def __init__(self, text: str, variable: str) -> None:
        self._text = text
        self.variable = variable

    def __repr__(self) -> str:
        return f"Key(from {self.variable})"

    def reveal(self) -> str:
        """The secret itself, for the header it goes into."""
        return self._text

    def hidden_in(self, text: str) -> str:
        """``text`` without the secret, should a server have repeated it."""
        return text.replace(self._text, "[key]")


def key_in(environ: Mapping[str, str], variable: str) -> Key:
    """The key that ``variable`` holds; raises :class:`EmbedderUnavailable` where it holds none."""
    text = environ.get(variable, "").strip()
    if not text:
        raise EmbedderUnavailable(
            reason=f"there is no key in the variable {variable}",
            advice="set it, or name another one: HIPPO_EMBEDDING_KEY_VARIABLE",
        )
    if not text.isascii() or not text.isprintable() or " " in text:
        # http.client would name the whole header in its complaint
        raise EmbedderUnavailable(
            reason=f"what the variable {variable} holds is no key",
            advice="it must be one word of plain letters and signs",
        )
    return Key(text, variable)


def checked(url: str, *, plain_http: bool = False) -> str:
    """``url`` as it was, without a slash at its end.

    Raises :class:`EmbedderUnavailable` unless it is https, or http on a loopback address, or ``plain_http``
    has been allowed; a user or password in it is refused, for it would be shown in errors.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise _refused("embedding.url", "it is no URL") from None
    if parts.scheme not in ("https", "http") or not host:
        raise _refused(host or "embedding.url", "only https:// and http:// are spoken")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise _refused(host, "it must hold no user, no password and nothing after the path")
    if parts.scheme == "http" and not plain_http and not is_loopback(url):
        raise _refused(host, "http is for this machine; elsewhere anybody on the way could read it")
    return url.rstrip("/")


def is_loopback(url: str) -> bool:
    """Whether ``url`` leads to this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def host_of(url: str) -> str:
    """The host, with its port where one is named."""
    return urlsplit(url).netloc


def _refused(where: str, reason: str) -> EmbedderUnavailable:
    return EmbedderUnavailable(
        reason=f"{where}: {reason}", advice="correct embedding.url (`hippo config embedding`)"
    )


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


_AGAIN = frozenset((408, 425, 429, 500, 502, 503, 504))
_TRIES = 5
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 60.0  # seconds
_MAX_ANSWER = 100_000_000  # bytes
_CHUNK = 1 << 16
_SHOWN = 200  # characters of a server's own words


class Failed(Exception):
    """No usable answer came. ``status`` is HTTP's, 0 where there was none; ``again``: another try may do.

    ``wait`` is how long the server wants to be left alone (seconds), where it says so.
    """

    def __init__(
        self, reason: str, status: int = 0, *, wait: float | None = None, again: bool = True
    ) -> None:
        super().__init__(reason)
        self.status = status
        self.wait = wait
        self.again = again


class Malformed(Exception):
    """An answer came that is not what was asked for; asking again would not change it."""


class Pace(NamedTuple):
    """How a server is asked: ``timeout`` seconds a request, ``per_minute`` at most (0: any number).

    A request is over when its time is, however the answer drips in. ``clock`` gives seconds, ``sleep`` takes them.
    """

    timeout: float
    per_minute: int
    clock: Callable[[], float]
    sleep: Callable[[float], None]


class Transport:
    """A way to one URL. Redirects are not followed: they would carry the key to another place."""

    def __init__(self, url: str, headers: Mapping[str, str], pace: Pace) -> None:
        self._url = url
        self._headers = {**headers, "Content-Type": "application/json", "User-Agent": "hippo"}
        self._pace = pace
        self._next = 0.0
        self._opener = _opener(url)

    def ask(self, document: object, until: float | None = None) -> object:
        """The answer to ``document``. Raises :class:`Failed` after the last try, :class:`Malformed`.

        Somebody who waits for it says ``until`` when, by the clock of the pace: then there is one try, over by then.
        """
        data = json.dumps(document).encode()
        tries = _TRIES if until is None else 1
        for done in range(1, tries + 1):
            self._await_turn(until)
            try:
                return _parsed(self._post(data, self._seconds(until)))
            except Failed as failed:
                wait = _FIRST_WAIT * 2 ** (done - 1) if failed.wait is None else failed.wait
                if not failed.again or done == tries or wait > _LONGEST_WAIT:
                    raise
                self._pace.sleep(wait)
        raise AssertionError("the last try returns or raises")

    def _await_turn(self, until: float | None) -> None:
        if self._pace.per_minute:
            now = self._pace.clock()
            if until is not None and self._next > until:
                raise Failed(f"no more than {self._pace.per_minute} requests a minute are allowed")
            if now < self._next:
                self._pace.sleep(self._next - now)
            self._next = max(now, self._next) + 60 / self._pace.per_minute

    def _seconds(self, until: float | None) -> float:
        """How long the next request may take."""
        left = self._pace.timeout if until is None else until - self._pace.clock()
        if left <= 0:
            raise Failed("no answer in the time that a question has")
        return min(left, self._pace.timeout)

    def _post(self, data: bytes, seconds: float) -> bytes:
        try:
            return within(seconds, lambda line: self._answered(data, seconds, line))
        except TimeoutError:
            raise Failed(f"no answer within {round(seconds, 1):g} s") from None

    def _answered(self, data: bytes, seconds: float, line: Line) -> bytes:
        request = Timed(line, self._url, data=data, headers=self._headers, method="POST")
        try:
            with self._opener.open(request, timeout=seconds) as answer:
                return _read(answer)
        except HTTPError as error:
            with error:
                raise self._told(error) from None
        except URLError as error:
            raise Failed(f"no connection: {error.reason}", again=_may_pass(error)) from None
        except TimeoutError:
            raise
        except (HTTPException, OSError) as error:
            raise Failed(f"the answer broke off: {type(error).__name__}") from None

    def _told(self, error: HTTPError) -> Failed:
        reason = f"HTTP {error.code}"
        if said := _said(error):
            reason += f": {said}"
        wait = _retry_after(error.headers.get("Retry-After"), error.headers.get("Date"))
        return Failed(reason, error.code, wait=wait, again=error.code in _AGAIN)


def _read(answer: HTTPResponse) -> bytes:
    parts: list[bytes] = []
    size = 0
    while part := answer.read1(_CHUNK):
        parts.append(part)
        size += len(part)
        if size > _MAX_ANSWER:
            raise Malformed("the answer has no end")
    if answer.length:  # read1 does not say that bytes are missing
        raise Failed("the answer broke off")
    return b"".join(parts)


def _may_pass(error: URLError) -> bool:
    """Whether a moment later may be another matter: not where nobody listens, or the name is unknown."""
    return isinstance(error.reason, TimeoutError | ConnectionResetError | BrokenPipeError)


def _parsed(data: bytes) -> object:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise Malformed("the answer is no JSON") from None


def _said(error: HTTPError) -> str:
    """The server's own words about an error, if it has some in one of the usual places."""
    try:
        told = json.loads(error.read(_CHUNK))
    except (ValueError, RecursionError, OSError, HTTPException):
        return ""
    told = told.get("error", "") if isinstance(told, dict) else ""
    told = told.get("message", "") if isinstance(told, dict) else told
    return " ".join(told.split())[:_SHOWN] if isinstance(told, str) else ""


def _retry_after(header: str | None, now: str | None) -> float | None:
    """The seconds that ``Retry-After`` asks for, given as such or as a date; None where it asks nothing.

    A date is compared with ``now``, the server's own: its clock and ours need not agree.
    """
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        until, since = parsedate_to_datetime(header), parsedate_to_datetime(now or "")
        return max(0.0, until.timestamp() - since.timestamp())
    except (ValueError, TypeError, OverflowError):
        return None


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        return None


def _opener(url: str) -> OpenerDirector:
    return build_opener(
        _NoRedirect,
        Secure if url.startswith("https:") else Plain,
        *([ProxyHandler({})] if is_loopback(url) else []),
    )
