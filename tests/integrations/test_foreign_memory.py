"""Memories of other programs, made up: each becomes notes, without secrets, and nothing here is overwritten."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from hippocampus_cli import open_workspace
from hippocampus_cli.errors import UsageError
from hippocampus_cli.mind.errors import PackageInvalid


def step(role: str, moment: int, *parts: object) -> dict[str, object]:
    own = {"author": {"role": role}, "create_time": moment, "content": {"parts": parts}}
    return {"message": own}


_STEPS = {
    "b": step("assistant", 2, "In May."),
    "a": step("user", 1, "When?", {"x": 1}),
    "root": {"message": None},
}
_CHATS = [{"title": "Boat", "create_time": 1767225600.0, "mapping": _STEPS}, {"title": "Empty"}]
_CLAUDE = [
    {
        "name": "Tea",
        "created_at": "2026-02-03T10:00:00Z",
        "chat_messages": [
            {"sender": "human", "text": "Green?"},
            {"sender": "assistant", "content": [{"type": "text", "text": "Green it is."}]},
        ],
    }
]
_GRAPH = [
    {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["likes tea"]},
    {"type": "relation", "from": "Ada", "to": "Boat", "relationType": "owns"},
]
_MEM0 = {"results": [{"memory": "Ada likes tea", "created_at": "2026-01-02T00:00:00Z"}]}
_FILES = {
    "chatgpt": (
        "c.json",
        json.dumps(_CHATS),
        ["# Boat", "**User:** When?", "**Assistant:** In May."],
    ),
    "claude-ai": (
        "c.json",
        json.dumps(_CLAUDE),
        ["# Tea", "**User:** Green?", "**Assistant:** Green it is."],
    ),
    "mcp-memory": (
        "m.jsonl",
        "\n".join(map(json.dumps, _GRAPH)),
        ["# Ada", "A person.", "- likes tea", "- owns: Boat"],
    ),
    "mem0": ("m.json", json.dumps(_MEM0), ["# Memories", "- 2026-01-02 Ada likes tea"]),
    "markdown": (
        "GEMINI.md",
        "Rules\n## Gemini Added Memories\n- tea\n\n## More\nx\n",
        ["# Memories", "- tea"],
    ),
}
_FOLDERS = {
    "claude-code": ("projects/-me/memory/MEMORY.md", "projects/-me/notes.md", "agents/rev.md"),
    "codex": ("raw_memories.md", "image.png"),
    "obsidian": ("Daily/Tea.md", ".obsidian/workspace.md"),
    "markdown": ("projects/boat/drafts/tea.md", "tea.txt"),
}


@pytest.mark.parametrize("kind", _FILES)
def test_a_file_of_another_program_becomes_notes(kind: str, tmp_path: Path) -> None:
    name, text, lines = _FILES[kind]
    (tmp_path / name).write_text(text, encoding="utf-8")
    root = tmp_path / "here"
    (root / ".hippocampus").mkdir(parents=True)
    with open_workspace(root) as workspace:
        assert workspace.packages.import_file(tmp_path / name, dry_run=True).kind == kind
        assert not (root / "shared-memory").exists()
        done = workspace.packages.import_file(tmp_path / name)
        again = workspace.packages.import_file(tmp_path / name)
    whats = ["new", *["refused"] * (kind == "chatgpt"), "same"]
    assert [part.what for part in (*done.parts, again.parts[0])] == whats
    shown = (root / done.parts[0].path).read_text(encoding="utf-8").splitlines()
    assert [line for line in shown if line] == lines


@pytest.mark.parametrize("kind", _FOLDERS)
def test_of_a_folder_its_memories_come(kind: str, tmp_path: Path) -> None:
    for name in _FOLDERS[kind]:
        (tmp_path / "there" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "there" / name).write_text("tea\n", encoding="utf-8")
    (tmp_path / "there" / "link.md").symlink_to("/etc/hosts")
    (tmp_path / "there" / "none.md").write_text("\n")
    root = tmp_path / "here"
    (root / ".hippocampus").mkdir(parents=True)
    with open_workspace(root) as workspace:
        done = workspace.packages.import_file(tmp_path / "there")
    what = {part.path.removeprefix(f"shared-memory/{kind}/"): part.what for part in done.parts}
    assert what == {_FOLDERS[kind][0]: "new", "link.md": "refused", "none.md": "refused"}


def test_secrets_and_instructions_stay_out_and_an_edit_stays(tmp_path: Path) -> None:
    there, root = tmp_path / "there", tmp_path / "here"
    there.mkdir()
    (root / ".hippocampus").mkdir(parents=True)
    (there / "AGENTS.md").write_text("obey\n", encoding="utf-8")
    (there / "tea.md").write_text("password: hunter2horse\ngreen\n## Gemini Added Memories\nx\n")
    with open_workspace(root) as workspace:
        done = workspace.packages.import_file(there)
        assert {part.path[-9:]: part.what for part in done.parts} == {
            "AGENTS.md": "refused",
            "wn/tea.md": "new",
        }
        note = root / "shared-memory/markdown/tea.md"
        text = note.read_text(encoding="utf-8")
        assert "hunter2" not in text and "green" in text
        note.write_text("mine\n", encoding="utf-8")
        assert "differs" in {part.what for part in workspace.packages.import_file(there).parts}
    assert note.read_text(encoding="utf-8") == "mine\n"


def test_a_zip_of_chats_and_what_is_no_memory(tmp_path: Path) -> None:
    root, file = tmp_path / "here", io.BytesIO()
    (root / ".hippocampus").mkdir(parents=True)
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("conversations.json", json.dumps(_CHATS))
    (tmp_path / "export.zip").write_bytes(file.getvalue())
    with open_workspace(root) as workspace:
        assert workspace.packages.import_file(tmp_path / "export.zip").kind == "chatgpt"
        with pytest.raises(UsageError, match="the workspace itself"):
            workspace.packages.import_file(tmp_path)
        for data in (b"{}", b"PK\3\4", b"[[1]]", b"[" * 100_000, b"\xff"):
            (tmp_path / "x.json").write_bytes(data)
            with pytest.raises(PackageInvalid):
                workspace.packages.import_file(tmp_path / "x.json")
