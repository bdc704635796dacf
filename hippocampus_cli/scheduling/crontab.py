"""A crontab as text: our lines between two markers, every other line untouched."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hippocampus_cli.errors import ScheduleRefused

_LINE = re.compile(r"[^\n]*\n|[^\n]+")  # a crontab's lines end in \n alone


def with_lines(crontab: str, name: str, lines: Sequence[str]) -> str:
    """``crontab`` with ``lines`` as the block ``name``, in place of the one that is there, else at the end."""
    head, _, tail = _split(crontab, name)
    if head and not head.endswith("\n"):
        head += "\n"
    block = (f"# hippo:begin {name}", *lines, f"# hippo:end {name}")
    return head + "".join(f"{line}\n" for line in block) + tail


def without(crontab: str, name: str) -> str:
    """``crontab`` without the block ``name``."""
    head, _, tail = _split(crontab, name)
    return head + tail


def _split(crontab: str, name: str) -> tuple[str, str, str]:
    """What stands before the block, in it, and after it. Raises ScheduleRefused for markers out of pair."""
    lines: list[str] = _LINE.findall(crontab)
    begins = _places(lines, f"# hippo:begin {name}")
    ends = _places(lines, f"# hippo:end {name}")
    if not begins and not ends:
        return crontab, "", ""
    if len(begins) != 1 or len(ends) != 1 or ends < begins:
        raise ScheduleRefused(
            path="crontab",
            line=(begins + ends)[0] + 1,
            reason=f"the lines `# hippo:begin {name}` and `# hippo:end {name}` are no longer a pair",
            advice="take them and the line between them out with `crontab -e`, then try again",
        )
    start, stop = begins[0], ends[0] + 1
    return "".join(lines[:start]), "".join(lines[start:stop]), "".join(lines[stop:])


def _places(lines: Sequence[str], marker: str) -> list[int]:
    return [at for at, line in enumerate(lines) if line.rstrip() == marker]
