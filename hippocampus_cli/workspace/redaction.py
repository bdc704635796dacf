"""The redactor of one workspace: what must not be kept in anything derived from its notes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.redaction.redactor import Matcher, Redactor, secrets_in
from hippocampus_cli.workspace.own_files import FORGOTTEN

if TYPE_CHECKING:
    from hippocampus_cli.workspace.note import Note


def redactor_for(root: Path) -> Redactor:
    """What every piece of text goes through before it is kept outside the notes of ``root``.

    Raises :class:`FileUnreadable` where it cannot be read what was forgotten.
    """
    matchers: list[Matcher] = [secrets_in]
    if os.path.exists(os.path.join(root, FORGOTTEN)):
        from hippocampus_cli.workspace.tombstones import load

        matcher = load(root).matcher
        if matcher is not None:
            matchers.append(matcher)
    return Redactor(matchers)


def redacted(note: Note, redactor: Redactor) -> Note:
    """A note as everything derived from it may know it: its lines are those of the note."""
    text = redactor.redact(note.text)
    return note if text == note.text else note.replaced(text=text)
