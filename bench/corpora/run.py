"""``python -m bench CORPUS``: one corpus, every method of its own or those that are named."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench import comparison
from bench.corpora import data_folder, found
from bench.sheet import Findings
from hippocampus_cli.cli.context import CommandContext


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options that all corpora have."""
    where = "downloaded data; by default $BENCH_DATA, or ../shared/data beside the checkout"
    parser.add_argument("--data", type=Path, metavar="FOLDER", help=where)
    comparison.add_choices(parser)


def measure(session: CommandContext, options: argparse.Namespace) -> Findings:
    """Ask every question of a corpus in hippo's ways and in others, in the same run.

    The corpora of other people are not part of hippo: --data names the folder that holds them.
    """
    dataset = found(options.name, data_folder(options.data, session.environ))
    return comparison.measure(dataset, session, options)
