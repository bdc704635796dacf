"""``hippo open``."""

from __future__ import annotations

from hippocampus_cli import api
from hippocampus_cli.cli.context import CommandContext, path_of
from hippocampus_cli.cli.editor import open_at
from hippocampus_cli.cli.options import argument, takes, whole_number
from hippocampus_cli.errors import FileUnreadable, OutsideWorkspace


@takes(
    argument(
        "place",
        "ID|PATH:LINE",
        "An entry's id, or a note as answers name it.",
    )
)
def command(session: CommandContext, *, place: str) -> None:
    """Open a note in your editor: at an entry's place, or at a line.

    The editor is $VISUAL, else $EDITOR. With --json nothing is opened: the place is printed.

    Examples:
      hippo open acme-deploy
      hippo open TOOLS.md:5
    """
    opened = session.open()
    path, line = _file_and_line(opened, place) or _entry_place(opened, place)
    if session.output.as_json:
        session.output.json({"path": path, "line": line})
    else:
        open_at(opened.root / path, line, session.environ)


def _file_and_line(opened: api.Workspace, place: str) -> tuple[str, int] | None:
    """The path from the root and the line of ``PATH`` or ``PATH:LINE``; None where there is no such file.

    Raises :class:`OutsideWorkspace`.
    """
    file, _, number = place.rpartition(":")
    line = whole_number(number)
    if not file or line is None:
        file, line = place, 1
    path = path_of(opened.root, file)
    if path is None:
        raise OutsideWorkspace(path=file, reason="this path leads out of the workspace")
    return (path, max(1, line)) if (opened.root / path).is_file() else None


def _entry_place(opened: api.Workspace, key: str) -> tuple[str, int]:
    """Where the first pointer of an entry leads. Raises :class:`EntryNotFound`, :class:`FileUnreadable`."""
    for lead in opened.entries.show(key).leads:
        if lead.start_line is not None:
            return lead.path, lead.start_line
    raise FileUnreadable(path=key, reason="no pointer of this entry leads to a file that is there")
