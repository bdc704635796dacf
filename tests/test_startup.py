"""What a start must not import: every query waits for it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEAVY = (
    *("rich", "pydantic", "mistune", "frontmatter", "yaml", "watchdog", "rapidfuzz", "fasteners"),
    *("pathspec", "logging", "asyncio", "importlib.metadata", "unittest", "email", "numpy"),
)
ALONE = (*HEAVY, "sqlite3")  # for what needs no database either
QUICK = (*HEAVY, "typer")
QUERY = (*QUICK, "ctypes", "dataclasses", "hashlib", "hippocampus_cli.cli.help")
# What the door opens only for those who ask for it.
BEHIND_THE_DOOR = tuple(
    f"hippocampus_cli.{name}"
    for name in (
        *("api.types", "api.anchors", "integrations.agents", "anchors", "entries"),
        *("maintenance", "query", "search", "watch", "workspace.store"),
    )
)
PARTS = tuple(f"hippocampus_cli.api.{name}" for name in ("opened", "types", "workspace"))
HOOK = (*ALONE, "typer", "dataclasses", "hippocampus_cli.config")
TURN = (*QUICK, "Stemmer", *BEHIND_THE_DOOR)
# A command line, the modules that must not be loaded when it has run, and one that must ({}: the workspace's folder).
STARTS: dict[str, tuple[Sequence[str], str]] = {
    "--version": ((*ALONE, "typer", "dataclasses", "typing", "json", "hippocampus_cli.errors"), ""),
    "--help": ((*ALONE, "json", "tomllib", "hippocampus_cli.config.positions"), ""),
    "config": ((*ALONE, "tomllib", "hippocampus_cli.cli.commands.status"), "config"),
    "remember --help": ((*ALONE, *PARTS, "hippocampus_cli.entries"), ""),
    "report --help": ((*ALONE, *PARTS, "hippocampus_cli.report", "jinja2"), ""),
    "context add --help": ((*ALONE, *PARTS, "hippocampus_cli.context"), ""),
    "embed --list": ((*ALONE, "urllib.request", "hippocampus_cli.embedding.http_client"), ""),
    "query the siren --no-write": ((*QUERY, "json"), "query.ask"),
    "query the siren": (
        (*QUERY, "hippocampus_cli.entries", "hippocampus_cli.maintenance"),
        "query.ask",
    ),
    "query the siren --json --explain": ((*QUERY, "hippocampus_cli.entries"), "query.ask"),
    "-w {} query siren": (QUICK, "query.ask"),
    "--json show siren": ((*QUICK, "hippocampus_cli.report"), "entries.select"),
    "list --limit 3": ((*QUICK, "hippocampus_cli.report"), "entries.select"),
    "check": ((*QUICK, "hippocampus_cli.report"), "entries.check"),
    "remember The siren sounds at noon.": (
        (*QUICK, "hippocampus_cli.anchors", "hippocampus_cli.report"),
        "entries.remember",
    ),
    "tag siren noon": (QUICK, "entries.tag"),
    "status": (QUICK, "entries.status"),
    "history": (QUICK, "maintenance.history"),
    "daily": (QUICK, "maintenance.upkeep"),
    "compact session.jsonl": (
        (*ALONE, "hippocampus_cli.api.workspace", *BEHIND_THE_DOOR),
        "context.compaction.compose",
    ),
    "context add notes.md --session one": (TURN, "context.lifecycle.context_session"),
    "context list --session one --json": (TURN, "context.lifecycle.context_session"),
    "anchors lookup siren": (
        (*QUICK, "hippocampus_cli.anchors.export", "hippocampus_cli.maintenance"),
        "anchors.lookup",
    ),
    "hook Stop": (HOOK, "integrations.hook_dialects"),
    "hook Nonsense": (HOOK, "integrations.hook_dialects"),
    "hook PostToolUse": (
        (*QUICK, "hippocampus_cli.api", "hippocampus_cli.search"),
        "context.lifecycle.context_session",
    ),
}
FIRST = {"context add": "context begin one", "context show": "context begin one"}
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
    for name, text in {
        "notes.md": "# Notes\n\n## Siren\n\nThe siren sounds at noon.\n",
        "HIPPOCAMPUS.md": "# HIPPOCAMPUS.md\n\n## Siren\n→ notes.md §Siren\n"
        "<!-- hx: id=siren | hits=0 | str=1.0 -->\n",
        "session.jsonl": '{"role":"user","content":"Rotate the logs."}\n',
        "one.jsonl": '{"type": "user", "version": "2.1.330"}\n',
    }.items():
        (tmp_path / name).write_text(text)
    event = {
        "session_id": "one",
        "source": "compact",
        "transcript_path": str(tmp_path / "one.jsonl"),
        "tool_name": "Bash",
        "tool_response": {"stdout": "step\n" * 9_999},
    }
    for before in (FIRST[words] for words in FIRST if line.startswith(words)):
        _loaded(before.split(), tmp_path)
    loaded = _loaded(line.format(tmp_path).split(), tmp_path, json.dumps(event))
    banned, needed = STARTS[line]
    assert not {name for name in loaded for one in banned if f"{name}.".startswith(f"{one}.")}
    assert not needed or f"hippocampus_cli.{needed}" in loaded


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
