"""The entry point ``hippo``."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from functools import partial

from hippocampus_cli import __version__

# Made before Python looks for cycles, of which a command makes next to none; looking takes a twentieth of its time.
_MANY_OBJECTS = 100_000
_HELP = {"--help", "-h"}
_WAITED_FOR = {"hook", "query", "search", "brief"}
"""Commands that an agent asks again and again."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``hippo`` with ``argv`` (without the program's name; default: the process's); its exit code."""
    args = list(sys.argv[1:] if argv is None else argv)
    _open_closed_streams()
    _leave_removed_folder()
    before = gc.get_threshold()
    gc.set_threshold(_MANY_OBJECTS, *before[1:])
    try:
        code = _run(args)
        sys.stdout.flush()
    except KeyboardInterrupt:  # while modules were still being imported
        code = 130
    except OSError as error:
        from hippocampus_cli.cli.boundary import output_failed

        failed = output_failed(error)
        if failed is None:
            raise
        code = failed
    finally:
        gc.set_threshold(*before)
    if argv is None and _WAITED_FOR.intersection(args[:1]):
        sys.stderr.flush()
        os._exit(
            code
        )  # Python's own end takes as long as its start, and leaves nothing that is not closed
    return code


def _open_closed_streams() -> None:
    """What was closed by whoever started us (``>&-``) leads nowhere, and no file that is opened gets its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, mode, encoding="utf-8"))


def _leave_removed_folder() -> None:
    """Work at the root of the file system where the current folder is gone: nothing is found from there."""
    try:
        os.getcwd()  # noqa: PTH109 - a short command does not load pathlib
    except FileNotFoundError:
        sys.stderr.write("hippo: the current folder was removed\n")
        os.chdir(os.sep)


def _run(args: list[str]) -> int:
    if args in (["--version"], ["-V"]):  # before anything heavy is imported
        sys.stdout.write(f"hippo {__version__}\n")
        return 0
    if args[:1] == ["hook"] and not _HELP & set(args):  # an agent waits for it
        from hippocampus_cli.cli import hook

        return hook.run(args[1:])
    if args[:1] in (["--complete"], ["--show-completion"]):
        from hippocampus_cli.cli import complete

        return complete.answer(args)
    from hippocampus_cli.cli import boundary, output, run_command

    out = output.open_output(os.environ, as_json=boundary.wants_json(args))
    return boundary.guard(partial(run_command.run, args, os.environ, out), args, out)
