"""Asking before something outside hippo's own files is written."""

from __future__ import annotations

import sys
from collections.abc import Callable

from hippocampus_cli.cli.render import Output

REFUSED = 2
"""The exit code where nobody could be asked."""


def with_consent(
    output: Output,
    question: str,
    show: Callable[[], None],
    act: Callable[[], None],
    *,
    yes: bool,
    dry_run: bool,
) -> int:
    """Show it and do it: on ``yes``, or when a person says so. 0, or REFUSED where there is nobody to ask.

    A ``dry_run`` does nothing, and that is no refusal. Raises ``typer.Abort`` where the answer is no.
    """
    if dry_run:
        show()
        return 0
    try:
        show()
    except OSError:
        if yes:  # who said so wants it done, also where nobody reads on
            act()
        raise
    if yes:
        act()
        return 0
    if not (sys.stdin.isatty() and output.terminal and not output.as_json):
        return REFUSED
    import typer

    typer.confirm(question, abort=True)
    act()
    return 0


def explain_refusal(output: Output, code: int) -> None:
    """Say why nothing was written."""
    if code == REFUSED:
        output.note("hippo: nothing was written, for there is no terminal to ask on; add --yes")
