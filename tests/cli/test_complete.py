from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hippocampus_cli.cli.complete import completion

entry_ids, tags = completion("entry_ids"), completion("tags")

INDEX = """\
# HIPPOCAMPUS.md
## Acme API \x1b[2J
→ TOOLS.md §Vercel
<!-- hx: id=acme-deploy | created=2026-01-10
| tags=deploy, vercel,acme | rel=railway -->
## No comment
## Railway services ##
<!-- hx: tags=deploy|id=railway -->
<!-- not an entry: id=no | tags=never -->
<!-- hx: never closed | id=lost
"""


def context(workspace: Path | None) -> Any:
    made = SimpleNamespace(params={"workspace": workspace})
    made.find_root = lambda: SimpleNamespace(params={})
    return made


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "HIPPOCAMPUS.md").write_text(INDEX, encoding="utf-8")
    return tmp_path


def test_ids_come_with_their_headings(workspace: Path) -> None:
    assert entry_ids(context(workspace), "") == [
        ("acme-deploy", "Acme API ␛[2J"),
        ("railway", "Railway services"),
    ]
    assert entry_ids(context(workspace), "r") == [("railway", "Railway services")]


def test_the_most_used_tag_comes_first(workspace: Path) -> None:
    assert [tag for tag, _ in tags(context(workspace), "")] == ["deploy", "acme", "vercel"]
    assert tags(context(workspace), "v") == [("vercel", "1 entries")]


def test_nothing_is_ever_raised(tmp_path: Path) -> None:
    assert entry_ids(context(tmp_path / "missing"), "") == []
    assert tags(context(tmp_path), "") == []
    (tmp_path / "HIPPOCAMPUS.md").mkdir()
    assert entry_ids(context(tmp_path), "") == []
    assert entry_ids(None, "") == []  # type: ignore[arg-type]


def test_bytes_that_are_not_utf8_do_not_matter(tmp_path: Path) -> None:
    (tmp_path / "HIPPOCAMPUS.md").write_bytes(b"## \xff\r\n<!-- hx: id=a\xfe | tags=b -->\r\n")
    assert tags(context(tmp_path), "") == [("b", "1 entries")]
    assert entry_ids(context(tmp_path), "a") == [("a%FE", "%FF")]
