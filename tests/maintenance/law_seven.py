"""Law 7 as a check of a folder: what was ever in an index is still there, once, and so is a person's prose."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.index.checks import Severity
from hippocampus_cli.index.document import FOLDER, MASTER
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.markdown.lines import decode, encode
from hippocampus_cli.workspace.own_files import SNAPSHOTS

PROSE = re.compile(r"Said by hand, \d+\.")


def entry_bytes(root: Path) -> dict[str, bytes]:
    """The bytes of every file that holds entries, by path."""
    found = [root / MASTER, *root.glob(f"{FOLDER}topics/*.md"), *root.glob(f"{FOLDER}archive/*.md")]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(found)}


def prose_of(root: Path) -> list[str]:
    """The lines of the master that a person wrote, as :data:`PROSE` knows them, in their order."""
    return PROSE.findall(decode((root / MASTER).read_bytes()))


@dataclass
class Ledger:
    """What was seen in an index so far: every id, the most hits of each, the tags given to it, a person's prose."""

    hits: dict[str, int] = field(default_factory=dict)
    prose: list[str] = field(default_factory=list)
    tags: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    cut: bool = False  # an undo took back what mended a file that was cut off

    def check(self, ws: Workspace, now: datetime) -> None:
        """Raises ``AssertionError`` where something is lost, stands twice, or cannot be read; then looks on."""
        index = ws.store.read(archive=True)
        check_files(ws.root)
        self._check_entries(index)
        assert prose_of(ws.root) == self.prose
        check_errors(ws, now, self.cut)

    def _check_entries(self, index: Hierarchy) -> None:
        living, archived = index.entries, index.archived
        found = Counter(one.entry.id for one in (*living, *archived))
        lost = self.hits.keys() - found.keys()
        assert not lost, f"lost: {sorted(lost)}"
        twice = [key for key, count in found.items() if count > 1]
        assert not twice, f"twice: {twice}"
        for one in archived:
            check_archived(index, one.key)
        for one in (*living, *archived):
            key, hits = one.entry.id, one.entry.hits
            assert hits >= self.hits.get(key, 0), f"hits of {key} fell to {hits}"
            self.hits[key] = hits
            assert self.tags[key] <= set(one.entry.tags), f"{key} lost a tag"

    def keep(self, keys: set[str]) -> None:
        """What a person wrote, and took away before anybody has seen it, is not lost."""
        self.hits = {key: count for key, count in self.hits.items() if key in keys}

    def forget_hits(self) -> None:
        """Hits may go down, just now: something is undone, or a person changes them."""
        self.hits = dict.fromkeys(self.hits, 0)


def check_archived(index: Hierarchy, key: str) -> None:
    """What is in the archive says since when and why; what was merged leads to what took it in."""
    values = index.by_key[key].entry.values
    assert "archived" in values and "why" in values, f"{key} is in the archive without a reason"
    if values["why"] == "merged":
        heir = index.find(values["into"])
        assert heir is not None, f"{key} was merged into {values['into']}, which is nowhere"


def check_files(root: Path) -> None:
    """Every file of the index reads back to the byte; no change is half done, nothing lies about.

    But for what was about to be kept beside the snapshots after the change: that goes with their next write
    (``tests/workspace/test_guard.py``).
    """
    for path, data in entry_bytes(root).items():
        assert encode(parse(decode(data)).text) == data, path
    left = [one for one in root.rglob("*.hippo-tmp") if one.parent != root / SNAPSHOTS]
    assert not left, left
    assert not (root / FOLDER / "pending.zip").exists()


def check_errors(ws: Workspace, now: datetime, cut: bool) -> None:
    """No error that ``hippo check`` knows but pointers to notes that are gone, and where a file was ``cut`` off."""
    errors = [one for one in ws.at(now).check().diagnostics if one.severity is Severity.ERROR]
    torn = {one.entry for one in errors if cut and one.code == "unclosed-hx"}
    assert not [one for one in errors if one.code != "missing-file" and one.entry not in torn]
