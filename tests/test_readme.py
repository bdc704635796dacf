"""The README cannot lie: its commands run, its tables are the program's own.

``UPDATE_README=1`` writes down what is printed now. Only durations may differ.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hippocampus_cli import errors, open_workspace
from hippocampus_cli.cli.render.answer import as_document
from hippocampus_cli.cli.render.documents import document_of
from hippocampus_cli.cli.render.forecast import print_forecast, steps_for
from hippocampus_cli.cli.render.output import Output
from hippocampus_cli.cli.table import COMMANDS, PANELS
from hippocampus_cli.context.lifecycle.policy_file import read_policies
from hippocampus_cli.curation.forecasting import Forecast
from hippocampus_cli.index.decay import Band
from hippocampus_cli.retrieval.excerpts import Passage
from hippocampus_cli.retrieval.results import QueryResult, Result, Suppressed, Written
from tests.cli.replay import DURATION, replay
from tests.reporting.samples import lively

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
NOW = "2026-08-01T09:00:00+00:00"
UPDATE = bool(os.environ.get("UPDATE_README"))
_CONSOLE = re.compile(r"(?<=````console\n).*?(?=````)", re.DOTALL)


def test_every_console_block_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = README.read_text(encoding="utf-8")
    workspace = tmp_path / "workspace"
    shutil.copytree(ROOT / "fixtures/workspace", workspace)
    monkeypatch.chdir(workspace)
    monkeypatch.setenv("HIPPO_WORKSPACE", str(workspace))
    monkeypatch.setenv("HIPPO_NOW", NOW)
    monkeypatch.setenv("COLUMNS", "80")
    replayed = _CONSOLE.sub(lambda block: _again(block.group(), monkeypatch), text)
    if UPDATE:
        README.write_text(replayed, encoding="utf-8", newline="\n")
    assert DURATION.sub("#", replayed).splitlines() == DURATION.sub("#", text).splitlines()


def _again(block: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The block replayed; a duration keeps the figure that stands in the README, unless it is updated."""
    if UPDATE:
        return "".join(replay(block, monkeypatch, mask=r"\g<0>"))
    durations = iter(DURATION.findall(block))
    printed = "".join(replay(block, monkeypatch, mask="\0"))
    return re.sub("\0", lambda _: next(durations, "(no duration)"), printed)


def test_the_table_of_commands() -> None:
    text = README.read_text(encoding="utf-8")
    table = "".join(f"{row}\n" for row in _command_table())
    found = re.search(
        r"(?<=<!-- commands:begin -->\n).*?(?=<!-- commands:end -->)", text, re.DOTALL
    )
    assert found
    if UPDATE:
        text = text[: found.start()] + table + text[found.end() :]
        README.write_text(text, encoding="utf-8", newline="\n")
    assert found.group() == table


def _command_table() -> Iterator[str]:
    yield "| | command | |"
    yield "|---|---|---|"
    for panel in PANELS:
        rows = [command for command in COMMANDS if command.panel == panel]
        for at, command in enumerate(rows):
            yield f"| {panel if not at else ''} | `hippo {command.name}` | {command.help} |"


def test_every_exit_code_is_in_the_table() -> None:
    text = README.read_text(encoding="utf-8")
    table = text[text.index("| exit code |") : text.index("### `hippo query --json`")]
    stated = {
        int(number)
        for row in re.findall(r"^\| ([\d, ]+)", table, re.M)
        for number in row.split(",")
    }
    assert stated == {0, 1, 2, 70, 130, 141} | {
        kind.exit_code for kind in _tree(errors.HippoError)
    } - {1}


def _tree(kind: type[errors.HippoError]) -> Iterator[type[errors.HippoError]]:
    yield kind
    for one in kind.__subclasses__():
        yield from _tree(one)


def test_every_key_of_the_json_is_in_the_table() -> None:
    result = Result(
        1, "a.md", None, 1, 1, "", 0, 0.0, "search", None, None, None, cut=False, reasons=("x",)
    )._replace(passages=(Passage(1, 1, 0.5),))
    document = as_document(
        QueryResult(
            "q",
            "hybrid",
            "search",
            (result,),
            (Suppressed("a", 0.0, ""),),
            (Written("a", "hit", ""),),
        ),
        explain=True,
    )
    text = README.read_text(encoding="utf-8")
    table = text[text.index("### `hippo query --json`") : text.index("### From Python")]
    stated = set(re.findall(r"`(\w+)(?:\[\])?`", table))
    keys = set(document)
    for rows in document.values():
        for row in rows if isinstance(rows, list) else ():
            keys |= set(row)
            keys |= {key for part in row.get("passages", ()) for key in part}
    assert keys <= stated


def test_every_key_of_the_report_is_in_its_table() -> None:
    text = README.read_text(encoding="utf-8")
    section = text[text.index("## The health report") : text.index("## How it answers")]
    stated = set(re.findall(r"`(\w+)(?:\[\])?`", section))
    mention = re.search(r"`\{([^}]*)\}`", section)
    assert mention
    stated |= set(re.split(r",\s+", mention[1]))
    assert _keys(document_of(lively())) <= stated | set(map(str, Band))


def _keys(value: object) -> set[str]:
    """Every key of a JSON document."""
    if isinstance(value, dict):
        return {str(key) for key in value}.union(*map(_keys, value.values()))
    return set().union(*map(_keys, value)) if isinstance(value, (list, tuple)) else set()


def _forecast(*ids: str, days: int, steps: int = 3) -> Forecast:
    now = datetime(2026, 2, 1, 9, tzinfo=UTC)
    with open_workspace(ROOT / "tests/workspaces/acme") as ws:
        return ws.forecast(*ids, days=days, steps=steps, now=now)


def test_the_drawing_of_the_forecast() -> None:
    text = README.read_text(encoding="utf-8")
    found = re.search(
        r"(?<=<!-- forecast:begin -->\n).*?(?=<!-- forecast:end -->)", text, re.DOTALL
    )
    assert found
    command = found.group().splitlines()[1]
    screen = io.StringIO()
    output = Output(screen, screen, False, terminal=True, colour=False, width=80)
    coming = _forecast(*command.split()[3:-2], days=60, steps=steps_for(output))
    print_forecast(output, coming, None)
    lines = [line.rstrip() for line in screen.getvalue().splitlines()]
    block = "\n".join(["```console", command, *lines, "```\n"])
    if UPDATE:
        text = text[: found.start()] + block + text[found.end() :]
        README.write_text(text, encoding="utf-8", newline="\n")
    assert found.group() == block


def test_every_key_of_the_forecast_is_in_its_table() -> None:
    document = document_of(_forecast("grace", days=90), total=1)
    text = README.read_text(encoding="utf-8")
    table = text[text.index("## Forecast") : text.index("## The file")]
    stated = set(re.findall(r"`(\w+)(?:\[\])?`", table))
    keys = set(document)
    for rows in document.values():
        for row in rows if isinstance(rows, tuple) else ():
            keys |= set(row)
    assert keys <= stated


def test_every_key_of_a_context_s_json_is_in_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = README.read_text(encoding="utf-8")
    section = text[text.index("## What is in the window") : text.index("## Commands")]
    stated = set(re.findall(r"`(\w+)(?:\[\])?`", section))
    monkeypatch.setenv("HIPPO_WORKSPACE", str(tmp_path))
    (tmp_path / "MEMORY.md").write_text("# Memory\n")
    lines = (
        "begin one", "add --text Never --type message", "turn", "show", "show ctx_001", "show --all",
        "get ctx_001", "touch ctx_001", "pin ctx_001", "end --dry-run",
    )  # fmt: skip
    for line in lines:
        printed = "".join(replay(f"$ hippo context {line} --json\n", monkeypatch)).splitlines()[1]
        assert set(_context_keys(json.loads(printed))) <= stated, line


def test_the_example_of_policies_is_read() -> None:
    (text,) = re.findall(r"```yaml\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    (policy,) = read_policies(text)
    for part in (policy.match, policy.action):
        assert all(value not in (None, ()) for value in part)


def _context_keys(value: object) -> Iterator[str]:
    """The keys of a document at any depth; those of key data are the content's own."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield key
            if key != "key_data":
                yield from _context_keys(one)
    elif isinstance(value, list):
        for one in value:
            yield from _context_keys(one)


def test_the_python_example_runs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    shutil.copytree(ROOT / "fixtures/workspace", tmp_path / "fixtures/workspace")
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    assert capsys.readouterr().out.splitlines()[0].startswith("TOOLS.md:")


def test_the_make_targets_exist() -> None:
    targets = set(re.findall(r"^make ([a-z-]+)", README.read_text(encoding="utf-8"), re.M))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert targets and all(re.search(rf"^{target}:", makefile, re.M) for target in targets)
