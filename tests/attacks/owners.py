"""What a file is besides its bytes: its owner, its permissions, its other names."""

from __future__ import annotations

import os
import re
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


def names(subject: Subject, folder: Path, tries: int) -> Outcome:
    """An index and a log with a second name each: whether both names still lead to the same bytes."""
    root, wrong = folder / "ws", 0
    build(root, DAY)
    pairs = [
        (root / "HIPPOCAMPUS.md", root / "copy.txt"),
        (root / f"memory/{DAY}.md", root / "log.txt"),
    ]
    for one, other in pairs:
        one.chmod(0o640)
        os.link(one, other)
    for number in range(tries):
        subject.run(*COMMANDS[number % 6], "-w", str(root), cwd=root)
        wrong += any(
            not one.samefile(other) or one.stat().st_mode & 0o777 != 0o640 for one, other in pairs
        )
    text = pairs[0][1].read_text()
    return Outcome(tries, wrong or int(not re.search(r"hits=[1-9]", text)))


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
    "files with a second name (hard link)": Registered(names, 3, 18),
    "an index made read-only": Registered(read_only, 3, 9),
}
