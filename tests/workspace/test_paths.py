"""Paths made safe: the quick look at what has no links says what resolving them says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hippocampus_cli.workspace.paths import real_file, real_path, real_root


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_a_path_leads_where_resolving_its_links_leads(tmp_path: Path) -> None:
    base = tmp_path.resolve() / "ws"
    (base / "a/b").mkdir(parents=True)
    (base / "a/b/c.md").write_text("text")
    (base / "inside").symlink_to("a")
    (base / "a/up").symlink_to("..")
    (base / "a/b/d.md").symlink_to("c.md")
    (base / "loop").symlink_to("loop")
    (base / "out").symlink_to("/")
    inside = ("", "a", "a/b/c.md", "inside/b/d.md", "a/up/a/b", "a/b/gone.md", "gone/x", "loop/x")
    for path in (*inside, "a/b/c.md/x", "out/etc"):
        real = os.path.realpath(base / path)
        assert real_file(str(base), path) == (real if path in inside or "c.md" in path else None)
    assert real_path(str(base / "inside"), "up/b") is None
    assert real_path(str(base / "inside"), "b/d.md") == "b/c.md"


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_a_root_is_resolved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = str(tmp_path.resolve() / "ws")
    Path(real).mkdir()
    (tmp_path / "link").symlink_to("ws")
    monkeypatch.chdir(tmp_path)
    for root in (real, f"{real}/", f"{real}/../link", f"{tmp_path}/link", f"{real}/.", "ws", "."):
        assert real_root(root) == os.path.realpath(root)
    assert real_root("/") == "/"
    assert real_file("/", "etc") == os.path.realpath("/etc")
