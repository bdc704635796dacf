"""Another tool as a benchmark sees it: a process with a home of its own, none of the user's keys, off the network.

They are programs that the user installed: nothing holds them but their own settings and a proxy that is not there.
A tool that keeps running is talked to in JSON objects, one a line.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any, NamedTuple

from bench.agent_tokens import tokens
from bench.methods import TOP
from bench.metrics import Ranked, Span

MOST = 20  # results that each tool is asked for, as many as hippo is


class PeerFailed(Exception):
    """A tool that is there did not do what it should; the text says what it said."""


class Place(NamedTuple):
    """Where a tool works: ``notes`` is a copy of its own, ``home`` an empty folder that it takes for the user's.

    ``program`` is its full path; ``embeddings`` the address of a server on this machine that speaks OpenAI's
    embeddings, for tools that need one.
    """

    program: str
    notes: Path
    home: Path
    embeddings: str | None = None


class Found(NamedTuple):
    """One result: a path below the notes with ``/``, lines of it (1-based and inclusive; none where the tool
    names only the file), and the text that the tool returned for it."""

    path: str
    lines: tuple[tuple[int, int], ...]
    text: str


class Asking(NamedTuple):
    """A tool whose index is built.

    ``ask`` gives the results, best first, and raises :class:`PeerFailed`; ``command`` is the question as a
    process of its own, with ``variables`` in its environment. ``warm``: ``ask`` puts it to a process that is
    running already.
    """

    ask: Callable[[str], list[Found]]
    command: Callable[[str], Sequence[str]]
    warm: bool
    variables: Mapping[str, str] = {}


class Peer(NamedTuple):
    """A tool in one way of asking it: ``key`` on the command line, ``name`` in tables, ``program`` on the PATH,
    ``install`` the command that puts it there. ``open`` indexes a place, and closes what it started."""

    key: str
    name: str
    program: str
    install: str
    open: Callable[[Place], AbstractContextManager[Asking]]


def ranked(results: Iterable[Found]) -> Ranked:
    """The results as places; a file without lines is a place that shows none of them."""
    given = list(islice(results, MOST))
    shown = tuple(
        Span(one.path, start, end) for one in given for start, end in (one.lines or ((1, 0),))
    )
    return Ranked(shown, sum(tokens(one.text) for one in given[:TOP]))


SECONDS = 300.0  # for an index; a question of a tool that loads a model takes ten
_KEPT = ("PATH", "PATHEXT", "SYSTEMROOT", "COMSPEC", "TMPDIR", "TEMP", "TMP", "LANG", "LC_ALL")
_HOMES = (
    *("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"),
    *("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"),
)
_NOWHERE = "http://127.0.0.1:9"  # nobody answers there: what would be fetched fails at once
_OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "DO_NOT_TRACK": "1",
    "NO_COLOR": "1",
    **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), _NOWHERE),
    **dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost,::1"),
}


def variables(home: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a tool: where programs are, its home, and ``more``."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return kept | dict.fromkeys(_HOMES, str(home)) | _OFFLINE | dict(more or {})


def started(
    command: Sequence[str], place: Place, more: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    """A process in the notes, with pipes; what it says besides goes to ``place.home``.

    Raises :class:`PeerFailed` where it cannot start, and for batch files of Windows: these read a question as
    commands (decision D19).
    """
    if command[0].lower().endswith((".bat", ".cmd")):
        raise PeerFailed("a batch file, which cannot be handed a question safely")
    try:
        with (place.home / "said.txt").open("w", encoding="utf-8") as said:
            return subprocess.Popen(
                command,
                cwd=place.notes,
                env=variables(place.home, more),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,  # so that what it starts can be ended with it
            )
    except OSError as error:
        raise PeerFailed(f"{command[0]}: {error.strerror or error}") from error
    except ValueError as error:  # a zero byte, or half a character
        raise PeerFailed(f"the question cannot be an argument: {error}") from error


def output(
    command: Sequence[str],
    place: Place,
    more: Mapping[str, str] | None = None,
    *,
    allowed: Iterable[int] = (0,),
    seconds: float = SECONDS,
) -> str:
    """What a process prints. Raises :class:`PeerFailed` for another exit code than those ``allowed``."""
    process = started(command, place, more)
    try:
        printed, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired as error:
        raise PeerFailed(f"no end after {seconds:.0f} s") from error
    finally:
        ended(process)
        if process.stdout is not None:
            process.stdout.close()
    if process.returncode not in allowed:
        raise PeerFailed(f"exit code {process.returncode}: {complaint(place) or printed.strip()}")
    return printed


def ended(process: subprocess.Popen[str]) -> None:
    """End a process with all that it started, if it still runs."""
    if process.poll() is None:
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if process.stdin is not None:
        with contextlib.suppress(OSError):  # what it no longer read
            process.stdin.close()


def complaint(place: Place) -> str:
    """The last line of what the last process said besides its output, where there is one."""
    lines = (place.home / "said.txt").read_text(encoding="utf-8", errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def seconds_of(
    command: Sequence[str], place: Place, more: Mapping[str, str] | None = None
) -> float:
    """How long a process takes from its start to its end."""
    begun = time.perf_counter()
    output(command, place, more, allowed=range(256))
    return time.perf_counter() - begun


_SECONDS = 120.0  # for the first answer a model may have to be loaded
_PROTOCOL = "2025-06-18"


class Dialogue:
    """Talks to a process; one at a time."""

    def __init__(self, process: subprocess.Popen[str], place: Place, seconds: float) -> None:
        self._process = process
        self._place = place
        self._seconds = seconds
        self._heard: SimpleQueue[str | None] = SimpleQueue()
        Thread(target=_listen, args=(process.stdout, self._heard), daemon=True).start()

    def tell(self, message: Mapping[str, object]) -> None:
        """Send an object. Raises :class:`PeerFailed` where nobody reads it."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise PeerFailed(self._gone()) from error

    def hear(self) -> dict[str, Any]:
        """The next object; lines that are none are passed over. Raises :class:`PeerFailed`."""
        while True:
            try:
                line = self._heard.get(timeout=self._seconds)
            except Empty:
                raise PeerFailed(f"no answer after {self._seconds:.0f} s") from None
            if line is None:
                raise PeerFailed(self._gone())
            try:
                heard = json.loads(line)
            except ValueError:
                continue
            if isinstance(heard, dict):
                return heard

    def _gone(self) -> str:
        return f"it ended: {complaint(self._place) or 'without a word'}"


def _listen(pipe: IO[str], heard: SimpleQueue[str | None]) -> None:
    """Lines of ``pipe``, then None: a thread, for a pipe cannot be waited for with a time limit everywhere."""
    with pipe:
        for line in pipe:
            heard.put(line)
    heard.put(None)


@contextmanager
def dialogue(
    command: Sequence[str],
    place: Place,
    more: Mapping[str, str] | None = None,
    seconds: float = _SECONDS,
) -> Iterator[Dialogue]:
    """A process to talk to, ended afterwards."""
    process = started(command, place, more)
    try:
        yield Dialogue(process, place, seconds)
    finally:
        ended(process)


class Server:
    """A server of the Model Context Protocol on a process's input and output."""

    def __init__(self, talk: Dialogue) -> None:
        self._talk = talk
        self._number = 0
        about = {"name": "hippo bench", "version": "1"}
        self._result(
            "initialize", {"protocolVersion": _PROTOCOL, "capabilities": {}, "clientInfo": about}
        )
        talk.tell({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, tool: str, arguments: Mapping[str, object]) -> dict[str, Any]:
        """What a tool gives: its structured content, else the JSON of its text. Raises :class:`PeerFailed`."""
        result = self._result("tools/call", {"name": tool, "arguments": arguments})
        text = "".join(str(part.get("text", "")) for part in result.get("content", ()))
        if result.get("isError"):
            raise PeerFailed(f"{tool}: {text[:200]}")
        given = result.get("structuredContent")
        if given is None:
            given = as_json(text)
        return given if isinstance(given, dict) else {"result": given}

    def _result(self, method: str, parameters: Mapping[str, object]) -> dict[str, Any]:
        self._number += 1
        asked = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": parameters}
        self._talk.tell(asked)
        while (answer := self._talk.hear()).get("id") != self._number:
            pass  # a notification
        if "error" in answer:
            raise PeerFailed(f"{method}: {str(answer['error'])[:200]}")
        result: dict[str, Any] = answer["result"]
        return result


def as_json(text: str) -> Any:
    """The value of a JSON text; raises :class:`PeerFailed` where it is none."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise PeerFailed(f"no JSON: {text.strip()[:100]}") from error
