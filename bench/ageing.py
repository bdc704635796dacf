"""Files that look as if nobody had touched them for a day."""

from __future__ import annotations

import os
from pathlib import Path

_DAY = 86_400


def age(file: Path) -> None:
    """Set a file's times back: what is as new as the clock's tick is read again at every question."""
    stat = file.stat()
    os.utime(file, (stat.st_atime - _DAY, stat.st_mtime - _DAY))
