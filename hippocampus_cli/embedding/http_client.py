"""The one HTTP client: a JSON document to a server and one back, within a deadline, tried again where that can help.

Over https anywhere, over plain http on this machine only, with a key that shows itself in no repr, log, error or
traceback. A socket's own time limit is one of each read, so that a byte now and then stretches it without end, and
looking up a name has none at all. So a request runs in a thread that is waited for only so long; then its socket is
shut, on which the thread ends too.
"""

from __future__ import annotations

import contextlib
import json
import socket
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

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
_AGAIN = frozenset((408, 425, 429, 500, 502, 503, 504))
_TRIES = 5
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 60.0  # seconds
_MAX_ANSWER = 100_000_000  # bytes
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


class Timing(NamedTuple):
    """``timeout`` seconds are what one request may take, however the answer drips in.

    ``clock`` gives seconds, ``sleep`` takes them.
    """

    timeout: float
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


class Client:
    """Asks one URL. Redirects are not followed: they would carry the key to another place."""

    def __init__(self, url: str, headers: Mapping[str, str], timing: Timing) -> None:
        self._url = url
        self._headers = {**headers, "Content-Type": "application/json", "User-Agent": "hippo"}
        self._timing = timing

    def ask(self, document: object, until: float | None = None) -> object:
        """The answer to ``document``. Raises :class:`Failed` after the last try, :class:`Malformed`.

        Somebody who waits for it says ``until`` when, by the clock: then there is one try, over by then.
        """
        data = json.dumps(document).encode()
        tries = _TRIES if until is None else 1
        for done in range(1, tries + 1):
            try:
                left = self._timing.timeout
                if until is not None:
                    left = min(left, until - self._timing.clock())
                if left <= 0:
                    raise Failed("no answer in the time that a question has")
                return _parse(_Request(self._url, data, self._headers).answer(left))
            except Failed as failed:
                wait = _FIRST_WAIT * 2 ** (done - 1) if failed.wait is None else failed.wait
                if not failed.again or done == tries or wait > _LONGEST_WAIT:
                    raise
                self._timing.sleep(wait)
        raise AssertionError("the last try returns or raises")


class _Request(Thread):
    """One request in a thread of its own."""

    def __init__(self, url: str, data: bytes, headers: Mapping[str, str]) -> None:
        super().__init__(name=NAME, daemon=True)
        self._connection, self._target = _connection_to(url)
        self._data = data
        self._headers = headers
        self._socket: socket.socket | None = None  # the connection lets go of its own
        self._is_over = False
        self._body = b""
        self._error: BaseException | None = None

    def answer(self, seconds: float) -> bytes:
        """The body of the answer. Raises :class:`Failed`, :class:`Malformed`."""
        self._connection.timeout = seconds
        self.start()
        self.join(seconds)
        self._is_over = True
        if self.is_alive() or isinstance(self._error, TimeoutError):
            if self._socket is not None:
                with contextlib.suppress(OSError):  # it is closed already
                    socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
            raise Failed(f"no answer within {round(seconds, 1):g} s")
        if self._error is not None:
            raise self._error
        return self._body

    def run(self) -> None:
        failure = "no connection"
        try:
            self._connection.connect()
            self._socket = self._connection.sock
            if self._is_over:
                return
            failure = "the answer broke off"
            self._connection.request("POST", self._target, self._data, self._headers)
            answer = self._connection.getresponse()
            self._body = _read(answer)
            if answer.status not in range(200, 300):
                self._error = _failure(answer, self._body)
        except TimeoutError as error:
            self._error = error
        except (HTTPException, OSError) as error:
            # a moment later may be another matter: not where nobody listens, or the name is unknown
            reset = isinstance(error, ConnectionResetError | BrokenPipeError)
            again = reset or self._socket is not None
            self._error = Failed(f"{failure}: {error}", again=again)
        except BaseException as error:  # whatever it is, it is raised where it is waited for
            self._error = error
        finally:
            self._connection.close()


def _connection_to(url: str) -> tuple[HTTPConnection, str]:
    """A connection to the server of ``url``, by the user's proxy where there is one, and what it is asked for."""
    parts = urlsplit(url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    is_direct = is_loopback(url) or proxy_bypass(parts.hostname or "")
    proxy = None if is_direct else getproxies().get(parts.scheme)
    if not proxy:
        return kind(parts.netloc), parts.path
    way = urlsplit(proxy if "://" in proxy else f"//{proxy}")
    connection = kind(way.netloc.rpartition("@")[2])
    if kind is HTTPConnection:
        return connection, url
    connection.set_tunnel(parts.netloc, headers=_credentials(way.username, way.password))
    return connection, parts.path


def _credentials(user: str | None, password: str | None) -> dict[str, str]:
    """What a proxy is told of who asks."""
    if user is None:
        return {}
    told = f"{unquote(user)}:{unquote(password or '')}".encode()
    return {"Proxy-Authorization": f"Basic {b64encode(told).decode()}"}


def _read(answer: HTTPResponse) -> bytes:
    body = answer.read(_MAX_ANSWER + 1)
    if len(body) > _MAX_ANSWER:
        raise Malformed("the answer has no end")
    if answer.length:  # to read so many bytes does not say that some are missing
        raise Failed("the answer broke off")
    return body


def _parse(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise Malformed("the answer is no JSON") from None


def _failure(answer: HTTPResponse, body: bytes) -> Failed:
    reason = f"HTTP {answer.status}"
    if words := _words_of(body):
        reason += f": {words}"
    asked = (answer.getheader("Retry-After") or "").strip()
    wait = float(asked) if asked.isdecimal() else None  # a date is not waited for
    return Failed(reason, answer.status, wait=wait, again=answer.status in _AGAIN)


def _words_of(body: bytes) -> str:
    """The server's own words about an error, if it has some in one of the usual places."""
    try:
        error = _parse(body)["error"]
        words = error["message"] if isinstance(error, dict) else error
    except (Malformed, LookupError, TypeError):
        return ""
    return " ".join(words.split())[:_SHOWN] if isinstance(words, str) else ""
