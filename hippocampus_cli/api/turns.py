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

PRESENT = datetime.max
"""Where a call names no moment: it is given the present one, by the workspace's clock."""
_Kind = TypeVar("_Kind", bound=type)
_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


class WorkspacePart:
    """A part of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._root = workspace.root
        self._config = workspace.config
        self._timeout = workspace.config.lock.timeout_seconds


def in_turn(kind: _Kind) -> _Kind:
    """A workspace, or a part of one, whose public methods wait for the workspace's lock; those that take ``now`` are
    given a moment."""
    for name, member in list(vars(kind).items()):
        if isinstance(member, FunctionType) and not name.startswith("_"):
            setattr(kind, name, _taking_turns(member))
    return kind


def _taking_turns(method: FunctionType) -> Callable[..., Any]:
    takes_now = "now" in (method.__kwdefaults__ or ())

    @wraps(method)
    def call(self: Any, *args: Any, **named: Any) -> Any:
        workspace = getattr(self, "_workspace", self)
        with workspace.lock:
            if takes_now:
                named["now"] = workspace._moment(named.get("now"))
            return method(self, *args, **named)

    return call


def forwarded(
    act: Callable[Concatenate[Path, Config, datetime, _Given], _Result],
) -> Callable[Concatenate[Any, _Given], _Result]:
    """A method that is ``act`` on the workspace's folder, with its settings, at the moment ``now``."""

    def call(part: Any, /, *args: Any, now: datetime = PRESENT, **named: Any) -> _Result:
        return act(part._root, part._config, now, *args, **named)

    update_wrapper(call, act)
    return call  # type: ignore[return-value]  # which has ``now`` besides
