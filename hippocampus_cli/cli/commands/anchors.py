"""``hippo anchors``: words of the notes that lead straight to where they are spoken of."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import NUMBER, SHARED, Group, argument, flag, option, takes
from hippocampus_cli.cli.values import text_of

if TYPE_CHECKING:
    from hippocampus_cli.api.workspace import Workspace

HELP = """Anchors: words of your notes that lead straight to where they are spoken of.

An anchor is a heading, a bold term, a name or a word that tells notes apart. A build works out which
chunks each leads to; a lookup finds the anchors of a message and returns their chunks, in milliseconds.

Examples:
  hippo anchors build
  hippo anchors lookup "how do we deploy it" --project kelpie
  hippo anchors update memory/2026-08-01.md
  hippo anchors status
"""


@takes(flag("--check", "Change nothing; exit code 1 where a build would."), *SHARED)
def build(
    session: CommandContext,
    check: bool,
) -> int:
    """Build the anchor index from all notes, anew.

    It stands in .hippocampus/anchors and is made of your notes alone: deleting it costs time only. Once it is
    there, `hippo remember` and `hippo watch` keep it up to date; a build every night makes it as good as new.

    Examples:
      hippo anchors build
      hippo anchors build --check || hippo anchors build
    """
    from hippocampus_cli.cli.render.anchors import print_built

    started = perf_counter()
    with (
        session.open() as opened,
        session.output.progress("building anchors") as advance,
    ):
        done = opened.anchors.build(check=check, now=session.now, progress=advance)
    print_built(session.output, done, check, perf_counter() - started)
    return int(check and done.changed)


@takes(argument("files", "FILE", "Notes that changed or are gone.", several=True), *SHARED)
def update(
    session: CommandContext,
    files: list[str],
) -> None:
    """Bring single notes up to date: new ones, changed ones, and ones that are gone.

    Nothing is written where nothing changed.

    Examples:
      hippo anchors update memory/2026-08-01.md
      git diff --name-only HEAD~1 -- '*.md' | xargs hippo anchors update
    """
    from hippocampus_cli.cli.render.anchors import print_updated

    started = perf_counter()
    with session.open() as opened:
        paths = [_relative(opened, file) for file in files]
        done = opened.anchors.update(*paths, now=session.now)
        _require_notes(opened.root, paths, (*done.changed, *done.removed, *done.unchanged))
    print_updated(session.output, done, perf_counter() - started)


@takes(
    argument("words", "TEXT", "A message; - reads it from standard input.", several=True),
    option(
        "--project", "What `it` and `our` stand for; by default anchors.project.", metavar="NAME"
    ),
    option("--limit -n", "Chunks at most.", metavar="N", kind=NUMBER),
    *SHARED,
)
def lookup(
    session: CommandContext, words: list[str], project: str | None, limit: int | None
) -> int:
    """Look a message up: the chunks that its anchors lead to, best first.

    Notes that changed since are brought up to date before they are shown. The exit code is 1 where the message
    has no anchor.

    Examples:
      hippo anchors lookup "who fixed the label printer"
      hippo anchors lookup "when do we ship it" --project kelpie --limit 5
      hippo anchors lookup - --json < message.txt
    """
    from hippocampus_cli.cli.render.anchors import print_looked

    text = text_of(words)
    flags = {"anchors.max_chunks": ("--limit", limit)}
    started = perf_counter()
    with session.open(flags=flags) as opened:
        looked = opened.anchors.lookup(text, project=project, now=session.now)
    print_looked(session.output, text, looked, perf_counter() - started)
    return 0 if looked.hits else 1


@takes(*SHARED)
def status(
    session: CommandContext,
) -> None:
    """Show what the anchor index holds, and which notes it is behind.

    Examples:
      hippo anchors status
      hippo anchors status --json | jq .changed
    """
    from hippocampus_cli.cli.render.anchors import print_anchor_status

    with session.open() as opened:
        print_anchor_status(session.output, opened.anchors.status())


def _relative(opened: Workspace, file: str) -> str:
    """The path of a note from the root; one given relatively is meant from here. Raises :class:`OutsideWorkspace`."""
    from hippocampus_cli.errors import OutsideWorkspace

    found = opened.path_of(file)
    if found is None or found == ".":
        raise OutsideWorkspace(path=file, reason="this path leads out of the workspace")
    return found


def _require_notes(root: Path, paths: list[str], known: tuple[str, ...]) -> None:
    """Raises where a path is neither a note nor was one: most likely it is misspelt."""
    from hippocampus_cli.errors import FileUnreadable

    for path in paths:
        if path not in known:
            there = (root / path).exists()
            reason = (
                "it is not one of the notes" if there else "there is no such note, and was none"
            )
            raise FileUnreadable(path=path, reason=reason)


command = Group(
    HELP,
    (
        build,
        update,
        lookup,
        status,
    ),
)
