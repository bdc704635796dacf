"""The figures of ``python -m bench peers`` as a document, as tables and as a chart."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from bench.arguments import chosen, on_this_machine, whole
from bench.locomo.findings import chosen_conversations
from bench.locomo.reading import read_conversations
from bench.peers import cases
from bench.peers.known import PEERS
from bench.peers.report import HEADS, TOLD, Report, Row
from bench.peers.run import Plan, run
from hippocampus_cli.benchmark.charts import Spec, labelled_points
from hippocampus_cli.benchmark.sheet import Cell, Column, Findings, Sheet
from hippocampus_cli.cli.context import Session
from hippocampus_cli.config import Config, load
from hippocampus_cli.errors import UsageError

_NAME = Column("name", "tool")
_VERSION = Column("version", "version")
_FIGURES = tuple(Column(key, head, ".3f") for key, head in HEADS.items())
_COSTS = (
    Column("tokens", "tokens", ",.0f"),
    Column("index_s", "index s", ",.1f"),
    Column("cold_ms", "cold ms", ",.0f"),
    Column("warm_ms", "warm ms", ",.1f"),
)


def findings(report: Report) -> Findings:
    """The report, whoever reads it."""
    return Findings(
        document=document(report),
        sheets=tuple(_sheets(report)),
        notes=tuple(_notes(report)),
        table=_table(report),
        chart=_chart(report),
    )


def document(report: Report) -> dict[str, object]:
    """What ``--json`` prints."""
    return {
        "benchmark": "peers",
        **report._asdict(),
        "import_typer_ms": round(report.import_typer_ms, 2),
        "rows": [_row(row) for row in report.rows],
    }


def _row(row: Row) -> dict[str, object]:
    figures = {
        key: {end: round(value, 4) for end, value in one._asdict().items()}
        for key, one in row.figures.items()
    }
    costs = {
        column.key: None if (value := getattr(row, column.key)) is None else round(value, 2)
        for column in _COSTS
    }
    return {**row._asdict(), "figures": figures, **costs}


def _sheets(report: Report) -> Iterator[Sheet]:
    folders = f"{report.folders:,} folder{'' if report.folders == 1 else 's'}"
    title = f"{report.questions:,} questions, {report.files:,} files in {folders}"
    rows = tuple(
        (row.name, row.version or "not installed", *_values(row), *_costs(row))
        for row in report.rows
    )
    yield Sheet(title, (_NAME, _VERSION, *_FIGURES, *_COSTS), rows)
    if troubled := [row for row in report.rows if row.problem]:
        columns = (_NAME, Column("problem", "why it has no figures"), Column("install", "install"))
        yield Sheet(
            "not measured", columns, tuple((r.name, r.problem, r.install) for r in troubled)
        )


def _values(row: Row) -> tuple[Cell, ...]:
    return tuple(row.figures[key].value if row.figures else None for key in TOLD)


def _costs(row: Row) -> tuple[Cell, ...]:
    return tuple(getattr(row, column.key) for column in _COSTS)


def _notes(report: Report) -> Iterator[str]:
    yield (
        "F: share of the right files among the first k files. any: whether any of them is among the first five. "
        "cov1k: share of the right lines within the first 1,000 tokens (characters / 4) of the notes' lines that "
        "were shown. tokens: the text of the first five results. index: until the first answer was there. cold: "
        f"a whole process; `import typer` alone took {report.import_typer_ms:,.0f} ms. warm: a question to a "
        "process that runs already, where there is such a way."
    )
    if not report.embeddings:
        yield (
            "There was no server of embeddings (--embeddings): a tool that needs vectors had its own model, if it "
            "found one without the network."
        )


def _table(report: Report) -> Sheet:
    keys = ("peer", "version", "problem")
    bounds = (f"{key}{end}" for key in TOLD for end in ("", "_low", "_high"))
    columns = tuple(Column(key, "") for key in (*keys, *bounds, *(one.key for one in _COSTS)))
    rows = tuple(
        (row.peer, row.version, row.problem, *_bounds(row), *_costs(row)) for row in report.rows
    )
    return Sheet("peers", columns, rows)


def _bounds(row: Row) -> tuple[Cell, ...]:
    if not row.figures:
        return (None,) * (3 * len(TOLD))
    return tuple(value for key in TOLD for value in row.figures[key])


def _chart(report: Report) -> Spec:
    rows = [
        {
            "name": row.name,
            "tokens": max(1.0, row.tokens or 0.0),
            "files_at_5": row.figures["files_at_5"].value,
        }
        for row in report.rows
        if row.figures
    ]
    title = f"{report.questions:,} questions: files found, by tokens of five results"
    across, up = ("tokens", "tokens of five results"), ("files_at_5", "F@5")
    return labelled_points(rows, title, across=across, up=up)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m bench peers``."""
    add = parser.add_argument
    add("file", type=Path, nargs="?", help="LoCoMo's JSON; without it, --workspace is asked")
    names = f"only these, with commas between: {', '.join(one.key for one in PEERS)}"
    add("--peers", action="append", metavar="NAMES", help=names)
    add(
        "--embeddings",
        metavar="URL",
        help="a server on this machine that speaks OpenAI's embeddings",
    )
    add("--conversation", action="append", metavar="ID", help="only this one; repeatable")
    add("--questions", type=Path, metavar="FILE", help="your questions with their places, as TOML")
    add("--limit-questions", type=whole(1), metavar="N", help="so many at most, spread evenly")
    add("--rounds", type=whole(1), default=3, help="whole processes of each command")


def measure(session: Session, options: argparse.Namespace) -> Findings:
    """Measure other tools beside hippo, those that you have: ripgrep, qmd, basic-memory, memsearch.

    Each gets a copy of the same notes and a home of its own in a scratch folder, none of your keys, and is told
    to stay off the network; what is not installed is a row that says so. FILE is LoCoMo's; without it your own
    notes are asked, as `hippo bench workspace` does. memsearch needs vectors: --embeddings names a server of
    yours on this machine.
    """
    named = chosen(options.peers, [one.key for one in PEERS], "--peers")
    plan = Plan(on_this_machine(options.embeddings), options.rounds)
    source, config = _source(session, options)
    asked = [one for one in PEERS if not named or one.key in named]
    with session.output.progress("asking") as advance:
        return findings(run(source, asked, config, plan, advance))


def _source(
    session: Session, options: argparse.Namespace
) -> tuple[Callable[[Path], Sequence[cases.Folder]], Config]:
    """What writes the notes to ask, and the settings to ask hippo with. Raises :class:`UsageError`."""
    limit = options.limit_questions
    if options.file is None:
        if options.conversation:
            advice = "name the file first, as `python -m bench peers locomo10.json`"
            raise UsageError(reason="--conversation is for LoCoMo's file", advice=advice)
        root, config = session.root(), session.config()
        own = partial(cases.own_notes, root, config, options.questions, limit, session.now)
        return own, config
    if options.questions is not None:
        advice = "leave out the file, and name a folder with --workspace"
        raise UsageError(reason="--questions are for notes of your own", advice=advice)
    talks = chosen_conversations(read_conversations(options.file), options.conversation)
    return partial(cases.conversations, talks, limit), load(None, session.environ)
