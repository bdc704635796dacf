"""Processes of other tools: a home of their own, none of the user's keys, and told to stay off the network.

They are programs that the user installed: nothing holds them but their own settings and a proxy that is not there.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from bench.peers.peer import PeerFailed, Place

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
