"""Attacks on the promise that nothing is lost, and nothing kept against one's will.

Each module of this package holds one kind of attack as a function from the hippo under test and a number of tries to
an :class:`Outcome`, named in its ``ATTACKS``. ``test_attacks`` runs every one with few tries, ``make test-long`` with
many; ``python -m tests.attacks`` prints the table of docs/promises.md, beside an older checkout where one is named.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Outcome(NamedTuple):
    """How often something was tried, and how often it went wrong; ``note`` is for a person."""

    tries: int
    wrong: int
    note: str = ""


class Subject(NamedTuple):
    """The hippo under test: the folder that holds its package, and a home of its own."""

    checkout: Path
    home: Path

    @property
    def environment(self) -> dict[str, str]:
        """What every process of it runs with."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith("HIPPO_")}
        return {**kept, "PYTHONPATH": str(self.checkout), "HOME": str(self.home), "NO_COLOR": "1"}

    def run(
        self, *words: str, cwd: Path, timeout: float = 60.0, given: str | None = None
    ) -> subprocess.CompletedProcess[str]:
        """``hippo`` with these words. A traceback is always wrong: raises :class:`AssertionError`."""
        done = self.python("-m", "hippocampus_cli", *words, cwd=cwd, timeout=timeout, given=given)
        assert "Traceback (most recent call last)" not in done.stderr, done.stderr[-2_000:]
        return done

    def python(
        self, *words: str, cwd: Path, timeout: float = 60.0, given: str | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Python with the hippo under test importable, for an attack through its API."""
        return subprocess.run(
            [sys.executable, *words],
            cwd=cwd,
            env=self.environment,
            input="" if given is None else given,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="surrogateescape",
            timeout=timeout,
            check=False,
        )


Attack = Callable[[Subject, Path, int], Outcome]
"""``attack(subject, folder, tries)``: ``folder`` is empty and its own."""


class Registered(NamedTuple):
    """An attack with the numbers of tries of the short run, of ``make test-long``, and of the table."""

    attack: Attack
    short: int
    long: int


def registered() -> Mapping[str, Registered]:
    """Every attack by its name, in the order of the modules."""
    found: dict[str, Registered] = {}
    for module in pkgutil.iter_modules(__path__):
        if not module.name.startswith(("test_", "_")):
            loaded = importlib.import_module(f"{__name__}.{module.name}")
            found.update(getattr(loaded, "ATTACKS", {}))
    return found
