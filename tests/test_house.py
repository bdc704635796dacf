"""The house rules that a program can check."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "hippocampus_cli"
MODULES = sorted(path for path in PACKAGE.rglob("*.py"))
EVERY = [*MODULES, *sorted((ROOT / "bench").rglob("*.py"))]
EDGES = (
    "cli",
    "benchmark",
    "api",
)  # these may print, exit, and read the clock and the environment
VAGUE = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "misc", "base"}
OUTSIDE_WORLD = {
    "os.environ",
    "os.getenv",
    "sys.exit",
    "sys.argv",
    "sys.stdout",
    "sys.stderr",
    "datetime.now",
    "datetime.today",
    "datetime.utcnow",
    "date.today",
    "time.time",
    "Path.home",
    "Path.cwd",
    "os.getcwd",
    "uuid.uuid4",
}

# What `hippo query` may use: the first after a bootstrap reads the notes, later ones find nothing to read.
# These numbers only fall: lower them with every change that allows it.
MODULES_RUN = 94
MODULES_LOADED = 112
PAIRS_THAT_CALL_EACH_OTHER = 0
FIRST_MODULES_RUN = 105
FIRST_MODULES_LOADED = 123
FIRST_PAIRS_THAT_CALL_EACH_OTHER = 2
# Runs a command line, then writes which modules ran, which were loaded and which call which.
CALLS = """
import json, sys
from hippocampus_cli.cli.main import main

def inside(frame):
    return frame.f_globals.get("__name__", "").startswith("hippocampus_cli")

def see(frame, event, _):
    if event != "call" or not inside(frame) or frame.f_code.co_name == "<module>":
        return
    module, caller = frame.f_globals["__name__"], frame.f_back
    run.add(module)
    while caller is not None and not inside(caller):
        caller = caller.f_back
    if caller is not None and caller.f_code.co_name != "<module>":
        calls.add((caller.f_globals["__name__"], module))

run, calls = set(), set()
sys.setprofile(see)
try:
    main(sys.argv[1:])
except SystemExit:
    pass
sys.setprofile(None)
loaded = sorted(name for name in sys.modules if name.startswith("hippocampus_cli"))
json.dump({"run": sorted(run), "loaded": loaded, "calls": sorted(calls)}, sys.stderr)
"""


def ids(path: Path) -> str:
    return path.relative_to(ROOT).as_posix().removeprefix("hippocampus_cli/")


def test_a_folder_imports_only_from_those_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert lint_imports(no_cache=True) == 0


@pytest.mark.parametrize("path", EVERY, ids=ids)
def test_modules_and_functions_are_one_idea(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 450
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert (node.end_lineno or 0) - node.lineno < 50, node.name


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_only_the_edges_touch_the_outside_world(path: Path) -> None:
    inside = path.relative_to(PACKAGE).parts[0]
    if inside in EDGES or inside == "__main__.py":
        return
    assert not list(_touches(ast.parse(path.read_bytes())))


def test_the_check_of_the_outside_world_sees_what_it_should() -> None:
    code = "import os\nprint(os.environ['X'])\ninput()\nexit(1)\ndatetime.datetime.now()\nopen('x')"
    found = sorted(_touches(ast.parse(code)))
    assert found == ["2: os.environ", "2: print", "3: input", "4: exit", "5: datetime.now"]


@pytest.mark.parametrize("path", EVERY, ids=ids)
def test_no_name_says_nothing(path: Path) -> None:
    parts = [*path.relative_to(ROOT).parts[1:-1], path.stem]
    assert not VAGUE & set(parts)


def _touches(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("print", "input", "exit", "quit"):
                yield f"{node.lineno}: {node.func.id}"
        elif isinstance(node, ast.Attribute):
            dotted = ".".join(ast.unparse(node).split(".")[-2:])
            if dotted in OUTSIDE_WORLD:
                yield f"{node.lineno}: {dotted}"


def test_what_measures_hippo_is_neither_installed_nor_imported() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert told["tool"]["hatch"]["build"]["targets"]["wheel"] == {"packages": ["hippocampus_cli"]}
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_bytes())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            assert not [name for name in names if name.partition(".")[0] == "bench"], path


def test_a_query_uses_no_more_modules_and_pairs_that_call_each_other_than_it_did(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "workspace"
    shutil.copytree(ROOT / "fixtures" / "workspace", folder)
    _calls(folder, "bootstrap")
    first, later = (_calls(folder, "query", "deploy command") for _ in range(2))
    assert "hippocampus_cli.query.ask" in later["run"]
    assert len(first["run"]) <= FIRST_MODULES_RUN, first["run"]
    assert len(first["loaded"]) <= FIRST_MODULES_LOADED, first["loaded"]
    assert len(_both_ways(first)) <= FIRST_PAIRS_THAT_CALL_EACH_OTHER, _both_ways(first)
    assert len(later["run"]) <= MODULES_RUN, later["run"]
    assert len(later["loaded"]) <= MODULES_LOADED, later["loaded"]
    assert len(_both_ways(later)) <= PAIRS_THAT_CALL_EACH_OTHER, _both_ways(later)


def _both_ways(seen: dict[str, list[Any]]) -> list[tuple[str, str]]:
    calls = {(caller, called) for caller, called in seen["calls"]}
    return sorted((one, two) for one, two in calls if one < two and (two, one) in calls)


def _calls(folder: Path, *argv: str) -> dict[str, list[Any]]:
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{CALLS}"
    done = subprocess.run(
        [sys.executable, "-c", program, *argv],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    seen: dict[str, list[Any]] = json.loads(done.stderr.splitlines()[-1])
    return seen
