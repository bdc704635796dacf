"""From words to a command: other names, names that went, options in both places, exit codes."""

from __future__ import annotations

from pathlib import Path

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


@pytest.mark.parametrize("line", ["cofnig", "cofnig --help", "context ad"])
def test_a_misspelled_command_is_suggested(line: str, hippo: Hippo) -> None:
    assert "did you mean" in hippo(line, code=2).err


@pytest.mark.parametrize("argv", [["--json", "config", "lock"], ["config", "lock", "--json"]])
def test_shared_options_stand_before_or_after_the_command(argv: list[str], hippo: Hippo) -> None:
    assert hippo(*argv).out.startswith('{"settings":[{"key":"lock.timeout_seconds"')


def test_the_workspace_option_works_in_both_places(tmp_path: Path, hippo: Hippo) -> None:
    (tmp_path / ".hippocampus").mkdir()
    (tmp_path / ".hippocampus/config.toml").write_text("[query]\nlimit = 77\n", encoding="utf-8")
    for argv in (["-w", str(tmp_path), "config"], ["-w", "/", "config", "-w", str(tmp_path)]):
        assert hippo(*argv, "query.limit").out == "77\n"


def test_what_a_command_returns_is_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status, "command", status.command._replace(run=lambda session: 1))
    assert main(["status"]) == 1


def test_a_usage_error_behind_a_well_formed_line_has_its_document(
    monkeypatch: pytest.MonkeyPatch, hippo: Hippo, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    out, err = hippo("query deploy --type nothing --json", code=2)
    assert '"code":"usage"' in out and "--type" in err
