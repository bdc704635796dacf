"""Other names of commands, names that went, and the two kinds of help."""

from __future__ import annotations

import re

import pytest

from hippocampus_cli.cli.command_table import ALIASES, COMMANDS, EVERY_DAY, REMOVED, meant
from hippocampus_cli.cli.main import main
from hippocampus_cli.errors import UsageError

NAMES = {command.name for command in COMMANDS}


def test_other_names_stand_for_commands_that_are_there() -> None:
    assert {words[0] for words in ALIASES.values()} <= NAMES
    assert not NAMES & (set(ALIASES) | set(REMOVED))


def test_an_alias_is_written_out_behind_the_options_of_every_command() -> None:
    assert meant(["search", "daily"]) == ["query", "daily"]
    assert meant(["-w", "init", "--json", "daily", "-n"]) == [
        "-w",
        "init",
        "--json",
        "maintain",
        "--daily",
        "-n",
    ]
    assert meant([]) == []
    assert meant(["--json"]) == ["--json"]
    assert meant(["query", "pin"]) == ["query", "pin"]


@pytest.mark.parametrize("name", REMOVED)
def test_a_name_that_went_says_what_to_use(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(name.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"hippo: `hippo {name}` was removed in 0.2\n  next: use {REMOVED[name]}\n"
    with pytest.raises(UsageError):
        meant(["--json", *name.split(), "more"])


def test_an_alias_explains_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["weekly", "--help"]) == 0
    assert "hippo maintain" in capsys.readouterr().out


def test_help_lists_what_is_used_every_day_and_names_the_rest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["help"]) == 0
    short = capsys.readouterr().out
    assert len(short.splitlines()) <= 40
    assert main(["help", "all"]) == 0
    whole = capsys.readouterr().out
    for command in COMMANDS:
        assert (f"\n  {command.name} " in short) == (command.panel == EVERY_DAY)
        assert command.hidden or re.search(rf"\b{command.name}\b", short)
        assert (f"\n  {command.name} " in whole) != command.hidden
    assert main(["help", "query"]) == 0
    assert "hippo query" in capsys.readouterr().out
