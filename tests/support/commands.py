"""The commands of the table, as tests go through them."""

from __future__ import annotations

from hippocampus_cli.cli.command_table import COMMANDS, load
from hippocampus_cli.cli.options import Command, Group


def declared() -> dict[str, Command]:
    """Every command of the table, by what is typed to run it."""
    found: dict[str, Command] = {}
    for listed in COMMANDS:
        loaded = load(listed.name)
        if isinstance(loaded, Group):
            found |= {f"{listed.name} {one.name}": one for one in loaded.commands}
        else:
            found[listed.name] = loaded
    return found


DECLARED = declared()
