"""hippo run in this process, as a user types it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest

from hippocampus_cli.cli.main import main
from hippocampus_cli.cli.output import Output


def screen(width: int = 80, *, terminal: bool = True) -> tuple[Output, io.StringIO]:
    """Where a command prints, and what it printed."""
    out = io.StringIO()
    return Output(out, io.StringIO(), False, terminal, False, width), out


class Told(NamedTuple):
    """What a command printed, to both streams."""

    out: str
    err: str

    @property
    def json(self) -> Any:
        """The document of a command with ``--json``."""
        return json.loads(self.out)


class Hippo:
    """``hippo("query siren --json")`` runs a command; several texts are its words as they are.

    It must end with ``code``; ``None`` is any.
    """

    def __init__(
        self,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
        run: Callable[[Sequence[str]], int] = main,
    ) -> None:
        self._capsys, self._monkeypatch, self._run = capsys, monkeypatch, run

    def __call__(self, *words: str, code: int | None = 0, given: str | bytes | None = None) -> Told:
        if given is not None:
            data = given.encode() if isinstance(given, str) else given
            self._monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        self._capsys.readouterr()
        ended = self._run(words[0].split() if len(words) == 1 else words)
        told = Told(*self._capsys.readouterr())
        assert code in (ended, None), (words, ended, told)
        return told
