"""Every command of the table, by what is typed to run it."""

from __future__ import annotations

from hippocampus_cli.cli.command_table import COMMANDS, load
from hippocampus_cli.cli.options import Command, Group


def _declared() -> dict[str, Command]:
    found: dict[str, Command] = {}
    for row in COMMANDS:
        loaded = load(row.name)
        if isinstance(loaded, Group):
            found |= {f"{row.name} {one.name}": one for one in loaded.commands}
        else:
            found[row.name] = loaded
    return found


DECLARED = _declared()
