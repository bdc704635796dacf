"""A note in the person's own editor, as git opens one: $VISUAL, else $EDITOR."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

from hippocampus_cli.errors import UsageError

_LINE_LAST: dict[str, tuple[str, ...]] = dict.fromkeys(
    ("code", "codium", "cursor", "windsurf"), ("--goto",)
)
_LINE_LAST |= dict.fromkeys(("hx", "subl", "zed"), ())
"""Editors that take ``FILE:LINE``, and the option before it; the others take ``+LINE FILE``."""


def open_at(file: Path, line: int, environ: Mapping[str, str]) -> None:
    """Open ``file`` at a line. Raises :class:`UsageError` where there is no editor, or where it fails."""
    command = _command(environ)
    name = Path(command[0]).stem
    if name in _LINE_LAST:
        _run([*command, *_LINE_LAST[name], f"{file}:{line}"])
    else:
        _run([*command, f"+{line}", os.fspath(file)])


def _command(environ: Mapping[str, str]) -> list[str]:
    command = shlex.split(environ.get("VISUAL") or environ.get("EDITOR") or "")
    if not command:
        raise UsageError(reason="no editor is named", advice="set EDITOR, for example to nano")
    return command


def _run(command: list[str]) -> None:
    try:
        code = subprocess.run(command, check=False).returncode
    except OSError as error:
        raise UsageError(reason=f"{command[0]}: {error.strerror}", advice="set EDITOR") from error
    if code:
        raise UsageError(
            reason=f"{command[0]} ended with exit code {code}",
            advice="save the file and leave the editor without an error",
        )
