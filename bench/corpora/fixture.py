"""The workspace of ``fixtures/`` and its questions."""

from __future__ import annotations

import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from bench.corpora.notes import corpus_of
from bench.dataset import Case, Dataset, Folder, lines_in
from bench.questions import Question, load_questions
from bench.scoring import ANSWERS
from hippocampus_cli import open_workspace

FIXTURES = Path(__file__).parents[2] / "fixtures"
NOW = datetime(2026, 8, 1, 9, tzinfo=UTC)  # when its questions are asked


def read(_: Path) -> Dataset:
    """The questions with the sections that answer them, those about what is not there too."""
    with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
        root = Path(scratch) / "workspace"
        shutil.copytree(FIXTURES / "workspace", root)
        with open_workspace(root) as workspace:
            workspace.library.refresh()
            questions = load_questions(FIXTURES / "queries.toml", workspace.library.note)
            paths = [file.path for file in workspace.library.found.files]
            files = {path: _lines(root / path) for path in paths}
    cases = tuple(map(_case, questions))
    kinds = tuple(dict.fromkeys(one.kind for one in cases))
    folder = Folder("fixture", corpus_of(files), NOW, cases, FIXTURES / "workspace")
    return Dataset("fixture", kinds, (folder,), scoring=ANSWERS)


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8", errors="replace").split("\n")


def _case(question: Question) -> Case:
    places = tuple(lines_in((one,)) for one in question.gold)
    sides = places if question.kind == "multi" else ()
    return Case(question.text, places, question.kind, sides=sides, id=question.id)
