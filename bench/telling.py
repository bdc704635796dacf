"""``python -m bench telling FOLDER --judged FILE``: the trees that tell which sentences speak for a passage.

FOLDER/OWNER+NAME holds the files of each workspace. A line of FILE is a passage that a reader judged: its
``workspace`` and ``path``; ``line`` and ``direct`` where it is a section; the sentences that are ``good`` (they tell
the matter) and ``bad`` (they mislead or say nothing). Each workspace is judged by trees of the others; with ``--out``
trees of all are written. Needs LightGBM (the dependency group ``fit``).
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from bench.fit.boosting import SEED, document, fit_telling
from bench.sheet import Column, Findings, Sheet
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.config import Config
from hippocampus_cli.entries.passages import Passage, statements
from hippocampus_cli.entries.telling import FEATURES, MOST, feature_rows
from hippocampus_cli.entries.worth import Frequencies, frequencies
from hippocampus_cli.errors import UsageError
from hippocampus_cli.workspace.fingerprints import fingerprint
from hippocampus_cli.workspace.resolve import Notes
from hippocampus_cli.workspace.scan import scan

FOLDS = 8
_SAMPLE = 600  # notes of a workspace that tell what many say alike
_LINE = 160  # characters
_COLUMNS = (
    Column("method", "the sentence"),
    Column("good", "good", ".2f"),
    Column("bad", "bad", ".2f"),
    Column("n", "passages"),
)
Chooser = Callable[["Read"], int]


class Read(NamedTuple):
    """A passage that was judged: its sentences, a row of features for each, and 1 for each good one, -1 for bad."""

    workspace: str
    texts: Sequence[str]
    rows: Sequence[Sequence[float]]
    verdicts: Sequence[int]


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the fit."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the workspaces, a folder each")
    parser.add_argument("--judged", type=Path, required=True, metavar="FILE", help="the judgements")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write trees of all of them")


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """How often the chosen sentence is good, and how often it is bad, beside the dumbest choices."""
    judged = _judgements(options.judged)
    found: list[Read] = []
    with session.output.progress("reading") as advance:
        for number, (name, rows) in enumerate(judged.items(), 1):
            found += read(options.folder / name, rows)
            advance(number, len(judged))
    if not found:
        advice = f"FOLDER is to hold the workspaces that {options.judged} names"
        raise UsageError(reason="no passage that was judged is there", advice=advice)
    methods = {
        "the first": lambda _: 0,
        "the longest in a line": _longest,
        "learned": _left_out(found),
    }
    table = tuple(_row(name, choose, found) for name, choose in methods.items())
    if options.out:
        about = (
            f"fitted on {len(found)} passages of {len(judged)} workspaces; LightGBM, seed {SEED}"
        )
        trees = fit_telling([(each.rows, each.verdicts) for each in found])
        options.out.write_text(document([trees], about, len(FEATURES)), encoding="utf-8")
    sheet = Sheet("of each passage one sentence", _COLUMNS, table)
    keys = [column.key for column in _COLUMNS]
    return Findings(
        {"rows": [dict(zip(keys, row, strict=True)) for row in table]}, (sheet,), (), sheet
    )


def _judgements(file: Path) -> dict[str, list[Any]]:
    """The lines of the file by their workspace."""
    found = defaultdict(list)
    try:
        for line in file.read_text(encoding="utf-8").splitlines():
            row = {"good": [], "bad": [], **json.loads(line)}
            said = (row["workspace"], row["path"], *row["good"], *row["bad"])
            if not isinstance(row["good"], list) or not isinstance(row["bad"], list):
                raise TypeError("good and bad are lists")
            if not all(isinstance(text, str) for text in said):
                raise TypeError("a workspace, a path and sentences are texts")
            found[row["workspace"]].append(row)
    except (OSError, ValueError, KeyError, TypeError) as error:
        advice = "see bench/README.md for what a line has"
        raise UsageError(reason=f"{file} has no judgements: {error!r}", advice=advice) from None
    return found


def read(root: Path, rows: Sequence[Mapping[str, Any]]) -> Iterator[Read]:
    """The judged passages of a workspace, as far as they still have a sentence that was judged."""
    config = Config().scan
    notes = Notes(root, config.max_file_bytes)
    counted = _frequencies(root, notes)
    for row in rows:
        note = notes.note(row["path"])
        starts = {section.start: section for section in note.sections} if note else {}
        if note is None or ("line" in row and row["line"] not in starts):
            continue
        section = starts[row["line"]] if "line" in row else None
        passage = Passage(note, date.min, section, row.get("direct", False), counted)
        said = list(islice(statements(passage), MOST))
        texts = [sentence.text for sentence in said]
        verdicts = [_is_among(text, row["good"]) - _is_among(text, row["bad"]) for text in texts]
        if said:
            yield Read(root.name, texts, feature_rows(said), verdicts)


def _is_among(text: str, judged: Sequence[str]) -> bool:
    """Whether a sentence was judged: as it is, or cut elsewhere."""
    return any(each in text or text in each for each in judged if len(each) > 8 or each == text)


def _frequencies(root: Path, notes: Notes) -> Frequencies:
    prints = []
    for stat in scan(root, Config().scan).files[:_SAMPLE]:
        if note := notes.note(stat.path):
            prints.append(fingerprint(note, stat, 1))
    return frequencies(prints)


def _longest(passage: Read) -> int:
    """The longest sentence of one line."""
    return max(
        range(len(passage.texts)),
        key=lambda n: (len(passage.texts[n]) <= _LINE, len(passage.texts[n])),
    )


def _left_out(found: Sequence[Read]) -> Chooser:
    """The choice of trees that have not seen the workspace."""
    trees = {
        fold: fit_telling(
            [(each.rows, each.verdicts) for each in found if _fold(each.workspace) != fold]
        )
        for fold in {_fold(each.workspace) for each in found}
    }

    def choose(passage: Read) -> int:
        values = list(map(trees[_fold(passage.workspace)].value, passage.rows))
        return values.index(max(values))

    return choose


def _fold(workspace: str) -> int:
    return zlib.crc32(workspace.encode()) % FOLDS


def _row(name: str, choose: Chooser, found: Sequence[Read]) -> tuple[str, float, float, int]:
    verdicts = [each.verdicts[choose(each)] for each in found]
    count = len(verdicts) or 1
    return name, verdicts.count(1) / count, verdicts.count(-1) / count, len(verdicts)
