"""``hippo bench``: one's own notes measured."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from hippocampus_cli.cli.context import begin
from hippocampus_cli.cli.typer_form import JsonOption, WorkspaceOption
from hippocampus_cli.errors import UsageError

_FROM_A_CHECKOUT = (
    *(
        "all",
        "locomo",
        "fixture",
        "workspaces",
        "workspaces-cues",
        "unseen",
        "beam",
        "factconsolidation",
    ),
    *("precisionmembench", "documentation", "corf", "make-corf", "peers", "scale"),
    *("year", "habits", "brief", "upkeep", "index", "compaction", "context", "mind"),
)
"""Benchmarks of ``python -m bench``, which is not installed (a test compares the names)."""


class _Installed(TyperGroup):
    """Says where a benchmark is that is not installed with hippo."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        if args[:1] and args[0] in _FROM_A_CHECKOUT:
            raise UsageError(
                reason=f"the benchmark {args[0]!r} is not installed with hippo",
                advice=f"run `python -m bench {args[0]}` in a checkout of hippo's source",
            )
        return super().resolve_command(ctx, args)


command = typer.Typer(cls=_Installed, add_completion=False, no_args_is_help=True)
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


@command.callback()
def bench() -> None:
    """Measure your own notes: answers, tokens and time, against a full scan, grep and BM25.

    Everything happens in scratch folders that are gone afterwards; nothing of yours is changed.

    Examples:
      hippo bench workspace
    """


@command.command()
def workspace(
    ctx: typer.Context,
    questions: Questions = None,
    price: Price = 3.0,
    per_month: PerMonth = 2_500,
    rounds: Rounds = 9,
    csv: Csv = None,
    plot: Plot = None,
    folder: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure your own notes: tokens, time, answers and what a month costs, for each way of asking.

    A copy of the notes, the index and the settings is asked; the folder itself is only read. Without
    --questions the notes are asked for their own headings and facts, which shows whether things are found
    again, not whether other words for them are. A question of yours, any of whose places answers it:

      [[query]]
      text = "how do we ship a release"
      kind = "paraphrase"
      gold = [{ path = "TOOLS.md", section = "Deploy" }]

    Kind "multi" wants all of its places, "absent" has none: nothing should be found.

    Examples:
      hippo bench workspace
      hippo bench workspace --questions questions.toml --price 15 --csv figures.csv
    """
    from hippocampus_cli.benchmark.sheet import check_targets
    from hippocampus_cli.benchmark.workspace import Plan, findings, run
    from hippocampus_cli.cli.render.sheets import deliver

    session = begin(ctx, workspace=folder, as_json=as_json)
    check_targets(csv, plot)
    plan = Plan(price, per_month, rounds)
    with session.output.progress("asking") as advance:
        report = run(session.root(), session.config(), questions, session.now, plan, advance)
    deliver(session.output, findings(report), csv, plot)
