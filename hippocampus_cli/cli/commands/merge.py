"""``hippo merge``."""

from __future__ import annotations

from pathlib import Path

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import argument, option, takes
from hippocampus_cli.cli.output import count


@takes(
    argument("base", None, "The common ancestor's version (%O)."),
    argument("ours", None, "Our version (%A); it is replaced."),
    argument("theirs", None, "Their version (%B)."),
    argument("path", None, "The file's path in the repository (%P)."),
    option("--marker-size", "Length of conflict marks (%L).", low=1),
    option("--ours", "What conflict marks call our side (%X).", name="ours_name"),
    option("--theirs", "What they call the other side (%Y).", name="theirs_name"),
    shared=(),
)
def command(
    session: CommandContext,
    *,
    base: Path,
    ours: Path,
    theirs: Path,
    path: str,
    marker_size: int = 7,
    ours_name: str = "",
    theirs_name: str = "",
) -> int:
    """Merge two branches of an index file or a daily log; what `hippo install git` has git call.

    Hits of both branches add up, the later access counts, tags and relations unite; what was put at the end of a log
    on both stays, one after the other. What both edited otherwise stands between conflict marks, and the exit code is
    1, as git expects.

    Examples:
      hippo merge --marker-size %L --ours=%X --theirs=%Y -- %O %A %B %P
    """
    merged = api.branches.merge_files(
        (base, ours, theirs),
        Path.cwd(),
        path,
        (_label(ours_name, "%X", "ours"), _label(theirs_name, "%Y", "theirs")),
        marker_size=marker_size,
        now=session.now,
        environ=session.environ,
    )
    session.output.notices([f"{path}: {merged.notice}"] if merged.notice else [])
    if merged.conflicts:
        session.output.note(f"hippo: {path}: {count(merged.conflicts, 'conflict')}")
    return 1 if merged.conflicts else 0


def _label(given: str, letter: str, otherwise: str) -> str:
    """What a side is called on one line; a git before 2.44 leaves the letter as it is."""
    name = " ".join(given.split())
    return otherwise if name in ("", letter) else name
