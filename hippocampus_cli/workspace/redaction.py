"""The redactor of one workspace: what must not be kept in anything derived from its notes."""

from __future__ import annotations

import os
from pathlib import Path

from hippocampus_cli.redaction.redactor import Matcher, Redactor
from hippocampus_cli.workspace.own_files import FORGOTTEN


def redactor_for(root: Path) -> Redactor:
    """What every piece of text goes through before it is kept outside the notes of ``root``.

    Raises :class:`FileUnreadable` where it cannot be read what was forgotten.
    """
    return Redactor(_forgotten(root))


def _forgotten(root: Path) -> list[Matcher]:
    """What finds the texts that were forgotten; nothing is loaded where none was."""
    if not os.path.exists(os.path.join(root, FORGOTTEN)):
        return []
    from hippocampus_cli.workspace.tombstones import load

    found = load(root)
    return [found.matcher] if found is not None and found.matcher is not None else []
