"""The one door to hippo: what the command line calls, and what a program that imports hippo works with.

>>> import hippocampus_cli as hippo
>>> workspace = hippo.open("~/agent")
>>> for result in workspace.query("deploy command", write=False).results:
...     print(result.path, result.start_line, result.text)

Everything that a workspace can do, a :class:`Workspace` can. Its results are the types that
:mod:`hippocampus_cli.api.types` names; here they are all imported when the first of them is used.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hippocampus_cli.api import (
        agents,
        branches,
        context,
        entries,
        mind,
        models,
        schedule,
        sessions,
        upkeep,
    )
    from hippocampus_cli.api.types import *  # noqa: F403

__all__ = [
    "agents",
    "branches",
    "context",
    "entries",
    "mind",
    "models",
    "schedule",
    "sessions",
    "upkeep",
]


def __getattr__(name: str) -> object:
    """A module of this folder, or a name of :mod:`hippocampus_cli.api.types`."""
    if name in __all__:
        return import_module(f"{__name__}.{name}")
    if name.islower() and name != "open_workspace":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.types"), name)
