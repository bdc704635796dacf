"""Branches of a workspace under version control, merged by the real git: no hit, entry, tag or line is lost.

``python -m tests.attacks.branches`` prints *the month of two branches merged*.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

from hippocampus_cli.index.entry import Entry
from hippocampus_cli.index.parse import parse
from hippocampus_cli.markdown.lines import decode
from tests.attacks import ROOT, Outcome, Registered, Subject

BEGIN = datetime(2026, 6, 1, 9, 0, tzinfo=UTC)
SUBJECTS = (
    *("tide tables", "ferry berth", "harbour crane", "pilot boat", "lock gate", "dredger", "buoy"),
    *("customs shed", "grain silo", "fog signal", "mooring fee", "radar mast"),
)
FACTS = ("opens at", "is painted by", "was repaired with", "belongs to", "is measured by")
_WORKER = """
import json, sys
from datetime import datetime
from hippocampus_cli import open_workspace
told = []
with open_workspace(".") as workspace:
    for what, at, text in json.load(sys.stdin):
        now = datetime.fromisoformat(at)
        if what == "query":
            told += [[one.entry, one.change] for one in workspace.at(now).query(text).written]
        elif what == "bootstrap":
            workspace.at(now).bootstrap()
        elif what == "remember":
            workspace.at(now).remember(text)
        else:
            workspace.at(now).upkeep.run(what)
json.dump(told, sys.stdout)
"""
Deed = tuple[str, str, str]


class Repository(NamedTuple):
    """A workspace under version control, the hippo under test, and what must be in the index."""

    subject: Subject
    root: Path
    hits: Counter[str]
    lines: list[str]

    def git(self, *words: str) -> subprocess.CompletedProcess[str]:
        """``git`` with these words, whatever it says."""
        fixed = ("user.name=t", "user.email=t@t", "core.autocrlf=false", "gc.auto=0")
        options = [word for one in fixed for word in ("-c", one)]
        environment = {**self.subject.environment, "GIT_CONFIG_NOSYSTEM": "1", "GIT_EDITOR": "true"}
        return subprocess.run(
            ["git", *options, *words],
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
            errors="surrogateescape",
            check=False,
        )

    def must(self, *words: str) -> str:
        done = self.git(*words)
        assert done.returncode == 0, done.stderr or done.stdout
        return done.stdout

    def work(self, deeds: Sequence[Deed], *, counted: bool = True) -> None:
        """Do these things in the workspace, and note what they must leave behind."""
        done = self.subject.python("-c", _WORKER, cwd=self.root, given=json.dumps(deeds))
        assert done.returncode == 0, done.stderr[-2_000:]
        if counted:
            found = json.loads(done.stdout)
            self.hits.update(entry for entry, change in found if change == "hit")
            self.lines.extend(text for what, _, text in deeds if what == "remember")

    def commit(self, words: str) -> None:
        self.must("add", "-A")
        self.must("commit", "-q", "--allow-empty", "-m", words)

    def text(self, path: str = "HIPPOCAMPUS.md") -> str:
        return decode((self.root / path).read_bytes())


def begun(subject: Subject, root: Path, *, driver: bool = True) -> Repository:
    """A workspace of some notes, indexed, under version control, with the merge driver where there is one."""
    first = _begun(subject.checkout, driver)
    shutil.copytree(Path(first.name, "place"), root, dirs_exist_ok=True)
    repository = Repository(subject, root, Counter(), [])
    repository.hits.update({one.id: one.hits for one in entries(repository)})
    return repository


@cache
def _begun(checkout: Path, driver: bool) -> tempfile.TemporaryDirectory[str]:
    """The first of its kind, which the others are copies of."""
    folder = tempfile.TemporaryDirectory()
    subject, root = Subject(checkout, Path(folder.name)), Path(folder.name, "place")
    root.mkdir()
    for name, (n, fact) in product(SUBJECTS, enumerate(FACTS)):  # a note, and so an entry each
        text = f"# {name.title()} {fact}\n\nThe {name} {fact} {n}.\n"
        (root / f"{name.replace(' ', '-')}-{n}.md").write_text(text, "utf-8")
    (root / "MEMORY.md").write_text("# Memory\n\n## Harbour\n\nAll about the harbour.\n", "utf-8")
    repository = Repository(subject, root, Counter(), [])
    repository.must("init", "-q", "-b", "main")
    for path in root.glob("*.md"):
        os.utime(path, (BEGIN.timestamp() - 86_400 * 9, BEGIN.timestamp() - 86_400 * 9))
    repository.work([("bootstrap", BEGIN.isoformat(), "")])
    if driver:  # an older one has none
        subject.run("install", "git", "--yes", "--workspace", ".", cwd=root)
    repository.commit("begun")
    return folder


def entries(repository: Repository) -> list[Entry]:
    """The living entries and those that faded into the archive."""
    found = [one.entry for one in parse(repository.text()).entries]
    for path in sorted((repository.root / ".hippocampus/topics").glob("*.md")):
        found += [one.entry for one in parse(decode(path.read_bytes())).entries]
    for path in sorted((repository.root / ".hippocampus/archive").glob("*.md")):
        found += [
            one.entry
            for one in parse(decode(path.read_bytes())).entries
            if "into" not in one.entry.values
        ]
    return found


def asked(dice: int, count: int, at: datetime) -> list[Deed]:
    """Questions, most of them about the same things on every branch."""
    questions = (
        f"{SUBJECTS[(dice * 5 + n * n) % len(SUBJECTS)]} {FACTS[(dice + n) % len(FACTS)]}"
        for n in range(count)
    )
    return [
        ("query", (at + timedelta(minutes=n)).isoformat(), one) for n, one in enumerate(questions)
    ]


def said(text: str, at: datetime) -> Deed:
    return ("remember", at.isoformat(), text)


def sides_of(day: int, count: int, what: str, number: int = 2) -> list[list[Deed]]:
    """On each of ``number`` branches ``count`` questions of that day, and a line to remember."""
    at = BEGIN + timedelta(days=day)
    return [
        [*asked(day + side, count, at), said(what.format(side, day), at)] for side in range(number)
    ]


def lost(repository: Repository) -> int:
    """How many hits, lines and entries are not there, or there twice; conflict marks count too."""
    found = entries(repository)
    ids = Counter(one.id for one in found)
    hits = Counter({one.id: one.hits for one in found})
    wrong = sum(abs(hits[key] - count) for key, count in repository.hits.items())
    wrong += sum(count - 1 for count in ids.values())
    logs = "".join(decode(path.read_bytes()) for path in (repository.root / "memory").glob("*.md"))
    wrong += sum(logs.count(line) != 1 for line in repository.lines)
    wrong += hunks(repository)
    return wrong


def hunks(repository: Repository) -> int:
    """The conflicts that are marked in files under version control."""
    texts = repository.root.rglob("*.md")
    return sum(
        decode(one.read_bytes()).count("<<<<<<<") for one in texts if ".git/" not in one.as_posix()
    )


def merged(repository: Repository, branch: str) -> int:
    """Merge a branch; the number of conflicts, which are then resolved by keeping both sides of each."""
    done = repository.git("merge", "-q", "--no-edit", branch)
    return resolved(repository) if done.returncode else 0


def resolved(repository: Repository) -> int:
    count = hunks(repository)
    for path in repository.must("diff", "--name-only", "--diff-filter=U").split():
        text = repository.text(path)
        kept = [
            line
            for line in text.splitlines(keepends=True)
            if not line.startswith(("<<<<<<<", "=======", ">>>>>>>"))
        ]
        (repository.root / path).write_text("".join(kept), "utf-8", newline="\n")
    repository.commit("by hand")
    return count


def parted(repository: Repository, deeds: Iterable[Sequence[Deed]]) -> list[str]:
    """Branches from here, each with its deeds committed; the first one is checked out."""
    names = []
    begin = repository.must("rev-parse", "HEAD").strip()
    for number, mine in enumerate(deeds):
        names.append(f"b{number}")
        repository.must("checkout", "-q", "-B", names[-1], begin)
        repository.work(mine)
        repository.commit(f"branch {number}")
    repository.must("checkout", "-q", names[0])
    return names


def seven_queries(subject: Subject, folder: Path, tries: int) -> Outcome:
    """Seven questions and one *remember* on each of two branches, time and again."""
    repository = begun(subject, folder)
    conflicts = 0
    for n in range(tries):
        names = parted(repository, sides_of(n, 7, "Crew {} of day {} saw a seal."))
        conflicts += merged(repository, names[1])
    return Outcome(tries, lost(repository) + conflicts, f"{conflicts} conflicts")


def daily_cycles(subject: Subject, folder: Path, tries: int) -> Outcome:
    """A daily cycle on each of two branches, after a question or two."""
    repository = begun(subject, folder)
    conflicts = 0
    for n in range(tries):
        at = BEGIN + timedelta(days=7 * n + 1)
        sides = [
            [
                *asked(n + side, 2, at),
                ("daily", (at + timedelta(days=1 + side, hours=1)).isoformat(), ""),
            ]
            for side in (0, 1)
        ]
        names = parted(repository, sides)
        conflicts += merged(repository, names[1])
    return Outcome(tries, lost(repository) + conflicts, f"{conflicts} conflicts")


def other_ways(subject: Subject, folder: Path, tries: int) -> Outcome:
    """A rebase, a stash, a cherry-pick, an octopus and a criss-cross, by turns."""
    repository = begun(subject, folder)
    conflicts = 0
    for n in range(tries):
        sides = sides_of(n, 3, "Watch {} of day {} was calm.", 3)
        conflicts += _WAYS[n % len(_WAYS)](repository, sides)
        repository.commit("done")
    return Outcome(tries, lost(repository) + conflicts, f"{conflicts} conflicts")


def _rebase(repository: Repository, sides: Sequence[Sequence[Deed]]) -> int:
    names = parted(repository, sides[:2])
    repository.work(sides[2])
    repository.commit("a second commit to carry over")
    return repository.git("rebase", "-q", names[1]).returncode


def _stash(repository: Repository, sides: Sequence[Sequence[Deed]]) -> int:
    repository.work(sides[0])
    repository.must("add", "-A")
    repository.must("stash", "-q")
    repository.work(sides[1])
    repository.commit("beside the stash")
    return repository.git("stash", "pop", "-q").returncode


def _cherry_pick(repository: Repository, sides: Sequence[Sequence[Deed]]) -> int:
    names = parted(repository, sides[:2])
    return repository.git("cherry-pick", names[1]).returncode


def _octopus(repository: Repository, sides: Sequence[Sequence[Deed]]) -> int:
    """Git asks no driver in an octopus, and refuses it where two branches changed one file: then one by one."""
    names = parted(repository, sides)
    if repository.git("merge", "-q", "--no-edit", *names[1:]).returncode == 0:
        return 0
    repository.git("reset", "-q", "--merge")
    return sum(merged(repository, name) for name in names[1:])


def _criss_cross(repository: Repository, sides: Sequence[Sequence[Deed]]) -> int:
    """Each branch takes in the other's first commit, and both go on before they meet."""
    names = parted(repository, sides[:2])
    first = repository.must("rev-parse", names[0]).strip()
    conflicts = merged(repository, names[1])
    repository.work(sides[2])
    repository.commit("further")
    repository.must("checkout", "-q", names[1])
    conflicts += merged(repository, first)
    _, at, words = sides[2][-1]
    repository.work([("remember", at, words.replace("Watch 2", "The other crew"))])
    repository.commit("further, too")
    return conflicts + merged(repository, names[0])


_WAYS = (_rebase, _stash, _cherry_pick, _octopus, _criss_cross)


def by_line(subject: Subject, folder: Path, tries: int) -> Outcome:
    """Without the driver: conflicts there are, but whoever keeps both sides loses no entry and no line."""
    repository = begun(subject, folder, driver=False)
    conflicts = 0
    for n in range(tries):
        names = parted(repository, sides_of(n, 7, "Shift {} of day {} was long."))
        conflicts += merged(repository, names[1])
    ids = {one.id for one in entries(repository)}
    logs = "".join(decode(path.read_bytes()) for path in (folder / "memory").glob("*.md"))
    wrong = len(repository.hits.keys() - ids) + sum(line not in logs for line in repository.lines)
    return Outcome(tries, wrong, f"{conflicts} conflicts to resolve by hand")


def month(subject: Subject, folder: Path, tries: int) -> Outcome:
    """Two branches that both work every day of ``tries`` days, and are merged each week."""
    return Outcome(tries, *_month(subject, folder, tries, show=lambda line: None))


def _month(subject: Subject, folder: Path, days: int, show) -> tuple[int, str]:  # type: ignore[no-untyped-def]
    repository = begun(subject, folder)
    conflicts = 0
    for name in ("desk", "boat"):
        repository.must("branch", name)
    for day in range(1, days + 1):
        at = BEGIN + timedelta(days=day)
        for side, name in enumerate(("desk", "boat")):
            repository.must("checkout", "-q", name)
            cycle = "weekly" if day % 7 == 0 else "daily"
            repository.work(
                [
                    (cycle, at.replace(hour=2, minute=30).isoformat(), ""),
                    *asked(day + side, 3, at),
                    said(
                        f"Log of {name}, day {day}: wind from the {('north', 'south', 'west')[day % 3]}.",
                        at,
                    ),
                ]
            )
            repository.commit(f"{name}, day {day}")
        if day % 7 == 0 or day == days:
            found = merged(repository, "desk")
            conflicts += found
            repository.must("branch", "-f", "desk", "boat")
            total = sum(one.hits for one in entries(repository))
            show(
                f"day {day:>2}: merged; {len(entries(repository))} entries, {total} hits of"
                f" {sum(repository.hits.values())}, {len(repository.lines)} lines remembered,"
                f" {found} conflicts, {lost(repository)} lost"
            )
    return lost(repository) + conflicts, f"{conflicts} conflicts"


ATTACKS = {
    "branches with seven queries each": Registered(seven_queries, 1, 30),
    "branches with a daily cycle each": Registered(daily_cycles, 1, 30),
    "branches by rebase, stash, cherry-pick, octopus, criss-cross": Registered(other_ways, 1, 30),
    "branches without the driver": Registered(by_line, 1, 5),
    "the month of two branches": Registered(month, 2, 30),
}

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        home, work = Path(place, "home"), Path(place, "work")
        home.mkdir()
        work.mkdir()
        _month(Subject(ROOT, home), work, int(sys.argv[1]) if sys.argv[1:] else 30, show=print)
