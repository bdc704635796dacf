"""Where a path leads with its links resolved."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hippocampus_cli.workspace.paths import real_path


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
    leads = {"": "", "a/b/c.md": "a/b/c.md", "inside/b/d.md": "a/b/c.md", "a/up/a/b": "a/b"}
    for path, real in {**leads, "gone/x": "gone/x", "loop/x": "loop/x"}.items():
        assert real_path(str(base), path) == real
    for path in ("out", "out/etc", "a/up/out"):
        assert real_path(str(base), path) is None
    assert real_path(str(base / "inside"), "up/b") is None
    assert real_path(str(base / "inside"), "b/d.md") == "b/c.md"
    assert real_path("/", "etc") == os.path.realpath("/etc")[1:]
