"""The options of ``hippo context``."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from hippocampus_cli.cli import complete

SessionId = Annotated[
    str | None,
    typer.Option(
        "--session",
        "-s",
        metavar="ID",
        help="The session; by default HIPPO_SESSION, else the only open one.",
        autocompletion=complete.session_ids,
        show_default=False,
    ),
]
NewSessionId = Annotated[
    str | None,
    typer.Argument(metavar="ID", help="Its id; by default the date and time.", show_default=False),
]
EntryId = Annotated[
    str,
    typer.Argument(metavar="ID", help="An entry's id.", autocompletion=complete.context_entries),
]
EntryIds = Annotated[
    list[str],
    typer.Argument(metavar="ID", help="Entry ids.", autocompletion=complete.context_entries),
]
OneEntry = Annotated[
    str | None,
    typer.Argument(
        metavar="ID",
        help="One entry, with every field.",
        autocompletion=complete.context_entries,
        show_default=False,
    ),
]
Links = Annotated[
    list[str] | None,
    typer.Option(
        "--link",
        metavar="ID",
        help="An associated entry; repeatable.",
        autocompletion=complete.context_entries,
    ),
]
File = Annotated[str, typer.Argument(metavar="FILE", help="What to add; - reads standard input.")]
Text = Annotated[
    str | None,
    typer.Option("--text", metavar="TEXT", help="Add this instead of a file.", show_default=False),
]
Kind = Annotated[
    Literal["tool_result", "message", "state", "memory"],
    typer.Option("--type", "-t", help="What it is; sets how fast it fades."),
]
Source = Annotated[
    str | None,
    typer.Option(
        "--source",
        metavar="TYPE",
        help="Where it came from: browser.snapshot, error, file, user, assistant.",
        show_default=False,
    ),
]
Ref = Annotated[
    str, typer.Option("--ref", metavar="REF", help="Its name there; of a file its path.")
]
Summary = Annotated[
    str | None,
    typer.Option(
        "--summary", metavar="TEXT", help="Instead of an extracted one.", show_default=False
    ),
]
PriorityWord = Literal["critical", "high", "normal", "low"]
Priority = Annotated[
    PriorityWord | None,
    typer.Option("--priority", help="How it resists fading.", show_default=False),
]
PinPriority = Annotated[
    PriorityWord, typer.Option("--priority", help="Critical does not fade; normal unpins.")
]
Manual = Annotated[bool, typer.Option("--manual", help="Added by hand: fades half as fast.")]
Persist = Annotated[
    bool | None,
    typer.Option("--persist/--no-persist", help="To MEMORY.md at the end.", show_default=False),
]
Expires = Annotated[
    int | None,
    typer.Option("--expires", min=0, metavar="N", help="Leaves after N turns.", show_default=False),
]
Turns = Annotated[int, typer.Option("--by", min=1, metavar="N", help="How many turns.")]
WindowTokens = Annotated[
    int | None,
    typer.Option(
        "--tokens", min=0, metavar="N", help="A budget for the window.", show_default=False
    ),
]
Everything = Annotated[
    bool, typer.Option("--all", "-a", help="Every entry, dormant ones too, a line each.")
]
AsYaml = Annotated[bool, typer.Option("--yaml", help="The entries as YAML.")]
AsAdded = Annotated[
    bool, typer.Option("--as-added", help="As it was added, whatever its source holds now.")
]
Unlink = Annotated[bool, typer.Option("--remove", "-r", help="Take the links away.")]
