"""``hippo wrong``."""

from __future__ import annotations

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import argument, takes
from hippocampus_cli.cli.output import cyan, dim


@takes(
    argument(
        "what",
        "ID|PATH:LINE",
        "An entry's id, or a place that was shown; by default what the last question used.",
        required=False,
    )
)
def command(session: CommandContext, *, what: str = "") -> None:
    """Say that an answer was wrong: its hit is taken back, and what it taught.

    The entry loses the hit, the strength and the tags that the question gave it; an entry that was made for the
    question goes to the archive. What is only outdated is said with hippo curate --outdated.

    Examples:
      hippo wrong
      hippo wrong memory/2026-05-01.md:9
    """
    done = session.open().entries.wrong(what)
    session.output.json({"entries": done})
    for back in done:
        left = "it is in the archive now" if back.archived else f"it has {back.hits} now"
        session.output.line("took back a hit of ", cyan(back.id), f' for "{back.query}"; {left}')
        if back.forgot:
            session.output.line(dim(f"  it forgot {', '.join(back.forgot)}"))
    session.output.line(
        dim("the place may still be found; outdated? hippo curate --outdated PATH:LINE")
    )
