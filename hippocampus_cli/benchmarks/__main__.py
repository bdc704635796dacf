"""``python -m hippocampus_cli.benchmarks``: one table, on the fixture or on any workspace; or one by name."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from datetime import datetime
from pathlib import Path

from hippocampus_cli.benchmarks.report import print_report
from hippocampus_cli.benchmarks.run import run


def main() -> int:
    """Measure a copy of the workspace; nothing in the workspace itself is touched."""
    if sys.argv[1:2] == ["compaction"]:
        from hippocampus_cli.benchmarks import compaction

        return compaction.main(sys.argv[2:])
    if sys.argv[1:2] == ["context"]:
        from hippocampus_cli.benchmarks.context.main import main as bench_context

        return bench_context(sys.argv[2:])
    options = _options()
    with tempfile.TemporaryDirectory(prefix="hippo-bench-") as scratch:
        copy = Path(scratch) / "workspace"
        shutil.copytree(options.workspace, copy, symlinks=True)
        report = run(
            copy,
            options.questions,
            Path(scratch),
            now=options.now,
            rounds=options.rounds,
            files=options.files,
        )
    if options.json:
        json.dump(report._asdict() | {"rows": [row._asdict() for row in report.rows]}, sys.stdout)
        print()
    else:
        print_report(report)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench", description=main.__doc__)
    parser.add_argument("--workspace", type=Path, default=Path("fixtures/workspace"))
    parser.add_argument("--questions", type=Path, help="default: queries.toml beside the workspace")
    parser.add_argument("--rounds", type=int, default=9, help="whole processes of each command")
    parser.add_argument("--files", type=int, default=2000, help="size of the made-up workspace")
    parser.add_argument(
        "--now", type=datetime.fromisoformat, default=datetime.now().astimezone(), help="the moment"
    )
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.questions is None:
        beside = options.workspace.resolve().parent / "queries.toml"
        options.questions = beside if beside.is_file() else None
    if options.now.tzinfo is None:
        options.now = options.now.astimezone()
    return options


if __name__ == "__main__":
    raise SystemExit(main())
