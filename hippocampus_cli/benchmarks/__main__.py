"""``python -m hippocampus_cli.benchmarks year|upkeep|compaction|context``: what developers measure.

What users measure is ``hippo bench``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from datetime import datetime
from pathlib import Path

_FIXTURE = Path("fixtures/workspace")


def main() -> int:
    """Run one benchmark."""
    named = {"year": _year, "upkeep": _upkeep, "compaction": _compaction, "context": _context}
    first = sys.argv[1] if len(sys.argv) > 1 else ""
    if first not in named:
        print(f"no benchmark {first!r}; there are {', '.join(named)}", file=sys.stderr)
        print("`hippo bench` has those of answers and of size", file=sys.stderr)
        return 2
    return named[first](sys.argv[2:])


def _compaction(arguments: list[str]) -> int:
    from hippocampus_cli.benchmarks import compaction

    return compaction.main(arguments)


def _context(arguments: list[str]) -> int:
    from hippocampus_cli.benchmarks.context.main import main as bench_context

    return bench_context(arguments)


def _year(arguments: list[str]) -> int:
    """Live a year with upkeep, without, and keeping everything; nothing but scratch folders is touched."""
    from hippocampus_cli.benchmarks.year.figures import ARMS, Plan
    from hippocampus_cli.benchmarks.year.report import as_document, print_report
    from hippocampus_cli.benchmarks.year.run import run

    parser = _parser("make bench-year", _year.__doc__)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--asked", type=int, default=Plan().asked, help="questions a day")
    parser.add_argument("--arm", choices=ARMS, action="append", help="only this one; several times")
    parser.add_argument("--jobs", type=int, default=min(len(ARMS), os.cpu_count() or 1))
    options = parser.parse_args(arguments)
    if options.days < 1 or options.asked < 1:
        parser.error("--days and --asked must be 1 or more")
    plan = Plan(days=options.days, seed=options.seed, asked=options.asked)
    told = sys.stderr.isatty()
    report = run(plan, arms=options.arm or ARMS, jobs=options.jobs, told=told)
    if options.json:
        return _as_json(as_document(report))
    print_report(report)
    return 0


def _upkeep(arguments: list[str]) -> int:
    """Time the cycles on many made-up notes; nothing but a scratch folder is touched."""
    from hippocampus_cli.benchmarks.upkeep import as_document, print_report, run

    parser = _parser("make bench-upkeep", _upkeep.__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="runs of each cycle")
    parser.add_argument("--workspace", type=Path, default=_FIXTURE, help="whose lines are used")
    options = parser.parse_args(arguments)
    now = datetime.now().astimezone()
    with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
        report = run(options.workspace, Path(scratch) / "workspace", now, options.rounds)
    if options.json:
        return _as_json(as_document(report))
    print_report(report)
    return 0


def _parser(name: str, description: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=name, description=description)
    parser.add_argument("--json", action="store_true")
    return parser


def _as_json(document: dict[str, object]) -> int:
    json.dump(document, sys.stdout)
    print()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
