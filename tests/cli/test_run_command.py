"""From words to a command: other names, names that went, options in both places, exit codes."""

from __future__ import annotations

import pytest

from hippocampus_cli.cli.command_table import ALIASES, COMMANDS, REMOVED
from hippocampus_cli.cli.commands import status
from hippocampus_cli.cli.main import main
from hippocampus_cli.cli.run_command import split
from hippocampus_cli.errors import UsageError
from tests.support.command_line import Hippo

NAMES = {row.name for row in COMMANDS}


def test_other_names_stand_for_commands_that_are_there() -> None:
    assert {words[0] for words in ALIASES.values()} <= NAMES
    assert not NAMES & (set(ALIASES) | set(REMOVED))


def test_an_alias_is_written_out_behind_the_options_of_every_command() -> None:
    assert split(["search", "daily"]) == ([], ["query", "daily"])
    outer = ["-w", "init", "--json"]
    assert split([*outer, "daily", "-n"]) == (outer, ["maintain", "--daily", "-n"])
    assert split([]) == ([], [])
    assert split(["--json"]) == (["--json"], [])
    assert split(["query", "pin"]) == ([], ["query", "pin"])


@pytest.mark.parametrize("name", REMOVED)
def test_a_name_that_went_says_what_to_use(name: str, hippo: Hippo) -> None:
    out, err = hippo(name, code=2)
    assert out == ""
    assert err == f"hippo: `hippo {name}` was removed in 0.2\n  next: use {REMOVED[name]}\n"
    with pytest.raises(UsageError):
        split(["--json", *name.split(), "more"])


def test_an_alias_explains_the_command(hippo: Hippo) -> None:
    assert "hippo maintain" in hippo("weekly --help").out


def test_what_a_command_returns_is_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status, "command", status.command._replace(run=lambda session: 1))
    assert main(["status"]) == 1
