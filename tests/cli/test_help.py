"""Help and completion, from the table of commands and their options."""

from __future__ import annotations

import re
import shlex
import subprocess
from inspect import cleandoc
from pathlib import Path

import pytest

from hippocampus_cli.cli import commands
from hippocampus_cli.cli.command_table import _HOMES, COMMANDS, EVERY_DAY, PANELS, CommandRow, load
from hippocampus_cli.cli.complete import SCRIPTS, completions
from hippocampus_cli.cli.options import Group
from tests.support.command_line import Hippo


def test_help_without_a_command_is_the_help(hippo: Hippo) -> None:
    bare = hippo().out
    assert hippo("--help").out == bare
    assert "\x1b" not in bare


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
def test_each_command_explains_itself_with_examples(row: CommandRow, hippo: Hippo) -> None:
    told = hippo(row.name, "--help")
    found = load(row.name)
    doc = cleandoc(found.help if isinstance(found, Group) else found.run.__doc__ or "")
    assert doc.splitlines()[0] == row.help
    assert f"\n\nExamples:\n  hippo {row.name}" in doc
    shown = told.out
    assert shown.startswith(f"usage: hippo {row.name} ")
    assert f"\n\nExamples:\n  hippo {row.name}" in shown


def test_help_lists_what_is_used_every_day_and_names_the_rest(hippo: Hippo) -> None:
    short = hippo("help").out
    assert len(short.splitlines()) <= 40
    whole = hippo("help all").out
    for row in COMMANDS:
        assert row.panel in PANELS
        assert (f"\n  {row.name} " in short) == (row.panel == EVERY_DAY)
        hidden = row.name in ("hook", "merge")  # what programs call
        assert hidden or re.search(rf"\b{row.name}\b", short)
        assert (f"\n  {row.name} " in whole) != hidden
    assert "hippo query" in hippo("help query").out


def test_help_is_as_wide_as_the_screen(monkeypatch: pytest.MonkeyPatch, hippo: Hippo) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    shown, _, examples = hippo("context add --help").out.partition("Examples:")
    options = examples.partition("Options\n")[2]
    assert [line for line in (shown + options).splitlines()[1:] if len(line) > 60] == []


def test_a_group_lists_its_commands_whole(hippo: Hippo) -> None:
    bare = hippo("context", code=2).out
    assert hippo("context --help").out == bare
    group = load("context")
    assert isinstance(group, Group)
    for command in group.commands:
        line = " ".join(cleandoc(command.run.__doc__ or "").partition("\n\n")[0].split())
        assert line in " ".join(bare.split())
        hippo("context", command.name, "-h")


def test_the_examples_of_the_mind_find_what_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo
) -> None:
    (tmp_path / "MEMORY.md").write_text("# Memory\n")
    monkeypatch.setenv("HIPPO_WORKSPACE", str(tmp_path))
    group = load("mind")
    assert isinstance(group, Group)
    lines = [line.split("hippo ", 1)[1] for line in group.help.splitlines() if "  hippo " in line]
    assert hippo("history").out == "no cycle has changed anything yet\n"
    said, asked, contradicted = (shlex.split(line) for line in lines[1:])
    assert "added: " in hippo(*said).out and "listens" in hippo(*asked).out
    assert "listens on 5432" in hippo(*contradicted, code=1).out


def test_an_option_that_is_alike_in_its_dashes_alone_was_not_meant(hippo: Hippo) -> None:
    assert "next: see --help" in hippo("query --nope x", code=2).err
    assert "next: did you mean --type?" in hippo("query --tpye x", code=2).err


def test_the_table_and_the_folder_of_commands_agree() -> None:
    folder = Path(str(commands.__file__)).parent
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert files == {_HOMES.get(row.name, row.name) for row in COMMANDS}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("con", ["context", "config"]),
        ("--w", ["--workspace"]),
        ("--workspace ", []),
        ("context e", ["end"]),
        ("config --wo", ["--workspace"]),
        ("query --mode ", ["index", "search", "hybrid"]),
        ("schedule in", ["install"]),
        ("show ", []),
        ("search --mode h", ["hybrid"]),
        ("nonsense ", []),
        ("pin ", []),
    ],
)
def test_completion_knows_commands_options_and_choices(line: str, words: list[str]) -> None:
    assert completions(line.split(" ")) == words


def test_scripts_are_printed_by_name(hippo: Hippo) -> None:
    for shell, script in SCRIPTS.items():
        assert hippo("--show-completion", shell).out == f"{script}\n"
    hippo("--show-completion", code=2)
    assert hippo("--complete stat").out == "status\n"


def test_bash_asks_hippo_for_words() -> None:
    script = f"""
        hippo() {{ printf '%s\\n' "$@"; }}
        {SCRIPTS["bash"]}
        COMP_WORDS=(hippo query dep); COMP_CWORD=2
        _hippo && printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["--complete", "query", "dep"]
