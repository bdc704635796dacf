"""LoCoMo as the other corpora are measured: with what is asked of one conversation put to another one too."""

from __future__ import annotations

import os
from pathlib import Path

from bench.dataset import Dataset, Folder
from bench.locomo import file_in, read_locomo
from bench.scoring import (
    BESIDE,
    CONFIDENCE,
    LINES,
    SAID_OF_CONFIDENCE,
    of_change,
    of_confidence,
    of_lines,
)

OTHER = "of another"
_EVERY = 4  # of the next conversation's questions is put to this one
_HEADS = ("files_at_5", "any_at_5", "all_at_5", "turns_at_10", "cov_1000")
SCORING = LINES._replace(
    heads={key: LINES.heads[key] for key in _HEADS} | {"marked": "marks"} | CONFIDENCE,
    figures=(of_lines, of_change, of_confidence),
    telling=("files_at_5", "any_at_5", "cov_1000"),
    split=("files_at_5",),
    methods=("bm25-turns", *BESIDE),
    legend=f"{LINES.legend} marks: results that are marked as superseded. {SAID_OF_CONFIDENCE}",
)


def read(data: Path) -> Dataset | None:
    """The conversations of ``locomo/*.json``, or of the file that ``LOCOMO`` names."""
    named = os.environ.get("LOCOMO")
    file = Path(named) if named else file_in(data)
    if file is None:
        return None
    dataset = read_locomo(file)
    folders = dataset.folders
    following = (*folders[1:], *folders[:1])
    mixed = tuple(_with_others(*pair) for pair in zip(folders, following, strict=True))
    return dataset._replace(kinds=(*dataset.kinds, OTHER), folders=mixed, scoring=SCORING)


def _with_others(folder: Folder, other: Folder) -> Folder:
    if folder is other:
        return folder
    absent = (one._replace(right=(), kind=OTHER) for one in other.cases[::_EVERY])
    return folder._replace(cases=(*folder.cases, *absent))
