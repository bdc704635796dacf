"""One JSON document to a server and one back, tried again where that can help."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import IO, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

from hippocampus_cli.embedding.api.address import is_loopback
from hippocampus_cli.embedding.api.deadline import Line, Plain, Secure, Timed, within

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
