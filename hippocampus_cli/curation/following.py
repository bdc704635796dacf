"""Where pointers lead, read from the notes as they are now."""

from __future__ import annotations

from dataclasses import dataclass

from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.workspace.note import Note, Section
from hippocampus_cli.workspace.notes import Notes
from hippocampus_cli.workspace.resolve import Resolved, Status
from hippocampus_cli.workspace.sections import How

SHOWN_LINES = 8
_WHY_NOT = {
    Status.MISSING_FILE: "there is no such file",
    Status.MISSING_SECTION: "the file has no such section",
    Status.UNREADABLE: "it cannot be read as a note (hippo status says why)",
    Status.OUTSIDE: "it leads out of the workspace and is not followed",
    Status.FOLDER: "a folder",
    Status.ABSOLUTE: "an absolute path: it works on this machine only",
}


@dataclass(frozen=True, slots=True)
class Lead:
    """What one pointer leads to. Public: the field names are the keys of ``--json``.

    ``status`` is ``ok``, ``absolute``, ``folder``, ``missing-file``, ``missing-section``, ``unreadable`` or
    ``outside``;
    ``remark`` says why not, or what is odd. Lines are 1-based and inclusive, and ``None`` where nothing
    was found; ``text`` is the first of them.
    """

    pointer: str
    status: str
    path: str
    section: str | None = None
    start_line: int | None = None
    end_line: int | None = None
    text: str = ""
    remark: str = ""


class Follower(Notes):
    """Follows pointers in one workspace, and shows what they lead to."""

    def lead(self, pointer: Pointer, lines: int = SHOWN_LINES) -> Lead:
        """The same with the first ``lines`` lines of the text."""
        found = self.follow(pointer)
        bare = Lead(str(pointer), found.status.value, found.path, remark=remark_on(found))
        if found.status not in (Status.OK, Status.ABSOLUTE):
            return bare
        note = self.note(found.path)
        if note is None:
            return Lead(str(pointer), found.status.value, found.path, remark="not a text to read")
        start, end = _span(note, found.section)
        return Lead(
            pointer=str(pointer),
            status=found.status.value,
            path=found.path,
            section=found.section.title if found.section else None,
            start_line=start,
            end_line=end,
            text=self.as_written(found.path).text_of(start, min(end, start + lines - 1)),
            remark=bare.remark,
        )


def remark_on(found: Resolved[Section]) -> str:
    """Why a pointer leads nowhere, or what is odd about it; empty where all is well."""
    if found.how is How.FUZZY and found.section:
        return f"matched by likeness with §{found.section.title}"
    return _WHY_NOT.get(found.status, "")


def _span(note: Note, section: Section | None) -> tuple[int, int]:
    if section:
        return section.start, section.tree_end
    first = note.sections[0].start if note.sections else 1  # front matter says little
    return first, max(first, len(note.lines))
