"""What pinning and unpinning did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.cli.render.safe import safe_line

if TYPE_CHECKING:
    from hippocampus_cli.curation.pinning import Pinned


def print_pinned(output: Output, done: Sequence[Pinned]) -> None:
    """A line an entry, or the JSON document."""
    if output.as_json:
        from hippocampus_cli.cli.render.documents import document_of

        output.json({"entries": [document_of(one, changed=one.changed) for one in done]})
        return
    for one in done:
        output.line(Styled(safe_line(one.id), "cyan"), f"  {_what(one)}")


def _what(one: Pinned) -> str:
    if not one.changed:
        return "was pinned already" if one.after == "amygdala" else "was not pinned"
    if one.after == "amygdala":
        return "pinned" + (" (its priority was low)" if one.before == "low" else "")
    return "unpinned" if one.before == "amygdala" else "priority low is now normal"
