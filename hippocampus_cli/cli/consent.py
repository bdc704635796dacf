"""Asking before something outside hippo's own files is written."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from hippocampus_cli.cli.output import Output, bold

if TYPE_CHECKING:
    from hippocampus_cli.workspace.external_files import Change

REFUSED = 2
"""The exit code where nobody could be asked."""
DECLINED = 1
"""The exit code where somebody said no."""


def with_consent(
    output: Output,
    question: str,
    show: Callable[[], None],
    act: Callable[[], None],
    *,
    yes: bool,
    dry_run: bool,
) -> int:
    """Show it and do it: on ``yes``, or when a person says so. The exit code.

    A ``dry_run`` does nothing, and that is no refusal.
    """
    try:
        show()
    except OSError:
        if yes and not dry_run:  # who said so wants it done, also where nobody reads on
            act()
        raise
    if dry_run:
        return 0
    if not yes:
        if not (sys.stdin.isatty() and output.terminal and not output.as_json):
            output.note("hippo: nothing was written, for there is no terminal to ask on; add --yes")
            return REFUSED
        if input(f"{question} [y/N]: ").strip().lower() not in ("y", "yes"):
            output.note("hippo: nothing was written")
            return DECLINED
    act()
    return 0


def print_changes(output: Output, plans: Mapping[str, Sequence[Change]]) -> None:
    """What is planned by its title: every file's name, and every line that is added or removed."""
    for title, changes in plans.items():
        output.line(bold(title))
        for change in changes:
            output.line()
            output.line(bold(change.place))
            for line in change.diff():
                sign, text = line[:1], line[1:].removesuffix("\r").expandtabs(4)
                style = {"+": "green", "-": "red"}.get(sign, "dim")
                output.quote(sign + text, style)
        output.line()


def size_of(change: Change) -> str:
    """How many lines of a file come and go, and whether the whole file does."""
    signs = [line[:1] for line in change.diff()]
    counts = [f"{sign}{number}" for sign in "+-" if (number := signs.count(sign))]
    whole = [] if change.before and change.after else ["gone" if change.before else "new"]
    return " ".join([*counts, *whole])


def changes_document(changes: Sequence[Change]) -> list[dict[str, object]]:
    """The same as JSON."""
    return [{"place": change.place, "diff": list(change.diff())} for change in changes]
