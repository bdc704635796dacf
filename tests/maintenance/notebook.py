"""The notes of an agent that works on: written, grown, moved, renamed, deleted, archived by a defrag."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

PATHS = (
    "TOOLS.md",
    "MEMORY.md",
    "notes/deploy.md",
    "notes/people.md",
    "projects/kelpie/PROJECT.md",
    "memory/2026-07-30.md",
    "memory/2026-07-31.md",
    "memory/2026-08-02.md",
    "research/dunes.md",
)
TITLES = ("Deploy", "Backups", "Ines", "Firmware", "Invoice", "Status", "Deploy steps", "Notes")
BODIES = (
    "make deploy TARGET=prod pushes the release to the production server.",
    "restic runs the backups at four in the morning, to the disk in the cellar.",
    "Ines runs the workshop in Porto and is allergic to hazelnuts.",
    "The watchdog resets buoy seven whenever the firmware hangs.",
    "Kamps sent the invoice for July: 12,500 euros.",
    "23 buoys send their data to bittern every ten minutes.",
)
QUESTIONS = (
    "deploy production release",
    "restic backups morning",
    "Ines hazelnuts",
    "watchdog buoy firmware",
    "invoice Kamps July",
    "buoys bittern data",
)


@dataclass
class Notebook:
    """The notes of a folder. Every change bears the moment it is given."""

    root: Path

    def paths(self) -> list[str]:
        """The notes there are."""
        found = (one.relative_to(self.root).as_posix() for one in self.root.rglob("*.md"))
        return sorted(one for one in found if one != "HIPPOCAMPUS.md" and one[0] != ".")

    def chosen(self, which: int) -> str | None:
        """One of the notes there are."""
        found = self.paths()
        return found[which % len(found)] if found else None

    def write(self, path: str, text: str, now: datetime) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        os.utime(file, (now.timestamp(), now.timestamp()))

    def begin(self, path: str, sections: list[tuple[str, str]], now: datetime) -> None:
        """A note of these sections, in the place of whatever is there."""
        parts = [f"## {title}\n\n{body}\n" for title, body in sections]
        self.write(path, "\n".join([f"# {path.rpartition('/')[2][:-3]}\n", *parts]), now)

    def grow(self, path: str, title: str, body: str, now: datetime) -> None:
        """A section more."""
        text = (self.root / path).read_text(encoding="utf-8")
        self.write(path, f"{text}\n## {title}\n\n{body}\n", now)

    def rename_section(self, path: str, which: int, title: str, now: datetime) -> None:
        lines = (self.root / path).read_text(encoding="utf-8").split("\n")
        heads = [at for at, line in enumerate(lines) if line.startswith("## ")]
        if heads:
            lines[heads[which % len(heads)]] = f"## {title}"
            self.write(path, "\n".join(lines), now)

    def move(self, path: str, to: str) -> None:
        """To another folder or name; its bytes and its time stay."""
        target = self.root / to
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).rename(target)

    def delete(self, path: str) -> None:
        (self.root / path).unlink()

    def defrag(self, now: datetime) -> None:
        """The dailies into their months' archives, as a defrag cycle does, and its log says so."""
        for path in self.paths():
            name = path.removeprefix("memory/")
            if path.startswith("memory/2") and "/" not in name:
                text = (self.root / path).read_text(encoding="utf-8")
                archive = f"memory/archive/{name[:7]}.md"
                there = self.root / archive
                before = there.read_text(encoding="utf-8") if there.exists() else ""
                self.write(archive, f"{before}{text}\n", now)
                self.delete(path)
        log = self.root / "memory/defrag-log.md"
        before = log.read_text(encoding="utf-8") if log.exists() else "# Defrag log\n"
        line = f"\n## {now:%Y-%m-%d %H:%M} Defrag complete\n\nThe dailies are archived.\n"
        self.write("memory/defrag-log.md", before + line, now)
