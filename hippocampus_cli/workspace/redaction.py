"""The redactor of one workspace: what must not be kept in anything derived from its notes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.redaction.redactor import Matcher, Redactor, Span
from hippocampus_cli.workspace.own_files import FORGOTTEN

if TYPE_CHECKING:
    from hippocampus_cli.workspace.note import Note


_SHORT = 500  # characters
_LONG = 20  # of a word that may be a key
_SIGNS = tuple(':=|>/_@"`“„«：是为為는은')


def redactor_for(root: Path) -> Redactor:
    """What every piece of text goes through before it is kept outside the notes of ``root``.

    Raises :class:`FileUnreadable` where it cannot be read what was forgotten.
    """
    return Redactor((secrets_in, *_forgotten(root)))


def _forgotten(root: Path) -> list[Matcher]:
    """What finds the texts that were forgotten; nothing is loaded where none was."""
    if not os.path.exists(os.path.join(root, FORGOTTEN)):
        return []
    from hippocampus_cli.workspace.tombstones import load

    found = load(root)
    return [found.matcher] if found is not None and found.matcher is not None else []


def secrets_in(text: str) -> list[Span]:
    """The keys, passwords and tokens in ``text``."""
    if _says_words_only(text):
        return []
    from hippocampus_cli.redaction.detector import (
        find_secrets,
    )  # what reads nothing new has no use for it

    return find_secrets(text)


def _says_words_only(text: str) -> bool:
    """Whether a short text, such as most queries are, can hold no secret: what finds one is not loaded for it."""
    if len(text) > _SHORT or any(sign in text for sign in _SIGNS) or any(map(str.isdigit, text)):
        return False
    return max(map(len, text.split()), default=0) < _LONG


def redacted(note: Note, redactor: Redactor) -> Note:
    """A note as everything derived from it may know it: its lines are those of the note."""
    text = redactor.redact(note.text)
    return note if text is note.text else note.replaced(text=text)
