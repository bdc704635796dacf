"""One thread at a time: how the calls of a workspace take turns."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import update_wrapper, wraps
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

if TYPE_CHECKING:
    from hippocampus_cli.api.workspace import Workspace
    from hippocampus_cli.config import Config

_Kind = TypeVar("_Kind", bound=type)
Given = ParamSpec("Given")
Result = TypeVar("Result")


class WorkspacePart:
    """A part of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._root = workspace.root
        self._config = workspace.config
        self._timeout = workspace.config.lock.timeout_seconds

    @property
    def _now(self) -> datetime:
        return self._workspace.clock()


def in_turn(kind: _Kind) -> _Kind:
    """A workspace, or a part of one, whose public methods wait for the workspace's lock."""
    for name in dir(kind):
        member = getattr(kind, name)
        if isinstance(member, FunctionType) and not name.startswith("_"):
            setattr(kind, name, _taking_turns(member))
    return kind


def _taking_turns(method: FunctionType) -> Callable[..., Any]:
    @wraps(method)
    def call(self: Any, *args: Any, **named: Any) -> Any:
        workspace = getattr(self, "_workspace", self)
        with workspace.lock:
            return method(self, *args, **named)

    return call


def forwarded(
    act: Callable[Concatenate[Path, Config, datetime, Given], Result],
) -> Callable[Concatenate[Any, Given], Result]:
    """A method that is ``act`` on the workspace's folder, with its settings, at its moment."""

    def call(part: Any, /, *args: Any, **named: Any) -> Result:
        return act(part._root, part._config, part._now, *args, **named)

    update_wrapper(call, act)
    return call


def present() -> datetime:
    """The present moment in the local time zone."""
    return datetime.now().astimezone()
