"""One thread at a time: how the calls of an object take turns, and what a fork does to it."""

from __future__ import annotations

import os
from _thread import RLock, get_ident
from _weakref import ref
from collections.abc import Callable
from time import monotonic
from types import FunctionType
from typing import Any, Protocol, TypeVar

from hippocampus_cli.api.argument_checks import checked

_FORK_SECONDS = 5.0  # a fork waits for the calls of other threads, but not for hours
_GENERATOR = 0x20  # inspect.CO_GENERATOR
_Kind = TypeVar("_Kind", bound=type)
_Function = TypeVar("_Function", bound=Callable[..., Any])


class TakesTurns(Protocol):
    """An object whose calls take turns."""

    lock: RLock

    def _begin_anew(self) -> None:
        """In a child process: go on as if nothing had been opened. What the parent opened is not even closed."""


def in_turn(kind: _Kind) -> _Kind:
    """A class whose public methods and properties, inherited ones too, check their arguments, then take their turn.

    Raises :class:`TypeError` for a generator: it would work outside its turn.
    """
    for name in dir(kind):
        member = getattr(kind, name)
        if name == "__init__" and hasattr(kind, "_begin_anew"):  # it opens files
            setattr(kind, name, _following_forks(member))
        elif name.startswith("_") or name == "lock":
            continue
        elif isinstance(member, property):
            setattr(kind, name, property(_taking_turns(member.fget), doc=member.__doc__))
        elif isinstance(member, FunctionType):
            setattr(kind, name, _taking_turns(member))
    return kind


def arguments_checked(function: _Function) -> _Function:
    """``function``, which first raises :class:`UsageError` for arguments that are not as its annotations say."""

    def call(*given: Any, **named: Any) -> Any:
        given, named = checked(function, given, named)
        return function(*given, **named)

    return _named_as(call, function)


def _following_forks(init: Any) -> Any:
    def call(*given: Any, **named: Any) -> None:
        given, named = checked(init, given, named)
        init(*given, **named)
        follow_forks(given[0])

    return _named_as(call, init)


def _taking_turns(function: Any) -> Any:
    if _plain(function).__code__.co_flags & _GENERATOR:
        raise TypeError(f"{function.__name__} is a generator")

    def call(*given: Any, **named: Any) -> Any:
        with given[0].lock:
            given, named = checked(function, given, named)
            return function(*given, **named)

    return _named_as(call, function)


def _named_as(call: Any, function: _Function) -> _Function:
    """``call`` in the place of ``function``. Of ``functools.wraps`` what is read of it: every start wraps forty."""
    call.__name__, call.__qualname__ = function.__name__, function.__qualname__
    call.__doc__, call.__module__ = function.__doc__, function.__module__
    call.__wrapped__ = function
    return call  # type: ignore[no-any-return]


def _plain(function: Any) -> FunctionType:
    """What was wrapped."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function  # type: ignore[no-any-return]


_OPEN: dict[int, ref[TakesTurns]] = {}
_WAITED_FOR: dict[int, list[RLock]] = {}  # by the thread that forks


def follow_forks(one: TakesTurns) -> None:
    """As long as there is ``one``, a fork waits for its calls, and the child begins anew with it."""
    key = id(one)
    _OPEN[key] = ref(one, lambda _: _OPEN.pop(key, None))


def _opened() -> list[TakesTurns]:
    return [one for one in (each() for each in list(_OPEN.values())) if one is not None]


def _before_fork() -> None:
    """Wait for whoever is at work: SQLite's own locks would stay taken in the child."""
    until = monotonic() + _FORK_SECONDS
    locks = [one.lock for one in _opened()]
    _WAITED_FOR[get_ident()] = [
        lock for lock in locks if lock.acquire(timeout=max(until - monotonic(), 0))
    ]


def _after_fork_in_parent() -> None:
    for lock in _WAITED_FOR.pop(get_ident(), ()):
        lock.release()


def _after_fork_in_child() -> None:
    _WAITED_FOR.clear()
    for one in _opened():
        one._begin_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork,
        after_in_parent=_after_fork_in_parent,
        after_in_child=_after_fork_in_child,
    )
