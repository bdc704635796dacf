"""hippo run in this process, as a user types it."""

from __future__ import annotations

import io
import json
from typing import Any, NamedTuple

import pytest

from hippocampus_cli.cli.main import main


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

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys, self._monkeypatch = capsys, monkeypatch

    def __call__(self, *words: str, code: int | None = 0, given: str | bytes | None = None) -> Told:
        if given is not None:
            data = given.encode() if isinstance(given, str) else given
            self._monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        self._capsys.readouterr()
        ended = main(words[0].split() if len(words) == 1 else words)
        told = Told(*self._capsys.readouterr())
        assert code in (ended, None), (words, ended, told)
        return told
