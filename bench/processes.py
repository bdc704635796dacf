"""Whole processes timed in turn, so that a machine that slows down slows all of them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import median


def in_turn(
    commands: Mapping[str, Sequence[str]],
    rounds: int = 9,
    variables: Mapping[str, str] | None = None,
) -> dict[str, float]:
    """The median milliseconds of each command (arguments to Python), after one warm-up round.

    Raises :class:`subprocess.CalledProcessError` where a process would not find hippo: a command that fails at
    once looks fast.
    """
    timed(("-c", "import hippocampus_cli"), check=True)
    timings = {name: partial(timed, one, variables) for name, one in commands.items()}
    return medians(timings, rounds)


def medians(timings: Mapping[str, Callable[[], float]], rounds: int = 9) -> dict[str, float]:
    """The median milliseconds of what each function times in seconds, in turn, after one warm-up round."""
    times: dict[str, list[float]] = {name: [] for name in timings}
    for round_ in range(rounds + 1):
        for name, timing in timings.items():
            seconds = timing()
            if round_:
                times[name].append(seconds * 1000)
    return {name: median(found) for name, found in times.items()}


def timed(
    arguments: Sequence[str], variables: Mapping[str, str] | None = None, *, check: bool = False
) -> float:
    """The seconds of one process of Python, with these environment variables besides its own.

    With ``check``, raises :class:`subprocess.CalledProcessError` where it fails.
    """
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments],
        env=environment() | dict(variables or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=check,
    )
    return time.perf_counter() - started


def environment() -> dict[str, str]:
    """The variables of this process, but for one that makes every start compile anew.

    And nothing is imported from the folder this runs in, which may be anybody's.
    """
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONSAFEPATH": "1"}
