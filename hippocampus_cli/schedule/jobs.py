"""The upkeep of one workspace as a job to schedule, quoted for each scheduler."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePath

from hippocampus_cli.errors import ScheduleRefused
from hippocampus_cli.markdown.lines import encode


def for_crontab(words: Iterable[str]) -> str:
    """``words`` as the command of a crontab line.

    Most crons end a command at ``%`` and read ``\\%`` as ``%``; some read ``\\%`` literally, and some read
    ``\\\\`` as one backslash. So ``\\%`` is outside of quotes, where a shell reads it as ``%`` too, and no
    backslash of a word is ever followed by a backslash or a percent sign.
    """
    return " ".join(r"\%".join(map(_quoted, word.split("%"))) or "''" for word in words)


def _quoted(piece: str) -> str:
    # shlex puts whatever has a backslash within single quotes: '' closes and opens them again.
    return shlex.quote(piece).replace("\\", "\\''") if piece else ""


def for_systemd(words: Sequence[str]) -> str:
    """``words`` as ``ExecStart=``: in double quotes, with no specifier and no variable in them."""
    program, *rest = words  # systemd looks for variables in all words but the program's
    return " ".join([_in_unit(program), *(_in_unit(word.replace("$", "$$")) for word in rest)])


def _in_unit(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'


HOUR, MINUTE = 2, 30
# Control characters, and bytes that are not UTF-8: not every unit, property list or crontab can hold them.
_UNWRITABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_SLUG_LENGTH = 24


@dataclass(frozen=True)
class Job:
    """Upkeep of the workspace ``root`` (absolute); ``program`` is what starts hippo, words before its own."""

    root: str
    program: tuple[str, ...]

    def __post_init__(self) -> None:
        for word in (self.root, *self.program):
            if found := _UNWRITABLE.search(word):
                what = "a line break" if found.group() in "\r\n" else f"{found.group()!a}"
                reason = f"no scheduler accepts {what} in a path: {word!a}"
                raise ScheduleRefused(reason=reason, advice="rename the folder")

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
