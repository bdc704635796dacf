"""``make bench-context``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from hippocampus_cli.benchmarks.context.report import document, print_report
from hippocampus_cli.benchmarks.context.run import LIMITS, SESSIONS, run
from hippocampus_cli.benchmarks.context.sessions import TURN


def main(arguments: Sequence[str]) -> int:
    """Replay made-up and recorded sessions: what stands in the window, and what of it is needed again."""
    parser = argparse.ArgumentParser(prog="make bench-context", description=main.__doc__)
    parser.add_argument("--turns", type=_numbers, default=tuple(SESSIONS), help="lengths, 50,200")
    parser.add_argument("--limits", type=_numbers, default=LIMITS, help="windows in tokens")
    parser.add_argument("--size", type=int, default=TURN, help="tokens that a turn adds")
    parser.add_argument("--transcripts", type=Path, help="a folder with session files of Pi")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    folder = options.transcripts
    if folder is not None and not folder.is_dir():
        print(f"{folder}: no such folder; recorded sessions are skipped", file=sys.stderr)
        folder = None
    report = run(options.turns, options.limits, options.size, folder, _tell)
    if options.json:
        json.dump(document(report), sys.stdout)
        print()
    else:
        print_report(report)
    return 0


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(sorted(int(part.replace("_", "")) for part in text.split(",")))


def _tell(what: str) -> None:
    """Say what is being measured, where somebody waits for it."""
    if sys.stderr.isatty():
        print(f"… {what}", file=sys.stderr)
