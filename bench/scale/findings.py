"""The figures of ``python -m bench scale`` as a document, as a table and as charts."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from bench.arguments import several, whole
from bench.scale.run import Row, run
from hippocampus_cli.benchmark.charts import Spec, lines
from hippocampus_cli.benchmark.sheet import Column, Findings, Sheet
from hippocampus_cli.cli.context import Session

_COLUMNS = (
    Column("files", "files", ",d"),
    Column("notes_mb", "MB", ",.1f"),
    Column("bootstrap_files_per_s", "index f/s", ",.0f"),
    Column("build_files_per_s", "build f/s", ",.0f"),
    Column("update_ms", "update ms", ",.1f"),
    Column("p50_ms", "p50 ms", ",.1f"),
    Column("p95_ms", "p95 ms", ",.1f"),
    Column("cold_ms", "cold ms", ",.0f"),
    Column("import_typer_ms", "import typer ms", ",.0f"),
    Column("bootstrap_peak_mb", "index RSS MB", ",.0f"),
    Column("build_peak_mb", "build RSS MB", ",.0f"),
    Column("query_peak_mb", "query RSS MB", ",.0f"),
    Column("cache_mb", "cache MB", ",.1f"),
)
_DRAWN = {
    "p50_ms": "warm question, ms",
    "cold_ms": "whole process, ms",
    "update_ms": "one changed file, ms",
    "build_files_per_s": "cache build, files/s",
    "query_peak_mb": "memory of questions, MB",
    "cache_mb": "cache on disk, MB",
}
_NOTE = (
    "MB: text of the notes. index, build: files a second until the first index stands, and until every note can "
    "be searched. update: one file has changed and is met again. p50, p95: a question in a process that has "
    "answered before, four words each. cold: a whole process, beside `import typer`. RSS: the most memory that "
    "the process of each step held, and its second reader. The notes are made-up words: good for speed, not for "
    "quality."
)


def findings(rows: Sequence[Row]) -> Findings:
    """The rows, whoever reads them."""
    sheet = Sheet("made-up notes of about 1.5 KB", _COLUMNS, tuple(tuple(row) for row in rows))
    return Findings(
        document={"benchmark": "scale", "rows": [_rounded(row) for row in rows]},
        sheets=(sheet,),
        notes=(_NOTE,),
        table=sheet,
        chart=_chart(rows),
    )


def _rounded(row: Row) -> dict[str, float | None]:
    return {k: round(v, 3) if isinstance(v, float) else v for k, v in row._asdict().items()}


def _chart(rows: Sequence[Row]) -> Spec:
    points = [
        {"files": row.files, "panel": panel, "value": getattr(row, key)}
        for key, panel in _DRAWN.items()
        for row in rows
        if getattr(row, key)
    ]
    return lines(points, "hippo by the number of files", ("files", "files"), list(_DRAWN.values()))


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m bench scale``."""
    sizes = "how many, 1 to 1,000,000; several with commas"
    most = several(1, 1_000_000)
    parser.add_argument("--files", type=most, default=(100, 1_000, 10_000), help=sizes)
    parser.add_argument(
        "--rounds", type=whole(1), default=9, help="whole processes of each command"
    )


def measure(session: Session, options: argparse.Namespace) -> Findings:
    """Measure what the number of files does: to build, update and ask, to memory and to disk.

    Notes of about 1.5 KB are made up in a scratch folder, the same ones each time. 10,000 take 100 MB of disk and
    a minute, 100,000 a gigabyte and a quarter of an hour.
    """
    with session.output.progress("measuring") as advance:
        return findings(run(options.files, options.rounds, advance))
