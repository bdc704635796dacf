"""A tool that keeps running: JSON objects to it and from it, one a line."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any

from bench.peers.peer import PeerFailed, Place
from bench.peers.sandbox import complaint, ended, started

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
            "initialize",
            {"protocolVersion": _PROTOCOL, "capabilities": {}, "clientInfo": about},
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
