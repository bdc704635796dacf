"""A data set of CORF: questions about a workspace, each with the lines that answer (ANCHOR, ``benchmark.py``)."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

VERSION = 1
ABSENT, FAILED, PRONOUN, SILENT = "absent", "failed", "pronoun", "silent"
ASSOCIATIVE, SOURCE, PARAPHRASE = "associative", "source", "paraphrase"
KINDS = (FAILED, PRONOUN, ASSOCIATIVE, SOURCE, SILENT, PARAPHRASE, ABSENT)
"""Why retrieval tends to fail: it once did; the project is only referred to; the question has another word that
goes with the answer's; it names where the answer came from; no anchor stands in it; it is said in other words.
``absent``: there is no answer."""


class Gold(NamedTuple):
    """Lines that answer, 1-based and inclusive; ``path`` is relative to the workspace."""

    path: str
    start: int
    end: int

    def meets(self, path: str, start: int, end: int) -> bool:
        """Whether these lines of a file hold or overlap it."""
        return path == self.path and start <= self.end and self.start <= end


class Query(NamedTuple):
    """A question; any of ``gold`` answers it. ``project`` is the one that is active while it is asked.

    ``updated_after_build``: the lines that answer came after the index was built.
    """

    id: str
    text: str
    kind: str
    project: str | None
    gold: tuple[Gold, ...]
    updated_after_build: bool = False


class Dataset(NamedTuple):
    """``workspace`` is a folder, relative to the one that ``file`` stands in."""

    file: Path
    workspace: str
    queries: tuple[Query, ...]

    @property
    def root(self) -> Path:
        """The workspace."""
        return self.file.absolute().parent / self.workspace
