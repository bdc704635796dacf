"""A data set from the notes of a workspace, by seed: the same one for the same notes. No model writes it."""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from bench.arguments import whole
from bench.corf.asking import associative, pronouns, sources
from bench.corf.dataset import KINDS, Dataset, Gold, Query
from bench.corf.failing import failed
from bench.corf.rewording import paraphrases, silent
from bench.corf.writing import check_new, write_new
from hippocampus_cli.anchors.building import ReadNote, build
from hippocampus_cli.anchors.index import AnchorIndexed
from hippocampus_cli.anchors.twin import UNKNOWN, Seen
from hippocampus_cli.api import Workspace
from hippocampus_cli.benchmark.copying import copy_workspace
from hippocampus_cli.benchmark.deriving import facts_in
from hippocampus_cli.benchmark.methods import notes_of
from hippocampus_cli.benchmark.sheet import Column, Findings, Sheet
from hippocampus_cli.cli.context import Session
from hippocampus_cli.cli.render.safe import safe_line
from hippocampus_cli.config import Config
from hippocampus_cli.errors import UsageError
from hippocampus_cli.workspace.journal_read import read
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.sections import find_section

WARNING = (
    "All but the failed ones were drawn up by a program from the notes themselves. They show whether a known place "
    "is found again by these ways of asking, and what each part of a lookup adds to that. They do not show how "
    "people ask: the words come from the notes or from hippo's own thesaurus, which flatters what uses either; a "
    "place that answers as well as the one marked counts as a miss; and no question is without an answer. Put "
    "questions of your own beside them."
)


class Plan(NamedTuple):
    """At most ``most`` of each kind; ``seed`` draws them."""

    most: int = 100
    seed: int = 1


def make(root: Path, config: Config, file: Path, plan: Plan, now: datetime) -> Dataset:
    """Questions about the workspace ``root``, which is only read; ``file`` is where they are to go.

    Raises :class:`UsageError` where there is nothing to ask for.
    """
    notes = _notes(root, config)
    index = _anchors(notes, config, now)
    facts = [fact for note in notes for fact in facts_in(note)]
    known = {note.path: note for note in notes}
    events = read(root, datetime.min.replace(tzinfo=now.tzinfo, year=1970))
    found = (
        failed(events, lambda path, section: _located(known, path, section)),
        pronouns(notes),
        associative(facts, index),
        sources(notes),
        silent(facts, index),
        paraphrases(facts),
    )
    dice = random.Random(plan.seed)
    queries = [query for one in found for query in _drawn(one, plan.most, dice)]
    if not queries:
        advice = "write some first, or name another folder with --workspace"
        raise UsageError(reason="the notes hold nothing to ask for", advice=advice)
    return Dataset(file, _relative(root, file), tuple(queries))


def counts(found: Dataset) -> dict[str, int]:
    """How many there are of each kind, none of those that there are none of."""
    kinds = [query.kind for query in found.queries]
    return {kind: kinds.count(kind) for kind in KINDS if kind in kinds}


def _notes(root: Path, config: Config) -> list[Note]:
    """The notes of a copy, so that not even a cache is written beside them."""
    with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
        copy = Path(scratch) / "workspace"
        copy_workspace(root, config, copy)
        with Workspace(copy, config) as workspace:
            return notes_of(workspace)


def _anchors(notes: Sequence[Note], config: Config, now: datetime) -> AnchorIndexed:
    """The anchors of the notes, in memory."""
    given = (ReadNote(note, Seen(UNKNOWN, 0, 0)) for note in notes)
    return build(given, (), config.anchors, None, now.isoformat()).whole


def _drawn(found: Iterable[Query], most: int, dice: random.Random) -> Iterator[Query]:
    """At most ``most``, each text once, in the order of the notes, numbered."""
    once = list({(one.text.casefold(), one.project): one for one in found}.values())
    chosen = sorted(dice.sample(range(len(once)), min(most, len(once))))
    for number, at in enumerate(chosen, 1):
        yield once[at]._replace(id=f"{once[at].kind}-{number:03}")


def _located(known: dict[str, Note], path: str, section: str | None) -> Gold | None:
    note = known.get(path)
    if note is None:
        return None
    if section is None:
        return Gold(path, 1, len(note.lines))
    found = find_section(note.sections, section)
    return Gold(path, found.section.start, found.section.tree_end) if found else None


def _relative(root: Path, file: Path) -> str:
    try:
        return Path(os.path.relpath(root, file.absolute().parent)).as_posix()
    except ValueError:  # another drive
        return root.as_posix()


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m bench make-corf``."""
    add = parser.add_argument
    add(
        "--out",
        type=Path,
        default=Path("corf.json"),
        help="where to write it; nothing may be there",
    )
    add(
        "--paraphrases", type=whole(0, 10_000), default=100, help="so many at most, as of each kind"
    )
    add("--seed", type=int, default=1, help="the same one, the same questions")


def measure(session: Session, options: argparse.Namespace) -> Findings:
    """Write questions about your own notes for `python -m bench corf`.

    Queries that failed and were answered later come from the journal of accesses; the others are made from
    headings, project folders, the company that words keep, and the thesaurus: the same ones for the same notes
    and seed. They show whether places are found again, not how people ask. A file that is there is left alone.
    """
    check_new(options.out)
    plan = Plan(options.paraphrases, options.seed)
    made = make(session.root(), session.config(), options.out, plan, session.now)
    write_new(options.out, made)
    kinds = counts(made)
    columns = (Column("kind", "kind"), Column("questions", "questions", ",d"))
    title = f"wrote {safe_line(str(options.out))}: {len(made.queries):,} questions"
    sheet = Sheet(title, columns, tuple(kinds.items()))
    document = {
        "file": str(options.out),
        "workspace": made.workspace,
        "questions": len(made.queries),
        "kinds": kinds,
        "warning": WARNING,
    }
    return Findings(document, (sheet,), (WARNING,), sheet)
