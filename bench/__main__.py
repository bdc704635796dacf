"""``python -m bench NAME …``: the benchmarks by name, their options, and one way to show what they find."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from bench.deliver import deliver
from bench.sheet import check_targets
from hippocampus_cli.cli.boundary import guard
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import present
from hippocampus_cli.cli.output import open_output


class Benchmark(NamedTuple):
    """A line of the help, and the module with ``arguments(parser)`` and ``measure(session, options)``.

    ``measure`` returns :class:`Findings`; ``chart`` tells whether there is a chart among them.
    """

    module: str
    help: str
    chart: bool = False


BENCHMARKS = {
    "locomo": Benchmark("bench.locomo", "questions about very long conversations", True),
    "fixture": Benchmark("bench.corpora.run", "the workspace in fixtures/", True),
    "workspaces": Benchmark("bench.corpora.run", "workspaces written as agents keep them", True),
    "workspaces-cues": Benchmark("bench.corpora.run", "the same in one to three words", True),
    "unseen": Benchmark("bench.corpora.run", "workspaces on which nothing was chosen", True),
    "beam": Benchmark("bench.corpora.run", "chats of 100,000 tokens, by ability (BEAM)", True),
    "factconsolidation": Benchmark("bench.corpora.run", "facts that overrule others", True),
    "devmembench": Benchmark("bench.corpora.run", "a developer's sessions with an agent", True),
    "precisionmembench": Benchmark("bench.corpora.run", "what must not come back", True),
    "documentation": Benchmark("bench.corpora.run", "manuals that are on this machine", True),
    "workspace": Benchmark("bench.workspace", "your own notes and questions", True),
    "real": Benchmark("bench.real", "questions about fetched workspaces, by kind"),
    "changed": Benchmark("bench.changed", "questions whose answer changed, judged in one round"),
    "fit": Benchmark("bench.fit.run", "fit the trees of the ranking and of the confidence"),
    "telling": Benchmark("bench.telling", "which sentences speak for a passage: judge, and fit"),
    "all": Benchmark("bench.corpora.every", "every corpus that is here, a table each"),
    "corf": Benchmark("bench.corf.run", "questions that retrieval tends to fail", True),
    "peers": Benchmark("bench.peers.run", "other tools beside hippo", True),
    "scale": Benchmark("bench.scale", "what the number of files does", True),
    "year": Benchmark("bench.year.report", "a simulated year with and without upkeep"),
    "habits": Benchmark("bench.habits", "what was asked every week, asked again in fewer words"),
    "brief": Benchmark("bench.brief", "how many of the places that answer a brief names"),
    "prompts": Benchmark("bench.prompts", "at which prompts an agent is told something unasked"),
    "upkeep": Benchmark("bench.upkeep", "what daily, weekly and monthly take"),
    "index": Benchmark("bench.index_size", "how large an index is, and what quiet days change"),
    "compaction": Benchmark("bench.compaction", "how long a long session takes to compact"),
    "mind": Benchmark(
        "bench.mind", "what episodes and beliefs cost, and whether what is held holds"
    ),
    "context": Benchmark("bench.context.report", "what stands in an agent's window, turn by turn"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a benchmark with ``argv`` (default: the process's); its exit code, as those of ``hippo``."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        options = _parser(words[0] if words else "").parse_args(words)
    except SystemExit as stop:  # --help, or what cannot be understood
        return stop.code if isinstance(stop.code, int) else 2
    output = open_output(os.environ, as_json=options.json)
    session = CommandContext(output, os.environ, present(os.environ), options.workspace)
    return guard(lambda: _run(session, options), words, output)


def _run(session: CommandContext, options: argparse.Namespace) -> None:
    plot = getattr(options, "plot", None)
    check_targets(options.csv, plot)
    found = import_module(BENCHMARKS[options.name].module).measure(session, options)
    deliver(session.output, found, options.csv, plot, markdown=options.markdown)


def _parser(wanted: str) -> argparse.ArgumentParser:
    """The parser; only the module of the benchmark that is ``wanted`` is imported for its options."""
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description="Measure hippo. Everything happens in scratch folders that are gone afterwards.",
    )
    names = parser.add_subparsers(dest="name", required=True, metavar="NAME")
    for name, one in BENCHMARKS.items():
        own = names.add_parser(
            name, help=one.help, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        if name == wanted:
            module = import_module(one.module)
            own.description = module.measure.__doc__
            module.arguments(own)
            _add_common(own, one)
    return parser


def _add_common(parser: argparse.ArgumentParser, benchmark: Benchmark) -> None:
    add = parser.add_argument
    add("-w", "--workspace", type=Path, metavar="FOLDER", help="notes; by default found upwards")
    add("--json", action="store_true", help="print one JSON document")
    add("--markdown", action="store_true", help="print tables of markdown")
    add("--csv", type=Path, metavar="FILE", help="also write a table")
    if benchmark.chart:
        add("--plot", type=Path, metavar="FILE.svg", help="also draw a chart (the extra `report`)")


if __name__ == "__main__":
    sys.exit(main())
