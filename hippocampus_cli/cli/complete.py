"""Shell completion of commands, options and choices. A line that makes no sense is offered nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from hippocampus_cli.cli.command_table import LISTED
from hippocampus_cli.cli.options import FLAG, SHARED, Group, spellings_of
from hippocampus_cli.cli.run_command import find, split
from hippocampus_cli.errors import UsageError

_BASH = """\
_hippo() {
    local IFS=$'\\n'
    COMPREPLY=($(hippo --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _hippo hippo"""
_FISH = """\
complete -c hippo -a '(hippo --complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'"""
SCRIPTS = {
    "bash": _BASH,
    "zsh": f"autoload -U +X bashcompinit && bashcompinit\n{_BASH}",
    "fish": _FISH,
}
"""What a shell reads, by its name, so that it asks ``hippo --complete`` for words."""


def answer(args: Sequence[str]) -> int:
    """Print the script of a shell, or words for it; the exit code."""
    if args[0] == "--complete":
        lines = completions(args[1:])
    else:
        lines = [SCRIPTS[shell] for shell in args[1:] if shell in SCRIPTS]
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return 0 if args[1:] else UsageError.exit_code


def completions(words: Sequence[str]) -> list[str]:
    """What may stand in the place of the last of the ``words`` behind ``hippo``, which has begun."""
    *before, begun = words or [""]
    try:
        return [word for word in _offered(before, begun) if word.startswith(begun)]
    except UsageError:
        return []


def _offered(before: Sequence[str], begun: str) -> Iterable[str]:
    rest, named = split(before)
    parameters = [*SHARED]
    if named:
        _, command, rest = find(named)
        if isinstance(command, Group):
            return [part.name for part in command.commands]
        parameters = [*command.parameters]
    options = spellings_of(parameters)
    valued = options.get(rest[-1]) if rest else None
    if valued is not None and valued.kind != FLAG:
        return valued.choices
    if begun.startswith("-"):
        return options
    if not named:
        return [row.name for row in LISTED]
    places = (parameter for parameter in parameters if not parameter.spellings)
    return (word for place in places for word in place.choices)
