"""The options of ``hippo bench``, and what its commands share in showing and saving what they find."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hippocampus_cli.cli.context import Session
from hippocampus_cli.cli.render import safe_line
from hippocampus_cli.errors import UsageError

if TYPE_CHECKING:
    from hippocampus_cli.benchmarks.sheet import Findings

_MOST_FILES = 1_000_000
METHODS = (
    *("full-scan", "grep", "grep-words", "grep-files", "bm25-turns", "bm25-sections"),
    *("index", "search", "hybrid", "hybrid-embeddings"),
)
"""The keys of ``benchmarks.rankings.RANKINGS``, which takes long to import (a test compares them)."""

Csv = Annotated[
    Path | None,
    typer.Option("--csv", metavar="FILE", help="Also write a table.", show_default=False),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE.svg",
        help="Also draw a chart (the extra `report`).",
        show_default=False,
    ),
]
LocomoFile = Annotated[Path, typer.Argument(metavar="FILE", help="LoCoMo's JSON.")]
Conversations = Annotated[
    list[str] | None,
    typer.Option("--conversation", metavar="ID", help="Only this one; repeatable."),
]
Methods = Annotated[
    list[str] | None,
    typer.Option(
        "--methods",
        metavar="NAMES",
        help=f"Only these, with commas between: {', '.join(METHODS)}.",
    ),
]
LimitQuestions = Annotated[
    int | None,
    typer.Option("--limit-questions", metavar="N", min=1, help="So many at most, spread evenly."),
]
AnswerTokens = Annotated[
    int, typer.Option("--tokens", metavar="N", min=1, help="The budget of each answer of hippo's.")
]

Questions = Annotated[
    Path | None,
    typer.Option(
        "--questions",
        metavar="FILE",
        help="Your questions with their right places, as TOML.",
        show_default=False,
    ),
]
Price = Annotated[
    float, typer.Option("--price", metavar="DOLLARS", min=0, help="For a million tokens.")
]
PerMonth = Annotated[
    int, typer.Option("--per-month", metavar="N", min=0, help="Questions a month.")
]
Rounds = Annotated[
    int, typer.Option("--rounds", metavar="N", min=1, help="Whole processes of each command.")
]

SIZES = ["100", "1000", "10000"]
Sizes = Annotated[
    list[str],
    typer.Option("--files", metavar="N,N…", help="How many, 1 to 1,000,000; several with commas."),
]


def listed(texts: list[str] | None) -> list[str]:
    """The words of a repeatable option that takes several, with commas between."""
    return [word.strip() for text in texts or () for word in text.split(",")]


def sizes(texts: list[str]) -> list[int]:
    """The numbers of files, smallest first; raises :class:`UsageError` for what is none."""
    found = set()
    for word in listed(texts):
        digits = word.replace("_", "")
        if not (digits.isascii() and digits.isdigit() and 1 <= int(digits[:9]) <= _MOST_FILES):
            reason = f"--files: {word[:40]!r} is no number of files"
            raise UsageError(
                reason=reason, advice=f"use 1 to {_MOST_FILES:,}, as --files 100,10000"
            )
        found.add(int(digits))
    return sorted(found)


def deliver(session: Session, found: Findings, csv: Path | None, plot: Path | None) -> None:
    """Save what was asked for, then print the tables, or the document."""
    from hippocampus_cli.benchmarks.saving import save
    from hippocampus_cli.cli.render.sheets import print_notes, print_sheet

    written = save(found, csv, plot)
    output = session.output
    if output.as_json:
        output.json(found.document)
        return
    for sheet in found.sheets:
        print_sheet(output, sheet)
        output.line()
    print_notes(output, found.notes)
    for path in written:
        output.line(f"wrote {safe_line(str(path))}")
