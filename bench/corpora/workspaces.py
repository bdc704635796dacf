"""Workspaces written for the purpose, as agents keep them: ``bench/workspaces/NAME/notes`` and its questions."""

from __future__ import annotations

from pathlib import Path

from bench.corpora.notes import corpus_of, morning_after, read_notes
from bench.corpora.questions import kinds_of, read_questions
from bench.dataset import Dataset, Folder
from bench.scoring import ANSWERS

WORKSPACES = Path(__file__).parents[1] / "workspaces"
UNSEEN = Path(__file__).parents[1] / "unseen"
"""Workspaces and questions of somebody who had not seen hippo: nothing is chosen on them."""


def read(_: Path, root: Path = WORKSPACES) -> Dataset | None:
    """The questions as they are asked in a sentence."""
    return _dataset("workspaces", "question", root)


def read_cues(_: Path, root: Path = WORKSPACES) -> Dataset | None:
    """The same questions in one to three words, as an agent types them."""
    return _dataset("workspaces-cues", "cue", root)


def read_unseen(_: Path, root: Path = UNSEEN) -> Dataset | None:
    """Questions about workspaces on which nothing was chosen."""
    return _dataset("unseen", "question", root)


def _dataset(name: str, word: str, root: Path) -> Dataset | None:
    files = sorted(root.glob("*/questions.jsonl"))
    folders = tuple(_folder(file.parent, word) for file in files)
    kinds = kinds_of(case for folder in folders for case in folder.cases)
    return Dataset(name, kinds, folders, scoring=ANSWERS) if folders else None


def _folder(root: Path, word: str) -> Folder:
    corpus = corpus_of(read_notes(root / "notes"))
    cases = read_questions(root / "questions.jsonl", corpus, word)
    return Folder(root.name, corpus, morning_after(corpus.files), cases)
