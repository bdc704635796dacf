"""What holds for every test: no real home, no network, no colours, and examples that repeat."""

from __future__ import annotations

import ctypes
import gc
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.support.command_line import Hippo
from tests.support.tries import LONG

settings.register_profile("dev", deadline=None, max_examples=40)
settings.register_profile("ci", settings.get_profile("dev"), derandomize=True, print_blob=True)
settings.register_profile(
    "long", deadline=None, max_examples=5_000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev")
)


ROOT = Path(__file__).parents[1]
FIXTURE = ROOT / "fixtures" / "workspace"
# Thousands of tests and syntax trees live to the end: to look through them for cycles takes a tenth of a run.
gc.set_threshold(20_000, 10, 10)
# Processes that tests start find what others compiled, also where Python is told to keep nothing.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ["PYTHONPYCACHEPREFIX"] = str(ROOT / ".pytest_cache/pycache")


def _use_memory(folder: Path = Path("/dev/shm")) -> None:
    """Keep temporary files in memory where there is room: a disk takes a minute to delete those of a run.

    TMPDIR=/tmp has them on the disk, and so has the long profile.
    """
    if "TMPDIR" in os.environ or LONG:
        return
    if not folder.is_dir() or os.statvfs(folder).f_flag & os.ST_NOEXEC:
        return
    if shutil.disk_usage(folder).free > 4_000_000_000:
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)


_use_memory()


class RealHome(AssertionError):
    """A test reached for the developer's own home directory."""


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A folder for the homes, and those in it that a test left empty for the next one."""
    return tmp_path_factory.mktemp("homes"), []


@pytest.fixture(autouse=True)
def _own_home(_homes: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Home is an empty folder, the variables that change what hippo does are unset, nothing waits for the disk."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    folder, empty = _homes
    home = empty.pop() if empty else tempfile.mkdtemp(dir=folder)
    for name in (
        "HOME",
        "USERPROFILE",
        "XDG_CONFIG_HOME",
        "XDG_CACHE_HOME",
        "APPDATA",
        "LOCALAPPDATA",
    ):
        monkeypatch.setenv(name, home)
    for name in list(os.environ):
        if name.startswith(("HIPPO_", "_HIPPO")) or name in _DISPLAY | _AGENTS:
            monkeypatch.delenv(name)
    monkeypatch.setattr(Path, "home", _no_home)
    yield
    with os.scandir(home) as files:
        if not any(files):
            empty.append(home)


_AGENTS = frozenset(
    ("CLAUDE_PROJECT_DIR", "CLAUDE_CONFIG_DIR", "PI_CODING_AGENT_DIR", "OPENCLAW_STATE_DIR")
)
_DISPLAY = frozenset(("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "PY_COLORS", "TERM"))


def _no_home() -> Path:
    raise RealHome("a test asked for the home directory")


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A connection to anywhere is an error (hippo is offline: decision D18)."""

    def refuse(self: socket.socket, address: Any, *rest: Any) -> None:
        raise AssertionError(f"a test opened a connection to {address!r}")

    if os.name != "nt":  # there, asyncio and subprocess pipes connect to themselves
        monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    yield


@pytest.fixture(autouse=True)
def _untouched_checkout() -> Iterator[None]:
    """A test works in folders of its own: what one leaves in the checkout would be there for the others."""
    before = _files_of_checkout()
    yield
    assert _files_of_checkout() == before, "a test wrote into the checkout"


def _files_of_checkout() -> tuple[set[str], set[str]]:
    """What is at the top of the checkout and of the fixture; hidden names at the top are caches of tools."""
    top = {path.name for path in ROOT.iterdir() if path.name[0] != "."}
    return top, {path.name for path in FIXTURE.iterdir()}


@pytest.fixture
def hippo(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Hippo:
    """Runs commands in this process."""
    return Hippo(capsys, monkeypatch)


@pytest.fixture
def permissions_bind() -> Iterator[None]:
    """Modes of files and folders bind this process, though it may be root's; skipped where that cannot be had."""
    if os.name == "nt":
        pytest.skip("modes do not bind on Windows")
    if os.geteuid() != 0:
        yield
        return
    before = _capabilities()
    if before is None:
        pytest.skip("root's right to read and write anything cannot be laid down here")
    _set_capabilities([before[0] & ~_READ_AND_WRITE_ANYTHING, *before[1:]])
    try:
        yield
    finally:
        _set_capabilities(before)


_VERSION = (
    0x20080522  # of Linux's capget and capset: two groups of effective, permitted, inheritable
)
_READ_AND_WRITE_ANYTHING = 1 << 1 | 1 << 2 | 1 << 3  # DAC_OVERRIDE, DAC_READ_SEARCH, FOWNER


def _capabilities() -> list[int] | None:
    if not sys.platform.startswith("linux"):
        return None
    header, data = (ctypes.c_uint32 * 2)(_VERSION, 0), (ctypes.c_uint32 * 6)()
    failed = ctypes.CDLL(None).capget(header, data)
    return None if failed else list(data)


def _set_capabilities(values: list[int]) -> None:
    header, data = (ctypes.c_uint32 * 2)(_VERSION, 0), (ctypes.c_uint32 * 6)(*values)
    assert ctypes.CDLL(None).capset(header, data) == 0
