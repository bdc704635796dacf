"""A text in the person's own editor, as git opens one: $VISUAL, else $EDITOR."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from hippocampus_cli.errors import UsageError


def edited(text: str, environ: Mapping[str, str]) -> str:
    """The text as the editor leaves it. Raises :class:`UsageError` where there is none, or where it fails."""
    command = shlex.split(environ.get("VISUAL") or environ.get("EDITOR") or "")
    if not command:
        raise UsageError(reason="no editor is named", advice="set EDITOR, for example to nano")
    with tempfile.TemporaryDirectory(prefix="hippo-") as folder:
        file = Path(folder) / "review.diff"
        file.touch(0o600)
        file.write_text(text, encoding="utf-8")
        try:
            code = subprocess.run([*command, os.fspath(file)], check=False).returncode
        except OSError as error:
            raise UsageError(
                reason=f"{command[0]}: {error.strerror}", advice="set EDITOR"
            ) from error
        if code:
            reason = f"{command[0]} ended with exit code {code}; nothing was changed"
            raise UsageError(
                reason=reason, advice="save the file and leave the editor without an error"
            )
        return file.read_text(encoding="utf-8", errors="replace")
