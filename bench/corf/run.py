"""``python -m bench corf``: questions that retrieval tends to fail, with and without each part of a lookup.

A copy of the workspace is filled up if wished, and asked every question in every way (ANCHOR, ``benchmark.py``).
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from bench.arguments import chosen, several, whole
from bench.comparison import answers, percentiles
from bench.corf.dataset import KINDS, Dataset, Query, check_gold, read_dataset
from bench.dataset import Progress, silent
from bench.made_up import write_made_up
from bench.methods import bm25_spans
from bench.metrics import Corpus, Span
from bench.places import notes_of
from bench.questions import Place
from bench.sheet import Column, Findings
from bench.tables import Asked, Comparison, Row, mean, plain, row_of
from bench.workspace import copy_workspace
from hippocampus_cli.anchors.lookup import lookup
from hippocampus_cli.api import Workspace
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.config import Config
from hippocampus_cli.search.library import Library
from hippocampus_cli.text.passages import passages_of

AT = (5, 20)
ABLATIONS = {
    "no-pronoun": "no pronouns",
    "no-related": "no related words",
}
_FULL = {"full": "anchors, full"}
_CHUNKS_A_FILE = 4  # of the made-up notes: one a section
_REST = (
    Column("iir", "IIR", ".3f"),
    Column("iir_absent", "IIR absent", ".3f"),
    Column("scr", "SCR", ".3f"),
    Column("returned", "chunks", ".1f"),
    Column("p50_ms", "p50 ms", ".1f"),
    Column("p95_ms", "p95 ms", ".1f"),
)


class Plan(NamedTuple):
    """What is measured: ``ablations`` (none: all that can be), the Ks of ``at``, ascending, and how many
    ``chunks`` the index is filled up to (0: as it is)."""

    ablations: tuple[str, ...] = ()
    at: tuple[int, ...] = AT
    chunks: int = 0


class Report(NamedTuple):
    """``kinds`` are the questions asked by kind; ``files``, ``chunks`` and ``anchors`` are those of the workspace,
    with what was made up to fill it. The metrics of the ``rows`` are ``at_K`` for each K of ``at``."""

    dataset: str
    questions: int
    kinds: Mapping[str, int]
    at: tuple[int, ...]
    files: int
    chunks: int
    anchors: int
    made_up: int
    embedder: str
    rows: tuple[Row, ...]
    answers: tuple[dict[str, object], ...] = ()
    """What each question got, by method: for ``--json``."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m bench corf``."""
    add = parser.add_argument
    add("file", type=Path, metavar="DATASET", help="questions with the lines that answer them")
    names = f"leave out only these, with commas between: {', '.join(ABLATIONS)}"
    add("--ablation", action="append", metavar="NAMES", help=names)
    add("--at", type=several(1, 1_000), default=AT, metavar="K,K", help="the first chunks")
    add("--chunks", type=whole(0, 1_000_000), default=0, help="add made-up notes of so many chunks")


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """Ask questions that retrieval tends to fail, with and without each part of a lookup of anchors.

    A copy of the workspace that DATASET names (or --workspace) is asked; beside it stand a hybrid query and BM25 over
    the same chunks. You write the questions yourself:

      {"version": 1, "workspace": "workspace", "queries": [
        {"id": "price", "text": "what did we decide about its price?", "kind": "pronoun",
         "project": "plumbline", "gold": [{"path": "projects/plumbline/DECISIONS.md", "start": 29, "end": 29}]}]}

    Kinds: failed, pronoun (has a project), associative, source, silent, paraphrase, absent (has no gold).
    """
    named = chosen(options.ablation, list(ABLATIONS), "--ablation")
    plan = Plan(tuple(named), options.at, options.chunks)
    dataset = read_dataset(options.file)
    session.workspace = session.workspace or dataset.root
    with session.output.progress("asking") as advance:
        return findings(
            run(dataset, session.root(), session.config_anywhere(), session.now, plan, advance)
        )


def run(
    dataset: Dataset,
    root: Path,
    config: Config,
    now: datetime,
    plan: Plan,
    progress: Progress = silent,
) -> Report:
    """Measure a copy of the workspace ``root``, which is gone afterwards; ``root`` is only read.

    Raises :class:`DatasetInvalid`, :class:`FileUnreadable`.
    """
    check_gold(dataset, root)
    most = max(plan.at[-1], config.anchors.max_chunks)
    config = config.replaced(anchors=config.anchors._replace(max_chunks=most))
    with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
        copy = Path(scratch) / "workspace"
        copy_workspace(root, config, copy)
        made_up = -(-max(0, plan.chunks) // _CHUNKS_A_FILE)
        write_made_up(copy / "made-up", made_up)
        with Workspace(copy, config) as workspace, closing(Library(copy, config)) as library:
            if not workspace.store.exists():
                workspace.at(now).bootstrap()
            methods = lookups(library, plan.ablations or tuple(ABLATIONS))
            methods += _beside(workspace, plan.at[-1], now)
            rows = []
            each: list[dict[str, object]] = []
            for done, (key, name, ask) in enumerate(methods, 1):
                found = [Answer(*one) for one in answers(ask, dataset.queries)]
                rows.append(row(key, name, found, plan.at))
                each += (told(key, one) for one in found)
                progress(done, len(methods))
            built = workspace.at(now).anchors.build()
    counts = Counter(one.kind for one in dataset.queries)
    return Report(
        dataset=dataset.file.name,
        questions=len(dataset.queries),
        kinds={kind: counts[kind] for kind in KINDS if counts[kind]},
        at=plan.at,
        files=built.files,
        chunks=built.chunks,
        anchors=built.anchors,
        made_up=made_up,
        embedder=built.embedder,
        rows=tuple(rows),
        answers=tuple(each),
    )


Ask = Callable[[Query], Sequence[Span]]
Method = tuple[str, str, Ask]
"""What names it in files and in tables, and how it is asked."""


def lookups(library: Library, ablations: Sequence[str]) -> list[Method]:
    """The whole lookup, then without each of ``ablations``."""
    names = _FULL | ABLATIONS
    return [(key, names[key], partial(_lookup, library, key)) for key in (*_FULL, *ablations)]


def _lookup(library: Library, key: str, query: Query) -> Sequence[Span]:
    project = "" if key == "no-pronoun" else query.project or ""
    hits = lookup(library, query.text, project, related=key != "no-related").hits
    return [Span(hit.path, hit.start_line, hit.end_line) for hit in hits]


def _beside(workspace: Workspace, most: int, now: datetime) -> list[Method]:
    """What a lookup is compared with: neither is told the project, as neither has a use for it."""

    def hybrid(query: Query) -> Sequence[Span]:
        found = workspace.at(now).query(
            query.text, mode="hybrid", limit=most, tokens=1_000_000, write=False
        )
        return [Span(one.path, one.start_line, one.end_line) for one in found.results]

    notes = notes_of(workspace)
    files = {note.path: [line.rstrip("\r\n") for line in note.lines] for note in notes}
    places = [Span(note.path, *span[:2]) for note in notes for span in passages_of(note)]
    ask = bm25_spans(Corpus(files, frozenset(), ()), places)
    return [
        ("hybrid", "hybrid query", hybrid),
        ("bm25-chunks", "BM25, chunks", lambda query: ask(query.text).shown[:most]),
    ]


class Answer(NamedTuple):
    """What one question got, best first, and how long that took."""

    query: Query
    shown: Sequence[Span]
    ms: float

    def found(self, most: int) -> bool:
        """Whether one of the first ``most`` chunks holds or overlaps a right place."""
        places = [Place(*one[:3]) for one in self.shown[:most]]
        return any(gold.meets(one) for one in places for gold in self.query.gold)

    def files(self, most: int) -> list[str]:
        """The files of the first ``most`` chunks."""
        return [span.path for span in self.shown[:most]]

    @property
    def right(self) -> set[str]:
        """The files with a right place."""
        return {gold.path for gold in self.query.gold}


def told(method: str, given: Answer) -> dict[str, object]:
    """One question by one method: the rank of the first right chunk (null: none), how many came, how long it took."""
    ranks = range(1, len(given.shown) + 1)
    return {
        "id": given.query.id,
        "kind": given.query.kind,
        "method": method,
        "rank": next((rank for rank in ranks if given.found(rank)), None),
        "returned": len(given.shown),
        "ms": round(given.ms, 3),
    }


def row(key: str, name: str, given: Sequence[Answer], at: Sequence[int]) -> Row:
    """The figures of one method at each K of ``at``, ascending; over the questions that have an answer, but where it
    says otherwise.

    ``at_K``: the share of questions with an answer among the first K chunks. ``iir``: the share of returned chunks
    that are of no file that answers; ``iir_absent``: of the questions without an answer, those that got any chunk.
    ``scr``: the share of the files that answer among those returned. Both of the first K chunks, for the largest K.
    ``returned`` chunks a question.
    """
    asked = [one for one in given if one.query.gold]
    absent = [bool(one.shown) for one in given if not one.query.gold]
    most = at[-1]
    chunks = [(path, one.right) for one in asked for path in one.files(most)]
    rest = {
        "iir": mean([path not in right for path, right in chunks]),
        "iir_absent": mean(absent) if absent else None,
        "scr": mean([len(one.right & set(one.files(most))) / len(one.right) for one in asked]),
        "returned": mean([len(one.shown[:most]) for one in given]),
        **percentiles(one.ms for one in given),
    }
    rows = [Asked(one.query.kind, [float(one.found(k)) for k in at]) for one in asked]
    return row_of(key, name, [f"at_{k}" for k in at], rows, rest)


def findings(report: Report) -> Findings:
    """The report, whoever reads it."""
    title = (
        f"{report.questions:,} questions, {report.files:,} files, {report.chunks:,} chunks, "
        f"{report.anchors:,} anchors"
    )
    heads = {f"at_{k}": f"R@{k}" for k in report.at}
    kinds = {kind: report.kinds[kind] for kind in report.rows[0].by_kind}
    telling, split = list(heads), [f"at_{report.at[-1]}"]
    table = Comparison(title, heads, _REST, kinds, report.rows, telling, split)
    return Findings(
        document=document(report),
        sheets=tuple(table.sheets()),
        notes=tuple(_notes(report)),
        table=table.table("corf", report.questions, "recall_"),
        chart=table.chart(f"CORF: {report.questions:,} questions, with 95 % intervals"),
    )


def document(report: Report) -> dict[str, object]:
    """What ``--json`` prints."""
    rows = [
        {
            "method": one.method,
            "name": one.name,
            "recall": plain(one.figures),
            "by_kind": plain(one.by_kind),
            **plain(one.rest),
        }
        for one in report.rows
    ]
    return {"benchmark": "corf", **report._asdict(), "rows": rows}


def _notes(report: Report) -> Iterator[str]:
    most = report.at[-1]
    yield (
        f"R@K: questions with a right line among the first K chunks (CORF-Recall). IIR: of the first {most} chunks, "
        "those of a file that "
        "does not answer; absent: questions without an answer that got any chunk. SCR: files that answer among "
        "those returned. ms: one question in a process that has answered before."
    )
    if report.made_up:
        yield (
            f"{report.made_up:,} notes of made-up words fill the index: they show what size costs in time, and "
            "are easily told from real ones."
        )
