"""Editors that save in place, with a pause between emptying a file and writing it, while hippo works on it."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.attacks import Outcome, Registered, Subject
from tests.support.editor import save_in_place

TOPICS = ("Deploy", "Database", "Garden", "Invoices")
TODAY = "2026-07-20"
WORK = """
import json, sys, threading
from datetime import datetime, timedelta
from pathlib import Path
from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config.settings import Config
from hippocampus_cli.errors import HippoError

THINGS = "anvil birch cedar drum ember flute grain harp ivory jade kiln lemon maple nickel oboe pearl quartz".split()
root, jobs = Path(sys.argv[1]), sys.argv[2].split(",")
now = datetime.fromisoformat("2026-07-20T09:00:00+00:00")
said, hits, number, refused = [], 0, 0, []

def thing(number):
    return " ".join(THINGS[number // 17**k % 17] for k in range(3)) + f" {number}"

def work(ws, job):
    global hits
    if job == "query":
        found = ws.at(now).query("rotate the deploy key")
        hits += sum(one.change == "hit" and one.entry == "deploy" for one in found.written)
    elif job == "daily":
        ws.at(now).upkeep.run("daily")
    else:
        given = {"tags": ["told"], "pri": "low"} if job == "tagged" else {}
        ws.at(now).remember(thing(number), **given)
        said.append(number)

ended = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
print("ready", flush=True)
while not ended.wait(0.002):
    number += 1
    now += timedelta(seconds=1)
    with Workspace(root, Config()) as ws:
        try:
            work(ws, jobs[number % len(jobs)])
        except HippoError as error:
            refused.append(error.message)
with Workspace(root, Config()) as ws:
    ws.at(now + timedelta(seconds=1)).upkeep.run("daily", force=True)
    index = ws.index()
log = (root / "memory/2026-07-20.md").read_text(encoding="utf-8")
bare = [n for n in said if not any(
    one.entry.pri == "low" and "told" in one.entry.tags and thing(n) in one.entry.topic + one.entry.summary
    for one in index.entries
)]
lost = [n for n in said if thing(n) not in log]
print(json.dumps({
    "said": len(said), "lost": len(lost), "bare": len(bare), "refused": refused,
    "hits": hits, "stands": index.by_key["deploy"].entry.hits,
}))
"""
Report = dict[str, Any]
Save = Callable[[Path, Callable[[str], str], float], None]


def build(root: Path, day: str = TODAY) -> None:
    """A workspace with an index of four entries and today's log."""
    (root / "memory").mkdir(parents=True)
    index = "# HIPPOCAMPUS.md\n\nMine.\n\n## By Topic\n"
    for topic in TOPICS:
        name = topic.lower()
        (root / f"{name}.md").write_text(f"# {topic}\n\nHow to rotate the {name} key each month.\n")
        index += (
            f"\n### {topic}\nHow to rotate the {name} key.\n→ {name}.md\n"
            f"<!-- hx: id={name} | created={TODAY} | accessed={TODAY} | hits=0 | str=1.00 | src=manual -->\n"
        )
    (root / "HIPPOCAMPUS.md").write_text(index)
    (root / f"memory/{day}.md").write_text(f"# {day}\n\n## 08:00 Begun\n\nThe day began.\n")


def truncate(path: Path, change: Callable[[str], str], gap: float) -> None:
    """Read, empty, write: what a shell's ``>`` and most editors do. It knows nothing of what came after it read."""
    text = path.read_text(encoding="utf-8")
    with path.open("w", encoding="utf-8", newline="") as file:
        time.sleep(gap)
        file.write(change(text))


def rename(path: Path, change: Callable[[str], str], gap: float) -> None:
    """Write beside and rename over."""
    beside = path.with_name(f".{path.name}.swp")
    text = path.read_text(encoding="utf-8")
    beside.write_text(change(text), encoding="utf-8")
    time.sleep(gap)
    beside.replace(path)


@contextmanager
def working(subject: Subject, root: Path, jobs: str) -> Iterator[list[Report]]:
    """hippo at work on ``root`` meanwhile: what it says at its end is appended to the list."""
    import json

    process = subprocess.Popen(
        [sys.executable, "-c", WORK, str(root), jobs],
        cwd=root,
        env=subject.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    told: list[Report] = []
    try:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        yield told
    finally:
        out, complaints = process.communicate(timeout=120)
    assert process.returncode == 0, complaints[-2_000:]
    told.append(json.loads(out))


def commands(subject: Subject, root: Path, enough: threading.Event) -> None:
    """Plain commands in processes of their own, beside."""
    for number in range(10_000):
        words = ("query", "rotate the garden key") if number % 3 else ("maintain", "--daily")
        subject.run(*words, "-w", str(root), cwd=root)
        if enough.wait(0.05):
            return


def saved(subject: Subject, root: Path, name: str, save: Save, gap: float, tries: int) -> int:
    """How many of so many saves are not in the file at the end, or memories where the editor is not blind."""
    build(root)
    path, enough = root / name, threading.Event()
    beside = threading.Thread(target=commands, args=(subject, root, enough))
    jobs = "query,query,daily" if name == "HIPPOCAMPUS.md" else "remember,remember,query,daily"
    with working(subject, root, jobs) as told:
        beside.start()
        for number in range(tries):
            save(path, lambda text, n=number: with_line(text, n), gap)  # type: ignore[misc]
            time.sleep(0.004 + gap / 10)
        enough.set()
        beside.join()
    text = path.read_text(encoding="utf-8")
    lost = sum(f"Said by hand, {number}." not in text for number in range(tries))
    return lost + (told[0]["lost"] if save is save_in_place else 0)


def with_line(text: str, number: int) -> str:
    """A line more below the title, which no entry and no section claims."""
    title, _, rest = text.partition("\n")
    return f"{title}\n\nSaid by hand, {number}.\n{rest}"


GAPS = (0.0, 0.005, 0.05, 0.5)
WAYS: tuple[Save, ...] = (truncate, save_in_place)


def saves_of(name: str) -> Callable[[Subject, Path, int], Outcome]:
    """The attack on one file: as many saves at each gap, one half by each way."""

    def attack(subject: Subject, folder: Path, tries: int) -> Outcome:
        counts = {}
        gaps = GAPS if tries >= 40 else GAPS[2:3]
        for gap in gaps:
            each = max(1, tries // len(gaps) // len(WAYS))
            counts[gap] = sum(
                saved(subject, folder / f"{number}-{gap}", name, way, gap, each)
                for number, way in enumerate(WAYS)
            )
        done = max(1, tries // len(gaps) // len(WAYS)) * len(WAYS) * len(gaps)
        note = ", ".join(f"{1000 * gap:g} ms: {count}" for gap, count in counts.items() if count)
        return Outcome(done, sum(counts.values()), note)

    return attack


def renames(subject: Subject, folder: Path, tries: int) -> Outcome:
    """An editor that writes beside and renames over the index, at any moment."""
    return Outcome(tries, saved(subject, folder / "ws", "HIPPOCAMPUS.md", rename, 0.0, tries))


def blind(subject: Subject, folder: Path, tries: int) -> Outcome:
    """An editor saves what it read a while ago: hits that are not in the index after the next cycle."""
    build(root := folder / "ws")
    path = root / "HIPPOCAMPUS.md"
    with working(subject, root, "query") as told:
        for number in range(tries):
            text = path.read_text(encoding="utf-8")
            time.sleep(0.05)
            truncate(path, lambda _, t=text, n=number: with_line(t, n), 0.005)  # type: ignore[misc]
            time.sleep(0.02)
    hits, stands = told[0]["hits"], told[0]["stands"]
    return Outcome(hits, abs(hits - stands), f"{tries} saves")


def kept_open(subject: Subject, folder: Path, tries: int) -> Outcome:
    """A reader that never closes the index and today's log: what hippo refuses then, or loses."""
    build(root := folder / "ws")
    index, log = root / "HIPPOCAMPUS.md", root / f"memory/{TODAY}.md"
    with (
        index.open() as one,
        log.open() as other,
        working(subject, root, "query,remember,daily") as told,
    ):
        time.sleep(0.3 * tries)
        assert one.read() and other.read()
    (report,) = told
    return Outcome(
        tries, len(report["refused"]) + report["lost"] + report["hits"] - report["stands"]
    )


def beside_a_cycle(subject: Subject, folder: Path, tries: int) -> Outcome:
    """Memories with a tag and a priority while cycles run: those whose entry has not both."""
    build(root := folder / "ws")
    with working(subject, root, "tagged") as told, working(subject, root, "daily"):
        time.sleep(0.1 * tries)
    return Outcome(told[0]["said"], told[0]["bare"])


ATTACKS = {
    "editor saves the index in place": Registered(saves_of("HIPPOCAMPUS.md"), 2, 200),
    "editor saves today's log in place": Registered(saves_of(f"memory/{TODAY}.md"), 2, 200),
    "editor renames over the index": Registered(renames, 5, 500),
    "hits beside a blind editor": Registered(blind, 4, 200),
    "a reader keeps index and log open": Registered(kept_open, 2, 60),
    "remember --pri --tag beside a cycle": Registered(beside_a_cycle, 3, 200),
}
