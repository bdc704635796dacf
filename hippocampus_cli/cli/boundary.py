"""Where every failure of a command ends: a message, a next step and an exit code.

Expected failures speak for themselves; an interrupt and a closed pipe are quiet; anything else is a bug
of ours and leaves a report to paste.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from hippocampus_cli.cli.render.output import Output
from hippocampus_cli.errors import FileUnwritable, HippoError
from hippocampus_cli.markdown.safe import safe_line

OUR_BUG = 70
INTERRUPTED = 130
PIPE_CLOSED = 141  # as a program that SIGPIPE ended


class Boundary:
    """``with Boundary(argv, output) as boundary:`` tells of a failure in its block; then ``code`` is the exit code.

    The block sets ``code`` where the command has one of its own. Failures that are ``passing`` are not told;
    ``argv`` is what was typed.
    """

    def __init__(
        self, argv: Sequence[str], output: Output, passing: tuple[type[BaseException], ...] = ()
    ) -> None:
        self.code: int | None = None
        self._argv = argv
        self._output = output
        self._passing = passing

    def __enter__(self) -> Boundary:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if error is None:
            try:
                self._output.out.flush()
            except OSError as failed:
                error = failed
        if isinstance(error, self._passing):
            return False
        if error is not None:
            self.code = self._told(error)
            return self.code is not None
        self.code = self.code or 0
        return True

    def _told(self, error: BaseException) -> int | None:
        """The exit code of what was told; ``None`` for what is not for us, such as the interpreter's own exit."""
        if isinstance(error, HippoError):
            return explain(error, self._output)
        if isinstance(error, KeyboardInterrupt | EOFError):
            return INTERRUPTED
        if not isinstance(error, Exception):
            return None
        failed = output_failed(error) if isinstance(error, OSError) else None
        return failed or confess(error, self._argv, self._output)


def wants_json(argv: Sequence[str]) -> bool:
    """Whether ``--json`` is among the options (after ``--`` it is text)."""
    options = argv[: argv.index("--")] if "--" in argv else argv
    return "--json" in options


def explain(error: HippoError, output: Output) -> int:
    """Tell of an expected failure; returns its exit code."""
    if output.as_json:
        output.json(_document(error.code, error.message, error.path, error.line, error.advice))
    output.note(f"hippo: {safe_line(error.message)}")
    if error.where:
        output.note(f"  at {safe_line(error.where)}")
    if error.advice:
        output.note(f"  next: {safe_line(error.advice)}")
    return error.exit_code


def explain_usage(message: str, output: Output) -> None:
    """The JSON half of a usage error; the words for people are typer's."""
    if output.as_json:
        output.json(_document("usage", message, None, None, "see --help"))


def confess(error: BaseException, argv: Sequence[str], output: Output) -> int:
    """Tell of a bug of ours, with a report ready to paste; returns its exit code."""
    from hippocampus_cli.cli.report import make_report, save_report

    report = make_report(error, argv)
    saved = save_report(report)
    kind = type(error).__name__
    if output.as_json:
        output.json(_document("bug", f"a bug in hippo: {kind}", saved, None, "report it"))
    output.note(f"hippo: a bug in hippo, not a mistake of yours ({kind})")
    if saved is None:
        for line in report.split("\n"):
            output.note(line)
    else:
        output.note(f"  at {saved}")
    output.note("  next: paste that report into a new issue; it holds no text of your notes that")
    output.note("        we know of, but read it first")
    return OUR_BUG


def hang_up() -> int:
    """The reader of our output has left (``hippo list | head``): leave without a word."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(
            nowhere, sys.stdout.fileno()
        )  # or the interpreter complains when it flushes at exit
    except (OSError, ValueError):
        pass  # a stream without a descriptor has nothing to flush to
    return PIPE_CLOSED


def output_failed(error: OSError) -> int | None:
    """The exit code where our reader has left or a disk is full; None where ``error`` is another."""
    import errno

    # Windows calls a closed pipe an invalid argument.
    if isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL):
        return hang_up()
    if error.errno in (errno.ENOSPC, errno.EIO):
        hang_up()
        sys.stderr.write(f"hippo: cannot write: {error.strerror}\n")
        return FileUnwritable.exit_code
    return None


def _document(
    code: str, message: str, path: str | None, line: int | None, advice: str
) -> dict[str, dict[str, object]]:
    error: dict[str, object] = {
        "code": code,
        "message": message,
        "path": path,
        "line": line,
        "next": advice or None,
    }
    return {"error": error}
