"""Workspaces of several sizes are made up, indexed, asked and changed, each step in a process of its own."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.made_up import write_made_up
from bench.scale.probe import NOW, questions
from hippocampus_cli.benchmark.processes import in_turn, told_by
from hippocampus_cli.workspace.own_files import CACHE

Progress = Callable[[int, int], object]
_PROBE = "bench.scale.probe"
_STEPS = 5  # of a size: written, index, cache, asked, whole processes
_MEGABYTE = 1_000_000


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


def run(
    sizes: Sequence[int], rounds: int, progress: Progress = lambda done, total: None
) -> tuple[Row, ...]:
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
