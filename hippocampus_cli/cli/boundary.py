"""Where every failure of a command ends: a message, a next step and an exit code.

Expected failures speak for themselves; an interrupt and a closed pipe are quiet; anything else is a bug
of ours and leaves a report to paste.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

from hippocampus_cli import __version__
from hippocampus_cli.cli.output import Output, row
from hippocampus_cli.errors import FileUnwritable, HippoError
from hippocampus_cli.markdown.safe import safe

INTERRUPTED = 130
PIPE_CLOSED = 141  # as a program that SIGPIPE ended


def guard(act: Callable[[], int | None], argv: Sequence[str], output: Output) -> int:
    """The exit code of ``act``, or of its failure, once that is explained; ``argv`` is what was typed."""
    try:
        code = act()
        output.out.flush()
    except HippoError as error:
        return explain(error, output)
    except (KeyboardInterrupt, EOFError):
        if output.terminal:
            output.note("")  # the prompt of the shell stands on a line of its own
        return INTERRUPTED
    except Exception as error:
        failed = output_failed(error) if isinstance(error, OSError) else None
        return failed or _confess(error, argv, output)
    return code or 0


def wants_json(argv: Sequence[str]) -> bool:
    """Whether ``--json`` is among the options (after ``--`` it is text)."""
    options = argv[: argv.index("--")] if "--" in argv else argv
    return "--json" in options


def explain(error: HippoError, output: Output) -> int:
    """Explain an expected failure; returns its exit code."""
    document = row(error, "code message path line", next=error.advice or None)
    output.json({"error": document})
    output.note(f"hippo: {error.message}")
    if error.where:
        output.note(f"  at {error.where}")
    if error.advice:
        output.note(f"  next: {error.advice}")
    return error.exit_code


class Bug(HippoError):
    """What we did not expect; ``path`` is a report of it."""

    code = "bug"
    exit_code = 70
    what = "a bug in hippo, not a mistake of yours ({kind})"
    next = (
        "paste that report into a new issue; it holds no text of your notes that we know of, but"
        " read it first"
    )


def _confess(error: Exception, argv: Sequence[str], output: Output) -> int:
    """Explain a bug of ours, with a report ready to paste; returns its exit code."""
    report = _report(error, argv)
    saved = _save(report)
    if not saved:
        for line in report.split("\n"):
            output.note(line)
    return explain(Bug(path=saved, kind=type(error).__name__), output)


def _report(error: Exception, argv: Sequence[str]) -> str:
    """Versions, the command's shape without what the user typed, and the traceback."""
    import platform
    import traceback

    from hippocampus_cli.cli.command_table import COMMANDS

    names = {command.name for command in COMMANDS}
    words = [word if word in names else _shape(word) for word in argv]
    python = f"Python {platform.python_version()} ({sys.implementation.name})"
    head = (
        f"hippo {__version__}\n{python} on {platform.platform()}\ncommand: hippo {' '.join(words)}"
    )
    return safe(f"{head}\n\n{''.join(traceback.format_exception(error))}")


def _shape(word: str) -> str:
    """An option without its value; of anything else that there was something."""
    if word.startswith("--"):
        return word.partition("=")[0]
    return word[:2] if word.startswith("-") else "TEXT"


def _save(report: str) -> str | None:
    """The file for temporary files that holds ``report``; None if that failed."""
    import tempfile

    try:
        handle, path = tempfile.mkstemp(prefix="hippo-report-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(report)
    except OSError:
        return None
    return path


def _hang_up() -> int:
    """The reader of our output has left (``hippo list | head``): leave without a word."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        # or the interpreter complains when it flushes at exit
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):
        pass  # a stream without a descriptor has nothing to flush to
    return PIPE_CLOSED


def output_failed(error: OSError) -> int | None:
    """The exit code where our reader has left or a disk is full; None where ``error`` is another."""
    import errno

    # Windows calls a closed pipe an invalid argument.
    if isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL):
        return _hang_up()
    if error.errno in (errno.ENOSPC, errno.EIO):
        _hang_up()
        sys.stderr.write(f"hippo: cannot write: {error.strerror}\n")
        return FileUnwritable.exit_code
    return None
