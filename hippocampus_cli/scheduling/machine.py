"""What the schedulers know of the machine and how they call its programs; tests give another."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from hippocampus_cli.errors import ScheduleRefused
from hippocampus_cli.markdown.lines import decode, encode

MISSING = 127
_TIMEOUT = 30.0


class Ran(NamedTuple):
    """What became of a program: its exit code (``MISSING`` where there is none such), and its words."""

    code: int
    out: str
    err: str

    @property
    def reason(self) -> str:
        """Why it failed, in its own words."""
        return (self.err or self.out).strip() or f"exit code {self.code}"


class Runner(Protocol):
    """Runs a program to its end, ``given`` on its standard input."""

    def __call__(self, args: Sequence[str], given: str = "") -> Ran:
        """The exit code and both outputs; never raises for what the program does."""


class Machine(NamedTuple):
    """``platform`` as in ``sys.platform``; ``config`` is the folder of the user's settings; ``uid`` -1: none."""

    run: Runner
    platform: str
    home: Path
    config: Path
    uid: int

    def must(self, args: Sequence[str], given: str = "") -> str:
        """What the program prints; raises ScheduleRefused where it fails."""
        ran = self.run(args, given)
        if ran.code != 0:
            raise refused(args, ran)
        return ran.out


def refused(args: Sequence[str], ran: Ran) -> ScheduleRefused:
    """The error that a program's failure is."""
    advice = "see to that, or name another scheduler by --with"
    return ScheduleRefused(reason=f"`{' '.join(args)}` says: {ran.reason}", advice=advice)


def run_program(args: Sequence[str], given: str = "") -> Ran:
    """The :class:`Runner` of the real machine; any byte of an output survives."""
    try:
        done = subprocess.run(args, input=encode(given), capture_output=True, timeout=_TIMEOUT)
    except FileNotFoundError:
        return Ran(MISSING, "", f"there is no program {args[0]}")
    except OSError as error:
        return Ran(MISSING, "", error.strerror or str(error))
    except subprocess.TimeoutExpired:
        return Ran(MISSING, "", f"{args[0]} did not answer within {_TIMEOUT:g} s")
    return Ran(done.returncode, decode(done.stdout), decode(done.stderr))
