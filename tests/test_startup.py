"""What a start must not import: every query waits for it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

HEAVY = (
    *("rich", "pydantic", "mistune", "frontmatter", "yaml", "watchdog", "rapidfuzz", "fasteners"),
    *("pathspec", "sqlite3", "logging", "asyncio", "importlib.metadata", "unittest", "email"),
    "numpy",
)
# A command line, and the modules that must not be loaded when it has run.
STARTS = {
    "--version": (*HEAVY, "typer", "dataclasses", "typing", "json", "hippocampus_cli.errors"),
    "-V": (*HEAVY, "typer", "dataclasses"),
    "--help": (*HEAVY, "json", "tomllib", "hippocampus_cli.config.positions"),
    "config": (*HEAVY, "tomllib", "hippocampus_cli.cli.commands.status"),
    "config --help": HEAVY,
    "config --json": HEAVY,
    "list --help": (*HEAVY, "hippocampus_cli.api", "hippocampus_cli.entries"),
    "remember --help": (*HEAVY, "hippocampus_cli.api", "hippocampus_cli.entries"),
    "check --help": (*HEAVY, "hippocampus_cli.api", "hippocampus_cli.entries"),
    "schedule install --help": (*HEAVY, "hippocampus_cli.schedule"),
    "report --help": (*HEAVY, "hippocampus_cli.api", "hippocampus_cli.report", "jinja2"),
    "forecast --help": (*HEAVY, "hippocampus_cli.api", "hippocampus_cli.entries"),
    "watch --help": (*HEAVY, "hippocampus_cli.watch", "hippocampus_cli.cli.render.watch"),
    "compact --help": (*HEAVY, "hippocampus_cli.context"),
    "fetch --help": (*HEAVY, "hippocampus_cli.context"),
    "context --help": (*HEAVY, "hippocampus_cli.api", "hippocampus_cli.context"),
    "context add --help": (*HEAVY, "hippocampus_cli.api", "hippocampus_cli.context"),
    "anchors --help": (*HEAVY, "hippocampus_cli.api", "hippocampus_cli.anchors", "numpy"),
    "anchors lookup --help": (*HEAVY, "hippocampus_cli.api", "hippocampus_cli.anchors"),
    "embed --help": (*HEAVY, "hippocampus_cli.embedding"),
    "embed --list": (*HEAVY, "urllib.request", "hippocampus_cli.embedding.api"),
    "install --help": (*HEAVY, "hippocampus_cli.integrations"),
    "hook --help": (*HEAVY, "hippocampus_cli.integrations"),
}
# What the door opens only for those who ask for it.
BEHIND_THE_DOOR = (
    *(
        "hippocampus_cli.api.types",
        "hippocampus_cli.api.anchors",
        "hippocampus_cli.integrations.agents",
    ),
    "hippocampus_cli.anchors",
    *("hippocampus_cli.entries", "hippocampus_cli.maintenance", "hippocampus_cli.query"),
    *("hippocampus_cli.search", "hippocampus_cli.watch", "hippocampus_cli.workspace.store"),
)
# Run the command, then list what is loaded that a bare interpreter had not loaded before.
PROGRAM = """
import sys
before = set(sys.modules)
from hippocampus_cli.cli.main import main
main(sys.argv[1:])
sys.stderr.write("\\n".join(sorted(set(sys.modules) - before)))
"""


@pytest.mark.parametrize("line", STARTS)
def test_a_start_loads_no_more_than_it_needs(line: str, tmp_path: Path) -> None:
    loaded = _loaded(line.split(), tmp_path)
    heavy = {
        name for name in loaded for banned in STARTS[line] if f"{name}.".startswith(f"{banned}.")
    }
    assert not heavy


def _loaded(argv: list[str], folder: Path, given: str = "") -> list[str]:
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{PROGRAM}"
    done = subprocess.run(
        [sys.executable, "-c", program, *argv],
        cwd=folder,
        input=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert "hippocampus_cli.cli.main" in done.stderr
    return done.stderr.split()


def test_a_compaction_loads_no_more_than_it_needs(tmp_path: Path) -> None:
    session = '{"role":"user","content":"Rotate the logs."}\n'
    (tmp_path / "session.jsonl").write_text(session)
    loaded = _loaded(["compact", "session.jsonl"], tmp_path)
    assert "hippocampus_cli.context.compaction.compose" in loaded
    banned = (*HEAVY, "hippocampus_cli.api.workspace", *BEHIND_THE_DOOR)
    assert not [
        name for name in loaded if f"{name}.".startswith(tuple(f"{one}." for one in banned))
    ]


HEAVY_BUT_SEARCH = tuple(name for name in HEAVY if name != "sqlite3")
WITHOUT = (
    *HEAVY_BUT_SEARCH,
    "typer",
    "ctypes",
    "dataclasses",
    "hashlib",
    "hippocampus_cli.cli.typer_form",
)
QUERIES = {
    "query the siren --no-write": (*WITHOUT, "json", "hippocampus_cli.drafting"),
    "query the siren": (*WITHOUT, "hippocampus_cli.entries", "hippocampus_cli.maintenance"),
    "query --limit 3 the siren --tokens 500": (*WITHOUT, "hippocampus_cli.maintenance"),
    "query the siren --json --explain": (*WITHOUT, "hippocampus_cli.entries"),
}


@pytest.mark.parametrize("line", QUERIES)
def test_a_query_loads_no_more_than_it_needs(line: str, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n\n## Siren\n\nThe siren sounds at noon.\n")
    index = "# HIPPOCAMPUS.md\n\n## Siren\n→ notes.md §Siren\n<!-- hx: id=siren | hits=0 | str=1.0 -->\n"
    (tmp_path / "HIPPOCAMPUS.md").write_text(index)
    loaded = _loaded(line.split(), tmp_path)
    assert "hippocampus_cli.query.ask" in loaded
    heavy = {
        name for name in loaded for banned in QUERIES[line] if f"{name}.".startswith(f"{banned}.")
    }
    assert not heavy


def test_a_lookup_of_anchors_loads_no_more_than_it_needs(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("# Notes\n\n## Siren\n\nThe siren sounds at noon.\n")
    _loaded(["anchors", "build"], tmp_path)
    loaded = _loaded(["anchors", "lookup", "siren"], tmp_path)
    assert "hippocampus_cli.anchors.lookup" in loaded
    banned = (
        *HEAVY_BUT_SEARCH,
        "typer",
        "hippocampus_cli.anchors.build",
        "hippocampus_cli.anchors.documents",
        "hippocampus_cli.maintenance",
        "hippocampus_cli.entries",
    )
    assert not {name for name in loaded for one in banned if f"{name}.".startswith(f"{one}.")}


def test_remembering_without_anchors_loads_nothing_of_them(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("# Notes\n")
    loaded = _loaded(["remember", "The siren sounds at noon."], tmp_path)
    assert "hippocampus_cli.anchors.follow_notes" in loaded
    assert "hippocampus_cli.anchors.store" not in loaded


HOOKS = {
    "hook Stop": (*HEAVY, "typer", "dataclasses", "hippocampus_cli.config"),
    "hook SessionStart": (*HEAVY, "typer", "dataclasses", "hippocampus_cli.config"),
    "hook PostToolUse": (*HEAVY, "typer", "hippocampus_cli.context"),
    "hook Nonsense": (*HEAVY, "typer", "dataclasses", "hippocampus_cli.config"),
}


@pytest.mark.parametrize("line", HOOKS)
def test_a_hook_loads_no_more_than_it_needs(line: str, tmp_path: Path) -> None:
    (tmp_path / "HIPPOCAMPUS.md").write_text("# HIPPOCAMPUS.md\n")
    event = {"session_id": "one", "source": "compact", "tool_response": {"stdout": "ok\n" * 99}}
    loaded = _loaded(line.split(), tmp_path, json.dumps(event))
    assert "hippocampus_cli.integrations.hook_dialects" in loaded
    heavy = {
        name for name in loaded for banned in HOOKS[line] if f"{name}.".startswith(f"{banned}.")
    }
    assert not heavy


def test_an_output_that_is_replaced_loads_no_more_than_it_needs(tmp_path: Path) -> None:
    (tmp_path / "HIPPOCAMPUS.md").write_text("# HIPPOCAMPUS.md\n")
    (tmp_path / "one.jsonl").write_text('{"type": "user", "version": "2.1.330"}\n')
    event = {
        "session_id": "one",
        "transcript_path": str(tmp_path / "one.jsonl"),
        "tool_name": "Bash",
        "tool_response": {"stdout": "step\n" * 9_999},
    }
    loaded = _loaded(["hook", "PostToolUse"], tmp_path, json.dumps(event))
    assert "hippocampus_cli.context.lifecycle.context_session" in loaded
    banned = (*HEAVY_BUT_SEARCH, "typer", "hippocampus_cli.api", "hippocampus_cli.search")
    assert not {name for name in loaded for one in banned if f"{name}.".startswith(f"{one}.")}


TURNS = (
    "context begin two",
    "context add notes.md --session one",
    "context turn --session one",
    "context show --session one --json",
)


@pytest.mark.parametrize("line", TURNS)
def test_what_an_agent_waits_for_every_turn_loads_no_more_than_it_needs(
    line: str, tmp_path: Path
) -> None:
    (tmp_path / "MEMORY.md").write_text("# Memory\n")
    (tmp_path / "notes.md").write_text("# Notes\n\nThe siren sounds at noon.\n")
    _loaded(["context", "begin", "one"], tmp_path)
    banned = (
        *HEAVY_BUT_SEARCH,
        "typer",
        "Stemmer",
        *BEHIND_THE_DOOR,
    )
    loaded = _loaded(line.split(), tmp_path)
    assert "hippocampus_cli.context.lifecycle.context_session" in loaded
    assert not {name for name in loaded for one in banned if f"{name}.".startswith(f"{one}.")}


# What is as quick to start as a query, options before the command included; {} is the workspace's folder.
QUICK = {
    "-w {} query siren": "hippocampus_cli.query.ask",
    "--json query siren": "hippocampus_cli.query.ask",
    "show siren": "hippocampus_cli.entries.select",
    "--json show siren": "hippocampus_cli.entries.select",
    "list --limit 3": "hippocampus_cli.entries.select",
    "-w {} list --json": "hippocampus_cli.entries.select",
    "check": "hippocampus_cli.entries.check",
    "remember The siren sounds at noon.": "hippocampus_cli.entries.remember",
    "fetch abc": "hippocampus_cli.context.originals",
    "context begin": "hippocampus_cli.context.lifecycle.context_session",
    "tag siren noon": "hippocampus_cli.entries.tag",
    "status": "hippocampus_cli.entries.status",
    "history": "hippocampus_cli.maintenance.history",
    "daily": "hippocampus_cli.maintenance.upkeep",
    "config": "hippocampus_cli.config",
}
NEVER = ("typer", "rich", "pydantic", "numpy", "watchdog", "mistune", "yaml", "importlib.metadata")
REPORTS = ("hippocampus_cli.report", "hippocampus_cli.entries.forecast")


@pytest.mark.parametrize("line", QUICK)
def test_no_command_in_its_usual_form_loads_typer(line: str, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n\n## Siren\n\nThe siren sounds at noon.\n")
    index = "# HIPPOCAMPUS.md\n\n## Siren\n→ notes.md §Siren\n<!-- hx: id=siren | hits=0 | str=1.0 -->\n"
    (tmp_path / "HIPPOCAMPUS.md").write_text(index)
    loaded = _loaded(line.format(tmp_path).split(), tmp_path)
    assert QUICK[line] in loaded
    banned = (
        *NEVER,
        *(REPORTS if line.split()[0] in ("show", "list", "check", "remember") else ()),
    )
    assert not {name for name in loaded for one in banned if f"{name}.".startswith(f"{one}.")}
