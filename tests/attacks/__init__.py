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


GUARDED = """
import contextlib, io, os, time
os.environ["HIPPO_NOW"] = "2026-06-10T12:00:00+00:00"
from hippocampus_cli.cli.main import main


def hippo(*words):
    out, err = io.StringIO(), io.StringIO()
    begun, wrong = time.monotonic(), []
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(list(words))
        except SystemExit as error:
            code = error.code
        except BaseException as error:
            code = f"{type(error).__name__}: {error}"
    seconds = time.monotonic() - begun
    if not isinstance(code, int) or code == 70:
        wrong.append(f"{' '.join(words)}: {code} {err.getvalue()[-300:]}")
    if seconds > 5:
        wrong.append(f"{' '.join(words)}: {seconds:.1f} s")
    return code, out.getvalue(), err.getvalue(), wrong
"""
"""A program's begin: ``hippo`` runs a command, and says what it ended with, what it printed, and what is wrong: it
crashed, or took longer than five seconds."""

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
