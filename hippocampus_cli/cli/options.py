"""Options that many commands share, so that one word means one thing everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from hippocampus_cli.cli import complete
from hippocampus_cli.cli.choices import BANDS, KINDS, PRIORITIES

Workspace = Annotated[
    Path | None,
    typer.Option(
        "--workspace",
        "-w",
        metavar="FOLDER",
        help="The agent's folder; by default found from here upwards.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
DryRun = Annotated[bool, typer.Option("--dry-run", "-n", help="Show the plan, change nothing.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Archived = Annotated[
    bool, typer.Option("--archived", help="Those of the archive (hippo restore ID).")
]
Force = Annotated[
    bool, typer.Option("--force", help="Carry it out even where the loss limit would stop it.")
]
EntryId = Annotated[
    str, typer.Argument(metavar="ID", help="An entry's id.", autocompletion=complete.entry_ids)
]
EntryIds = Annotated[
    list[str],
    typer.Argument(metavar="ID", help="Entry ids.", autocompletion=complete.entry_ids),
]
Tags = Annotated[
    list[str] | None,
    typer.Option(
        "--tag", "-t", metavar="TAG", help="A tag; repeatable.", autocompletion=complete.tags
    ),
]
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--type",
        metavar="KIND",
        help=f"Only notes of this kind ({', '.join(KINDS)}); repeatable.",
        autocompletion=complete.one_of(KINDS),
    ),
]
Paths = Annotated[
    list[str] | None,
    typer.Option(
        "--path",
        "-p",
        metavar="GLOB",
        help="Only notes whose path fits, as in .gitignore; repeatable.",
    ),
]
Since = Annotated[
    str | None,
    typer.Option(
        "--since",
        metavar="DAY",
        help="Only notes of this day and later (2026-05-01, 30d, 6w); none without a date.",
    ),
]
Until = Annotated[
    str | None,
    typer.Option(
        "--until", metavar="DAY", help="Only notes of this day and before; none without a date."
    ),
]
Priorities = Annotated[
    list[str] | None,
    typer.Option(
        "--pri",
        metavar="PRIORITY",
        help=f"Only what entries of this priority point at ({', '.join(PRIORITIES)}).",
        autocompletion=complete.one_of(PRIORITIES),
    ),
]
Bands = Annotated[
    list[str] | None,
    typer.Option(
        "--band",
        "-b",
        metavar="BAND",
        help=f"Only entries of this strength now ({', '.join(BANDS)}); repeatable.",
        autocompletion=complete.one_of(BANDS),
    ),
]
Relations = Annotated[
    list[str] | None,
    typer.Option(
        "--rel",
        metavar="ID",
        help="A related entry; repeatable.",
        autocompletion=complete.entry_ids,
    ),
]
NewPriority = Annotated[
    Literal["amygdala", "normal", "low"],
    typer.Option("--pri", help="Never fades, fades, or fades twice as fast."),
]
Mode = Annotated[
    Literal["index", "search", "hybrid"] | None,
    typer.Option(
        "--mode", "-m", help="Ask the index, the text, or (by default) both.", show_default=False
    ),
]
Limit = Annotated[
    int | None,
    typer.Option("--limit", "-n", metavar="N", help="Results at most.", show_default=False),
]
TokenBudget = Annotated[
    int | None,
    typer.Option(
        "--tokens",
        metavar="N",
        help="A budget for the texts of all results; JSON around them is not counted.",
        show_default=False,
    ),
]
NoWrite = Annotated[bool, typer.Option("--no-write", help="Leave the index as it is.")]
TranscriptFormat = Annotated[
    Literal["pi", "openclaw", "claude-code", "messages"] | None,
    typer.Option(
        "--format", "-f", help="What wrote the file; by default seen from it.", show_default=False
    ),
]
Explain = Annotated[
    bool, typer.Option("--explain", help="Say why each result is there, and what decay suppressed.")
]
Fence = Annotated[
    bool,
    typer.Option(
        "--fence",
        help="For an agent: quoted text between lines that it cannot imitate, with whose it is, day and place.",
    ),
]
