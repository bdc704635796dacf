"""What is to become of files of other programs, line by line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.cli.render.safe import safe_line

if TYPE_CHECKING:
    from hippocampus_cli.workspace.changes import Change

_TAB = 4  # columns
_STYLES = {"+": "green", "-": "red"}


def print_changes(output: Output, changes: Sequence[Change]) -> None:
    """Every file's name, and every line that comes and goes."""
    for change in changes:
        output.line()
        output.line(Styled(safe_line(change.place), "bold"))
        for line in change.diff():
            sign, text = line[:1], line[1:].removesuffix("\r").expandtabs(_TAB)
            output.quote(sign + safe_line(text), _STYLES.get(sign, "dim"))
    output.line()


def document_of(changes: Sequence[Change]) -> list[dict[str, object]]:
    """The same as JSON."""
    return [{"place": change.place, "diff": list(change.diff())} for change in changes]
