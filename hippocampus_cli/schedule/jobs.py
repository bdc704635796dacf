"""The upkeep of one workspace as a job to schedule."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import PurePath
from typing import NamedTuple

from hippocampus_cli.errors import ScheduleRefused
from hippocampus_cli.markdown.lines import encode

HOUR, MINUTE = 2, 30
# What a crontab or a unit reads as something else, or cannot hold: such a folder is not scheduled.
_UNWRITABLE = re.compile('[\x00-\x1f\x7f\ud800-\udfff%$\\\\"]')
_SLUG_LENGTH = 24


class Job(NamedTuple):
    """Upkeep of the workspace ``root`` (absolute); ``program`` is what starts hippo, words before its own."""

    root: str
    program: tuple[str, ...]

    def check(self) -> None:
        """Raises :class:`ScheduleRefused` where a path cannot be written as it is."""
        for word in (self.root, *self.program):
            if sign := _UNWRITABLE.search(word):
                raise ScheduleRefused(
                    reason=f"no scheduler accepts {sign.group()!a} in a path: {word!a}",
                    advice="rename the folder",
                )

    @property
    def name(self) -> str:
        """Readable and unique: ``hippo-agent-3f2a9c1b``."""
        words = re.findall("[a-z0-9]+", PurePath(self.root).name.lower())
        slug = "-".join(words)[:_SLUG_LENGTH].strip("-") or "workspace"
        return f"hippo-{slug}-{sha256(encode(self.root)).hexdigest()[:8]}"

    @property
    def command(self) -> tuple[str, ...]:
        """The words to run."""
        return (*self.program, "maintain", "--due", "--workspace", self.root)
