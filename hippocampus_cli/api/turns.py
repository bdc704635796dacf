"""One thread at a time: how the calls of a workspace take turns, and what a fork does to it."""

from __future__ import annotations

import os
from _thread import RLock, get_ident
from _weakref import ref
from collections.abc import Callable
from datetime import datetime
from functools import wraps
from time import monotonic
from types import FunctionType
from typing import Any, Protocol, TypeVar

PRESENT = datetime.max
"""Where a call names no moment: it is given the present one, by the workspace's clock."""
_FORK_SECONDS = 5.0  # a fork waits for the calls of other threads, but not for hours
_Kind = TypeVar("_Kind", bound=type)


class TakesTurns(Protocol):
    """What calls take turns on."""

    lock: RLock

    def moment(self, now: datetime | None) -> datetime:
        """``now``, by default the present one."""

    def begin_anew(self) -> None:
        """In a child process: go on as if nothing had been opened. What the parent opened is not even closed."""


def in_turn(kind: _Kind) -> _Kind:
    """A class whose public methods wait for the lock of the workspace that it has as ``_opened``; those that take
    ``now`` are given a moment."""
    for name, member in list(vars(kind).items()):
        if isinstance(member, FunctionType) and not name.startswith("_"):
            setattr(kind, name, _taking_turns(member))
    return kind


def _taking_turns(method: FunctionType) -> Callable[..., Any]:
    takes_now = "now" in (method.__kwdefaults__ or ())

    @wraps(method)
    def call(self: Any, *args: Any, **named: Any) -> Any:
        with self._opened.lock:
            if takes_now:
                named["now"] = self._opened.moment(named.get("now"))
            return method(self, *args, **named)

    return call


_OPEN: dict[int, ref[TakesTurns]] = {}
_WAITED_FOR: dict[int, list[RLock]] = {}  # by the thread that forks


def follow_forks(opened: TakesTurns) -> None:
    """As long as there is ``opened``, a fork waits for its calls, and the child begins anew with it."""
    key = id(opened)
    _OPEN[key] = ref(opened, lambda _: _OPEN.pop(key, None))


def _all_open() -> list[TakesTurns]:
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
