"""A bug report that a person can paste: versions, the command's shape, the traceback."""

from __future__ import annotations

from collections.abc import Sequence


def make_report(error: BaseException, argv: Sequence[str]) -> str:
    """The report's text. What the user typed is left out: only option names and the command remain."""
    import platform
    import sys
    import traceback

    from hippocampus_cli import __version__
    from hippocampus_cli.markdown.safe import safe

    trace = "".join(traceback.format_exception(error))
    return safe(
        f"hippo {__version__}\n"
        f"Python {platform.python_version()} ({sys.implementation.name}) on {platform.platform()}\n"
        f"command: hippo {' '.join(_without_texts(argv))}\n\n{trace}"
    )


def save_report(report: str) -> str | None:
    """Write the report to the folder for temporary files; its path, or None if that failed."""
    import os
    import tempfile

    try:
        handle, path = tempfile.mkstemp(prefix="hippo-report-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(report)
    except OSError:
        return None
    return path


def _without_texts(argv: Sequence[str]) -> list[str]:
    from hippocampus_cli.cli.command_table import COMMANDS

    names = {command.name for command in COMMANDS}
    shown = []
    for word in argv:
        if word in names:
            shown.append(word)
        elif word.startswith("-"):
            shown.append(word.partition("=")[0] if word.startswith("--") else word[:2])
        else:
            shown.append("TEXT")
    return shown
