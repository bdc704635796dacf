"""What a file is besides its bytes: its owner and its permissions."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

from tests.attacks import Outcome, Registered, Subject
from tests.attacks.in_place_saves import build

OTHER = 12345
DAY = f"{date.today()}"
COMMANDS = (
    ("query", "rotate the garden key"),
    ("remember", "The port is 5433."),
    ("maintain", "--daily"),
    ("anchors", "build"),
    ("tag", "deploy", "told"),
    ("maintain", "--weekly"),
    ("maintain", "--monthly"),
    ("report",),
    ("context", "add", "deploy.md", "--session", "one"),
)


def owners(subject: Subject, folder: Path, tries: int) -> Outcome:
    """Root at work in another user's workspace: files there that are root's afterwards."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return Outcome(1, 0, "only root can try it")
    root = folder / "ws"
    build(root, DAY)
    for path in (root, *root.rglob("*")):
        os.chown(path, OTHER, OTHER)
    found: set[str] = set()
    for number in range(tries):
        subject.run(*COMMANDS[number % len(COMMANDS)], "-w", str(root), cwd=root)
        found |= {path.name for path in root.rglob("*") if path.lstat().st_uid != OTHER}
    return Outcome(tries, len(found), " ".join(sorted(found)[:4]))


def read_only(subject: Subject, folder: Path, tries: int) -> Outcome:
    """An index whose owner made it read-only: it stays as it is, and the query is answered."""
    root, wrong = folder / "ws", 0
    build(root, DAY)
    index = root / "HIPPOCAMPUS.md"
    index.chmod(0o444)
    before = index.read_bytes()
    for number in range(tries):
        done = subject.run(*COMMANDS[(0, 2, 4)[number % 3]], "-w", str(root), cwd=root)
        answered = done.returncode == 0 if number % 3 == 0 else "read-only" in done.stderr
        wrong += index.read_bytes() != before or not answered
    return Outcome(tries, wrong)


ATTACKS = {
    "root works in another user's workspace": Registered(owners, 4, 20),
    "an index made read-only": Registered(read_only, 3, 9),
}
