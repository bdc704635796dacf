"""The settings of a workspace, read from its own file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.workspace.read import read_file

if TYPE_CHECKING:
    from hippocampus_cli.config import Config


def read_config(root: Path | None, environ: Mapping[str, str]) -> Config:
    """The settings of the workspace at ``root``; without one, what would hold in a new one.

    Raises :class:`ConfigInvalid`, :class:`FileUnreadable`, and :class:`OutsideWorkspace` where the file is a link
    that leads out.
    """
    from hippocampus_cli.config import CONFIG_PATH, LARGEST, load

    text = None
    if root is not None and os.path.lexists(root / CONFIG_PATH):
        text = read_file(root, CONFIG_PATH, LARGEST).decode("utf-8", "surrogateescape")
    return load(text, environ)
