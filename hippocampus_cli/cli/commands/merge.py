"""``hippo merge``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.parameters import NUMBER, PATH, argument, option, takes
from hippocampus_cli.cli.surroundings import read_settings
from hippocampus_cli.errors import FileUnreadable, HippoError

if TYPE_CHECKING:
    from hippocampus_cli.index.merge import Merged
    from hippocampus_cli.markdown.diff3 import Labels


@takes(
    argument("base", None, "The common ancestor's version (%O).", kind=PATH),
    argument("ours", None, "Our version (%A); it is replaced.", kind=PATH),
    argument("theirs", None, "Their version (%B).", kind=PATH),
    argument("path", None, "The file's path in the repository (%P)."),
    option(
        "--marker-size", "Length of conflict marks (%L).", kind=NUMBER, default=7, low=1, high=200
    ),
    option(
        "--ours",
        "What conflict marks call our side (%X).",
        name="ours_name",
        default="",
    ),
    option(
        "--theirs",
        "What they call the other side (%Y).",
        name="theirs_name",
        default="",
    ),
)
def command(
    session: CommandContext,
    base: Path,
    ours: Path,
    theirs: Path,
    path: str,
    marker_size: int,
    ours_name: str,
    theirs_name: str,
) -> int:
    """Merge two branches of an index file or a daily log; what `hippo install git` has git call.

    Hits of both branches add up, the later access counts, tags and relations unite; what was put at the end of a log
    on both stays, one after the other. What both edited otherwise stands between conflict marks, and the exit code is
    1, as git expects.

    Examples:
      hippo merge --marker-size %L --ours=%X --theirs=%Y -- %O %A %B %P
    """
    from hippocampus_cli.markdown.diff3 import Labels
    from hippocampus_cli.markdown.lines import decode, encode
    from hippocampus_cli.workspace.atomic import replace_bytes

    try:
        texts = [decode(one.read_bytes()) for one in (base, ours, theirs)]
    except OSError as error:
        raise FileUnreadable(path=str(error.filename), reason=error.strerror or "") from error
    names = (_label(ours_name, "%X", "ours"), _label(theirs_name, "%Y", "theirs"))
    text, conflicts = _merged(session, texts, path, Labels(marker_size, *names))
    replace_bytes(ours, encode(text), str(ours))
    if conflicts:
        what = "conflict" if conflicts == 1 else "conflicts"
        session.output.note(f"hippo: {path}: {conflicts} {what}")
    return 1 if conflicts else 0


def _label(given: str, letter: str, otherwise: str) -> str:
    """What a side is called on one line; a git before 2.44 leaves the letter as it is."""
    name = " ".join(given.split())
    return otherwise if name in ("", letter) else name


def _merged(session: CommandContext, texts: list[str], path: str, labels: Labels) -> Merged:
    """The merged text; by line where it cannot be merged by entry, for git must get something that holds both."""
    from hippocampus_cli.config import Config, load
    from hippocampus_cli.index.merge import Merged, merge
    from hippocampus_cli.maintenance.branches import root_of, setting, without_forgotten
    from hippocampus_cli.markdown.diff3 import merge_lines, merge_log
    from hippocampus_cli.markdown.lines import split_lines

    base, ours, theirs = texts
    folder = root_of(path)
    if folder is None:
        return Merged(*merge_log(base, ours, theirs, labels))
    root = Path.cwd() / folder
    base, ours, theirs = without_forgotten(root, path[len(folder) :].lstrip("/"), texts)
    try:
        try:
            config = load(read_settings(root), session.environ)
        except HippoError:  # a setting that is wrong keeps no merge back
            config = Config()
        given = setting(root, config, session.now, path)
        return merge(base, ours, theirs, given, labels)
    except Exception as error:
        session.output.note(f"hippo: {path}: merged by line ({type(error).__name__}: {error})")
        lines, count = merge_lines(
            split_lines(base), split_lines(ours), split_lines(theirs), labels
        )
        return Merged("".join(lines), max(1, count))
