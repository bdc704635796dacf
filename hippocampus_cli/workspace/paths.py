"""A path that a text names, made safe: relative, ``/``-separated, and inside the workspace or nowhere.

Deciding reads links (``lstat``, ``readlink``) and never opens or lists anything.
"""

from __future__ import annotations

import contextlib
import os

from hippocampus_cli.fast_types import pattern

_DRIVE = pattern(r"[A-Za-z]:" if os.name == "nt" else r"[A-Za-z]:(?=[\\/])")
_MAX_LENGTH = 4096


def is_absolute(path: str) -> bool:
    """Whether ``path`` names a place of a whole machine: ``/x``, ``~/x``, ``C:/x``, ``//server/x``."""
    return path.startswith(("/", "\\", "~/", "~\\")) or path == "~" or bool(_DRIVE.match(path))


def relative_to_root(root: str, path: str) -> str | None:
    """The absolute ``path`` as one relative to ``root``, or ``None`` if it does not lie below it.

    Only the text is compared (with ``root`` as given and with its links resolved): looking at a foreign
    place could mount a volume or call a server. What ``~`` stands for is not known here, so it is outside.
    """
    if path.startswith(("~", "//", "\\\\")) or not os.path.isabs(path):
        return None
    for base in (os.path.abspath(root), os.path.realpath(root)):
        with contextlib.suppress(ValueError):  # another drive
            relative = os.path.relpath(path, base).replace(os.sep, "/")
            if relative.partition("/")[0] != "..":
                return relative
    return None


def normal(path: str) -> str | None:
    """``path`` without ``.``, ``..`` and doubled slashes; ``""`` is the root, ``None`` if it climbs out."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def inner_path(path: str) -> str | None:
    """A path from the root as :func:`normal` gives it; ``None`` where it is absolute, impossible or climbs out."""
    return normal(path) if is_possible(path) and not is_absolute(path) else None


def is_possible(path: str) -> bool:
    """Whether a file could have this name at all."""
    return "\0" not in path and len(path) <= _MAX_LENGTH


def real_path(root: str, path: str) -> str | None:
    """Where the relative ``path`` leads with every link resolved, relative to the resolved ``root``.

    ``None`` if that is outside. Nothing need exist there. ``path`` is possible and normal.
    """
    base, real = os.path.realpath(root), os.path.realpath(os.path.join(root, path))
    if real != base and not real.startswith(os.path.join(base, "")):
        return None
    return real[len(base) :].lstrip(os.sep).replace(os.sep, "/")
