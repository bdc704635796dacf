"""One thread at a time: how the calls of a workspace take turns."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from types import FunctionType
from typing import Any, TypeVar

PRESENT = datetime.max
"""Where a call names no moment: it is given the present one, by the workspace's clock."""
_Kind = TypeVar("_Kind", bound=type)


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
