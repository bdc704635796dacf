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
    *("index", "search", "hybrid", "anchors", "hybrid-anchors", "hybrid-embeddings"),
)
"""The keys of ``benchmarks.rankings.RANKINGS``, which takes long to import (a test compares them)."""
ABLATIONS = ("no-pronoun", "no-rerank", "nightly-only")
"""Those of ``benchmarks.corf.methods``, likewise."""

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

CorfFile = Annotated[
    Path,
    typer.Argument(metavar="DATASET", help="Questions with the lines that answer them, as JSON."),
]
Ablations = Annotated[
    list[str] | None,
    typer.Option(
        "--ablation",
        metavar="NAMES",
        help=f"Leave out only these, with commas between: {', '.join(ABLATIONS)}.",
    ),
]
At = Annotated[
    list[str],
    typer.Option("--at", metavar="K,K…", help="The first how many chunks count, 1 to 1,000."),
]
Chunks = Annotated[
    int,
    typer.Option(
        "--chunks", metavar="N", min=0, max=1_000_000, help="Add made-up notes of so many chunks."
    ),
]
CorfTarget = Annotated[
    Path, typer.Option("--out", metavar="FILE", help="Where to write it; nothing may be there.")
]
Paraphrases = Annotated[
    int,
    typer.Option(
        "--paraphrases", metavar="N", min=0, max=10_000, help="So many at most, as of each kind."
    ),
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="The same one, the same questions.")]

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

AT = ["5", "20"]
_MOST_AT = 1_000

PEERS = ("rg", "qmd", "qmd-words", "basic-memory", "memsearch")
"""The keys of ``benchmarks.peers.known.PEERS`` (a test compares them)."""

PeersFile = Annotated[
    Path | None,
    typer.Argument(metavar="[FILE]", help="LoCoMo's JSON; without it, --workspace is asked."),
]
Peers = Annotated[
    list[str] | None,
    typer.Option(
        "--peers", metavar="NAMES", help=f"Only these, with commas between: {', '.join(PEERS)}."
    ),
]
Embeddings = Annotated[
    str | None,
    typer.Option(
        "--embeddings",
        metavar="URL",
        help="A server on this machine that speaks OpenAI's embeddings, for tools that need one.",
        show_default=False,
    ),
]

SIZES = ["100", "1000", "10000"]
Sizes = Annotated[
    list[str],
    typer.Option("--files", metavar="N,N…", help="How many, 1 to 1,000,000; several with commas."),
]


def listed(texts: list[str] | None) -> list[str]:
    """The words of a repeatable option that takes several, with commas between."""
    return [word.strip() for text in texts or () for word in text.split(",")]


def on_this_machine(url: str | None) -> str | None:
    """``url``; raises :class:`UsageError` where notes sent to it would leave this machine."""
    if url is None:
        return None
    from hippocampus_cli.embedding.api.address import checked, is_loopback
    from hippocampus_cli.errors import EmbedderUnavailable

    advice = "give a server on this machine, as http://127.0.0.1:8080/v1"
    try:
        address = checked(url)
    except EmbedderUnavailable as error:
        raise UsageError(
            reason=f"--embeddings: {url[:80]!r} is no such URL", advice=advice
        ) from error
    if not is_loopback(address):
        reason = f"--embeddings: {url[:80]!r} is not on this machine"
        raise UsageError(reason=reason, advice=advice)
    return address


def sizes(texts: list[str]) -> list[int]:
    """The numbers of files, smallest first; raises :class:`UsageError` for what is none."""
    advice = f"use 1 to {_MOST_FILES:,}, as --files 100,10000"
    return _numbers(texts, _MOST_FILES, "--files", "number of files", advice)


def ks(texts: list[str]) -> tuple[int, ...]:
    """How many of the first chunks count, smallest first; raises :class:`UsageError` for what is no number."""
    advice = f"use 1 to {_MOST_AT:,}, as --at 5,20"
    return tuple(_numbers(texts, _MOST_AT, "--at", "number of chunks", advice))


def _numbers(texts: list[str], most: int, option: str, what: str, advice: str) -> list[int]:
    found = set()
    for word in listed(texts):
        digits = word.replace("_", "")
        if not (digits.isascii() and digits.isdigit() and 1 <= int(digits[:9]) <= most):
            raise UsageError(reason=f"{option}: {word[:40]!r} is no {what}", advice=advice)
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
