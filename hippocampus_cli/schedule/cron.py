"""cron: our lines between two markers of the user's crontab, every other line unchanged."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from hippocampus_cli.errors import ScheduleRefused
from hippocampus_cli.markdown.lines import encode
from hippocampus_cli.schedule.jobs import HOUR, MINUTE, Job
from hippocampus_cli.schedule.scheduler import MISSING, Name, ProgramResult, Scheduler, refused
from hippocampus_cli.workspace.external_files import Change

_LINE = re.compile(r"[^\n]*\n|[^\n]+")  # a crontab's lines end in \n alone


def with_lines(crontab: str, name: str, lines: Sequence[str]) -> str:
    """``crontab`` with ``lines`` as the block ``name``, in place of the one that is there, else at the end; without
    lines there is no block."""
    head, tail = _around(crontab, name)
    if not lines:
        return head + tail
    if head and not head.endswith("\n"):
        head += "\n"
    block = (f"# hippo:begin {name}", *lines, f"# hippo:end {name}")
    return head + "".join(f"{line}\n" for line in block) + tail


def _around(crontab: str, name: str) -> tuple[str, str]:
    """The text before the block, and after it. Raises ScheduleRefused for unmatched markers."""
    lines: list[str] = _LINE.findall(crontab)
    begins = _places(lines, f"# hippo:begin {name}")
    ends = _places(lines, f"# hippo:end {name}")
    if not begins and not ends:
        return crontab, ""
    if len(begins) != 1 or len(ends) != 1 or ends < begins:
        raise ScheduleRefused(
            path="crontab",
            line=(begins + ends)[0] + 1,
            reason=f"the lines `# hippo:begin {name}` and `# hippo:end {name}` do not match",
            advice="delete them and the line between them with `crontab -e`, then try again",
        )
    return "".join(lines[: begins[0]]), "".join(lines[ends[0] + 1 :])


def _places(lines: Sequence[str], marker: str) -> list[int]:
    return [at for at, line in enumerate(lines) if line.rstrip() == marker]


PLACE = "crontab"
_LIST = ("crontab", "-l")
_LONGEST = 998
"""Bytes of a line that every cron accepts."""
# Vixie cron and its descendants; busybox names the missing file.
_EMPTY = ("no crontab for", "no such file or directory")


class Cron(Scheduler):
    """The crontab of the user, read and written by ``crontab``.

    A cron skips what was due while the machine was off, and ``--due`` does nothing where nothing is due: so the job
    runs every hour from 02:30 on, and a missed run is done within an hour.
    """

    name: Name = "cron"
    rhythm = "hourly from 02:30 to 23:30, doing what is due"

    def unavailable(self) -> str:
        ran = self._list()
        return "" if ran.code == 0 or _is_empty(ran) else ran.reason

    def notices(self) -> list[str]:
        # macOS starts its cron when there is a crontab, so none running says nothing there.
        on_demand = self.machine.platform == "darwin"
        if on_demand or self.machine.run(["pgrep", "-x", "crond?"]).code != 1:
            return []
        return ["no cron daemon is running; start one, or nothing will run"]

    def to_install(self, job: Job) -> list[Change]:
        return self._changes(job, line_of(job))

    def to_remove(self, job: Job) -> list[Change]:
        return [] if self.unavailable() else self._changes(job)

    def install(self, job: Job, changes: Sequence[Change]) -> None:
        for change in changes:
            self._write(change)

    remove = install

    def _changes(self, job: Job, *lines: str) -> list[Change]:
        before = self._read()
        after = with_lines(before, job.name, lines)
        return [] if before == after else [Change(PLACE, before, after)]

    def _list(self) -> ProgramResult:
        return self.machine.run(_LIST)

    def _read(self) -> str:
        ran = self._list()
        if ran.code != 0 and not _is_empty(ran):
            raise refused(_LIST, ran)
        return ran.out if ran.code == 0 else ""

    def _write(self, change: Change) -> None:
        if self._read() != change.before:
            raise ScheduleRefused(
                reason="another program changed the crontab meanwhile", advice="try again"
            )
        args = ("crontab", "-" if change.after else "-r")
        self.machine.must(args, change.after)


def line_of(job: Job) -> str:
    """The line of a crontab that runs ``job``; raises ScheduleRefused where it is too long."""
    line = f"{MINUTE} {HOUR}-23 * * * {shlex.join(job.command)}"
    if len(encode(line)) > _LONGEST:
        raise ScheduleRefused(
            reason=f"the line is longer than the {_LONGEST} bytes that a crontab accepts",
            advice="choose another scheduler with --with, or move the workspace to a shorter path",
        )
    return line


def _is_empty(ran: ProgramResult) -> bool:
    return ran.code != MISSING and any(words in ran.err.lower() for words in _EMPTY)
