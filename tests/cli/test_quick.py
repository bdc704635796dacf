from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any, get_args

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st

from hippocampus_cli.cli import asking, options, quick, spelled
from hippocampus_cli.cli.app import make_app
from hippocampus_cli.cli.commands import anchors, query, status
from hippocampus_cli.cli.main import main

Name = tuple[str, ...]
# The module of a command, the function in it that typer calls, and what that hands on to.
BEHIND: dict[Name, tuple[Any, Any, str]] = {
    ("query",): (query, query.command, "ask"),
    ("anchors", "lookup"): (anchors, anchors.lookup, "look"),
    ("status",): (status, status.command, "take_stock"),
}


def by_typer(name: Name, words: list[str]) -> dict[str, Any] | None:
    """What the command is given when typer reads ``words``; ``None`` where it refuses them."""
    seen: dict[str, Any] = {}

    def work(session: Any, *words: list[str], **given: Any) -> int:
        seen.update(given, words=list(*words), workspace=session.workspace)
        seen["as_json"] = session.output.as_json
        return 0

    module, _, handed = BEHIND[name]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, handed, work)
        program = typer.main.get_command(make_app())
        try:
            program.main(args=[*name, *words], prog_name="hippo")
        except SystemExit as stop:
            return seen if stop.code in (0, None) else None
    return seen


def by_hand(name: Name, words: list[str]) -> dict[str, Any] | None:
    """The same where the words are understood without typer; ``None`` where they are left to it."""
    line = quick.LINES[name]
    given = spelled.understood(words, line.options, wordy=line.wordy)
    return None if given is None else {"words": [], **given}


CHOSEN = ("tag", "kind", "path", "pri")


def kind_of(param: Any) -> str:
    if param.is_flag:
        return spelled.FLAG
    if param.multiple:
        return spelled.SEVERAL
    annotation = param.type_descriptor.annotation
    if get_args(annotation):
        assert get_args(annotation) == spelled.MODES
        return spelled.MODE
    return {int: spelled.NUMBER, str: spelled.TEXT, Path: spelled.FOLDER}[annotation]


def test_every_quick_command_is_held_against_typer() -> None:
    assert BEHIND.keys() == quick.LINES.keys()


@pytest.mark.parametrize("name", BEHIND)
def test_the_table_has_every_option_that_typer_has_and_no_other(name: Name) -> None:
    made = typer.Typer(add_completion=False)
    made.command()(BEHIND[name][1])
    params = typer.main.get_command(made).params
    known = {
        spelling: (one.name, kind_of(one))
        for one in params
        if one.name != "words"
        for spelling in (*one.opts, *one.secondary_opts)
        if spelling != "--help"
    }
    assert known == dict(quick.LINES[name].options)
    assert any(one.name == "words" for one in params) == quick.LINES[name].wordy
    assert get_args(get_args(get_args(options.Mode)[0])[0]) == spelled.MODES


# What a shell may hand over: spellings, values that fit and that do not, words, and joins of them.
words = st.sampled_from(
    [
        *quick.LINES["query",].options,
        *("--project", "--project=kelpie"),
        *("--help", "-h", "--", "-", "--no-such", "-x", "--lim", "", " ", "-5", "--limit=3"),
        *("--mode=index", "--tag=a", "--json=1", "-n3", "-wx", "-tdeploy", "--since=", "--type="),
        *(
            "deploy",
            "command",
            "3",
            "07",
            "+3",
            "1_0",
            "٣",
            "index",
            "hybrid",
            "none",
            "a=b",
            "café",
        ),
        *("2026-05-01", "daily", "amygdala", "no\udcffutf8", "/tmp", "0", "1.5", "notes/*.md"),
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(list(BEHIND)), st.lists(words, max_size=6))
def test_what_is_understood_is_what_typer_understands(name: Name, line: list[str]) -> None:
    understood = by_hand(name, line)
    if understood is None:
        return
    taken = by_typer(name, line)
    defaults = by_typer(name, ["word"] if quick.LINES[name].wordy else [])
    assert taken is not None and defaults is not None
    assert _chosen(taken) == _chosen({**defaults, **understood})


def _chosen(given: dict[str, Any]) -> dict[str, Any]:
    """None is nothing chosen, however it is said."""
    return {**given, **{name: tuple(given.get(name) or ()) for name in CHOSEN}}


@pytest.mark.parametrize(
    ("name", "line"),
    [
        (("query",), ["deploy", "command"]),
        (("query",), ["--json", "deploy", "--limit", "3", "-m", "index"]),
        (("query",), ["--tag", "a", "-t", "b", "--no-write", "--explain", "deploy"]),
        (("query",), ["--since=2026-05-01", "deploy", "-w", "/tmp"]),
        (("query",), ["deploy", "--", "--json"]),
        (("query",), ["-", "--json"]),
        (("anchors", "lookup"), ["ship", "it", "--project", "kelpie", "-n", "3", "--json"]),
        (("anchors", "lookup"), ["-"]),
        (("status",), []),
        (("status",), ["--json", "-w", "/tmp"]),
    ],
)
def test_the_usual_forms_need_no_typer(name: Name, line: list[str]) -> None:
    assert by_hand(name, line) is not None


@pytest.mark.parametrize(
    ("name", "line"),
    [
        *((("query",), line) for line in ([], ["--help"], ["--json"], ["deploy", "--limit"])),
        *((("query",), ["deploy", *more]) for more in (["-n", "x"], ["-m", "none"])),
        *((("query",), ["deploy", *more]) for more in (["--limt", "3"], ["-n", "3", "-n", "4"])),
        *((("anchors", "lookup"), line) for line in ([], ["--help"], ["ship", "--mode", "index"])),
        *((("status",), line) for line in (["deploy"], ["--", "deploy"], ["-"], ["--help"])),
    ],
)
def test_what_needs_an_explanation_is_left_to_typer(name: Name, line: list[str]) -> None:
    assert by_hand(name, line) is None


@pytest.mark.parametrize("line", [["anchors"], ["anchors", "--help"], ["statuses"], ["list"], []])
def test_other_commands_are_left_to_typer(line: list[str]) -> None:
    assert quick.run(line) is None


@pytest.mark.parametrize("line", [["-"], ["--", "-"], ["--limit", "+3", "-"]])
def test_a_dash_is_what_stands_on_standard_input(
    line: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "MEMORY.md").write_text("# Deploy\n\nmake ship\n")
    said = io.TextIOWrapper(io.BytesIO("\ufeffmake\nship\n".encode()))
    monkeypatch.setattr(sys, "stdin", said)
    assert main(["query", "-w", str(tmp_path), "--mode", "search", "--json", *line]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["query"], found["results"][0]["path"]) == ("make\nship", "MEMORY.md")


def test_a_bug_on_the_quick_way_is_reported_as_any_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: Any, **__: Any) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(asking, "ask", fails)
    assert main(["query", "deploy"]) == 70
    assert "a bug in hippo" in capsys.readouterr().err


def test_an_interrupt_on_the_quick_way_is_quiet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stops(*_: Any, **__: Any) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(asking, "ask", stops)
    assert main(["query", "deploy"]) == 130
    assert capsys.readouterr() == ("", "")


def test_a_usage_error_behind_a_well_formed_line_has_its_document(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["query", "deploy", "--type", "nothing", "--json"]) == 2
    out, err = capsys.readouterr()
    assert '"code":"usage"' in out and "--type" in err
