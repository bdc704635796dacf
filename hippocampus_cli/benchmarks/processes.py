"""Whole processes timed in turn, so that a machine that slows down slows all of them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from statistics import median


def in_turn(commands: Mapping[str, Sequence[str]], rounds: int = 9) -> dict[str, float]:
    """The median milliseconds of each command (arguments to Python), after one warm-up round."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for round_ in range(rounds + 1):
        for name, arguments in commands.items():
            seconds = timed(arguments)
            if round_:
                times[name].append(seconds * 1000)
    return {name: median(found) for name, found in times.items()}


def timed(
    arguments: Sequence[str], variables: Mapping[str, str] | None = None, *, check: bool = False
) -> float:
    """The seconds of one process of Python, with these environment variables besides its own.

    With ``check``, raises :class:`subprocess.CalledProcessError` where it fails.
    """
    environment = {
        key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"
    }
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments],
        env=environment | dict(variables or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=check,
    )
    return time.perf_counter() - started
