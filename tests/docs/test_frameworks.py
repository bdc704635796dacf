"""The page about frameworks: its examples are run with the real packages, where they are installed."""

from __future__ import annotations

import importlib.util
import io
import re
import shutil
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from hippocampus_cli import open_workspace
from hippocampus_cli.errors import ExtraMissing
from tests.support.pages import ROOT, read

PAGE = read("frameworks")
EXAMPLES = re.findall(r"^```python (\w+)\n(.*?)^```\n+```text\n(.*?)^```$", PAGE, re.M | re.S)


@pytest.mark.parametrize(("package", "example", "printed"), EXAMPLES)
def test_an_example_prints_what_the_page_says(
    package: str, example: str, printed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"the package `{package}` is not installed")
    shutil.copytree(ROOT / "fixtures/workspace", tmp_path / "fixtures/workspace")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)  # CrewAI asks for it as it is imported
    monkeypatch.setenv("CREWAI_DISABLE_TELEMETRY", "true")
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    monkeypatch.setenv("CREWAI_STORAGE_DIR", str(tmp_path / "crewai"))
    with open_workspace("fixtures/workspace") as workspace:
        workspace.bootstrap()
    screen = io.StringIO()
    with redirect_stdout(screen):
        exec(compile(example, "docs/frameworks.md", "exec"), {})
    assert screen.getvalue() == printed


def test_every_extra_of_a_framework_has_an_example() -> None:
    assert len(EXAMPLES) == PAGE.count("```python")
    named = set(re.findall(r"^\| `([\w-]+)` \|", PAGE, re.M))
    adapters = {one.stem for one in (ROOT / "hippocampus_cli/adapters").glob("[a-z]*.py")}
    assert named == {one.replace("_", "-") for one in adapters - {"brought"}}
    assert named <= ExtraMissing.packages.keys()
    told = {name for _, code, _ in EXAMPLES for name in re.findall(r"adapters\.(\w+) import", code)}
    assert told == adapters - {"brought"}
