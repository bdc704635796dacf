"""What a fork does to open workspaces: it waits for their calls, and the child begins anew with them."""

from __future__ import annotations

import os
from _thread import RLock, get_ident
from _weakref import ref
from time import monotonic
from typing import Protocol


class Forks(Protocol):
    """What is open when a process forks."""

    lock: RLock

    def begin_anew(self) -> None:
        """In a child process: go on as if nothing had been opened. What the parent opened is not even closed."""


_FORK_SECONDS = 5.0  # a fork waits for the calls of other threads, but not for hours
_OPEN: dict[int, ref[Forks]] = {}
_WAITED_FOR: dict[int, list[RLock]] = {}  # by the thread that forks


def follow_forks(opened: Forks) -> None:
    """As long as there is ``opened``, a fork waits for its calls, and the child begins anew with it."""
    key = id(opened)
    _OPEN[key] = ref(opened, lambda _: _OPEN.pop(key, None))


def _all_open() -> list[Forks]:
    return [opened for reference in list(_OPEN.values()) if (opened := reference()) is not None]


def _before_fork() -> None:
    """Wait for whoever is at work: SQLite's own locks would stay taken in the child."""
    until = monotonic() + _FORK_SECONDS
    locks = [opened.lock for opened in _all_open()]
    _WAITED_FOR[get_ident()] = [
        lock for lock in locks if lock.acquire(timeout=max(until - monotonic(), 0))
    ]


def _after_fork_in_parent() -> None:
    for lock in _WAITED_FOR.pop(get_ident(), ()):
        lock.release()


def _after_fork_in_child() -> None:
    _WAITED_FOR.clear()
    for opened in _all_open():
        opened.begin_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork,
        after_in_parent=_after_fork_in_parent,
        after_in_child=_after_fork_in_child,
    )
