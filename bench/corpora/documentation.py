"""Documentation that stands on this machine: pages about one thing, in which nothing is out of date.

The questions are in ``bench/documentation/NAME.jsonl``; of a tree that is not here, or another version that does not
say what answers, they are left out.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from bench.corpora.notes import corpus_of, read_notes
from bench.corpora.questions import kinds_of, read_questions
from bench.dataset import Dataset, Folder
from bench.scoring import ANSWERS

QUESTIONS = Path(__file__).parents[1] / "documentation"
TREES = {
    "npm": ("usr/lib/node_modules/npm/docs/content", "usr/share/nodejs/npm/docs/content"),
    "nodejs": ("usr/share/doc/nodejs/api",),
}
"""Where packages put them, below the root; several are several ways to install one."""
_NOW = datetime(2026, 8, 1, 9, tzinfo=UTC)


def read(_: Path, top: Path = Path("/"), questions: Path = QUESTIONS) -> Dataset | None:
    """Every tree that is here, a folder each."""
    folders = []
    for name, places in TREES.items():
        roots = [root for place in places for root in sorted(top.glob(place)) if root.is_dir()]
        if roots and (questions / f"{name}.jsonl").is_file():
            folders.append(_folder(name, roots[0], questions / f"{name}.jsonl"))
    kinds = kinds_of(case for folder in folders for case in folder.cases)
    scoring = ANSWERS._replace(folders="trees")
    return Dataset("documentation", kinds, tuple(folders), scoring=scoring) if folders else None


def _folder(name: str, root: Path, questions: Path) -> Folder:
    corpus = corpus_of(read_notes(root))
    return Folder(name, corpus, _NOW, read_questions(questions, corpus, lenient=True))
