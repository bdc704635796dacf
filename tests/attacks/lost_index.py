"""The index emptied, cut off, deleted, replaced by an older copy, or full of a merge's markers: each followed by
every command, and then brought back."""

from __future__ import annotations

import itertools
import json
import random
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.attacks import Outcome, Registered, Subject

MASTER = "HIPPOCAMPUS.md"
ENTRIES = 14
_ID = re.compile(r"<!--\s*hx:\s*id=([^|\s]+)")
_MARKERS = ("<<<<<<< HEAD\n", "||||||| base\n", "=======\n", ">>>>>>> other\n")
COMMANDS: Sequence[Sequence[str]] = (
    ("query", "words", "of", "e3"),
    ("maintain", "--daily"),
    ("maintain", "--weekly", "--force"),
    ("bootstrap",),
    ("add", "Another one", "--to", "e1.md"),
    ("remember", "said meanwhile"),
    ("tag", "e2", "--pri", "amygdala"),
    ("tag", "e2", "x"),
    ("undo",),
    ("check", "--fix"),
)
BETWEEN: Sequence[Sequence[str]] = (
    ("query", "words", "of", "e3"),
    ("add", "Made since", "--to", "e1.md"),
    ("tag", "e2", "since"),
)
_RUN = """
import contextlib, io, json, sys
from hippocampus_cli.cli.main import main
done = []
for words in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(words)
        except SystemExit as ended:
            code = ended.code
    done.append([code, out.getvalue(), err.getvalue()])
sys.stdout.write(json.dumps(done))
"""


class Done(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str


def run(subject: Subject, folder: Path, *commands: Sequence[str]) -> list[Done]:
    """Commands one after the other, in one process: each reads everything anew all the same."""
    ended = subject.python("-c", _RUN, json.dumps([list(one) for one in commands]), cwd=folder)
    assert ended.returncode == 0, ended.stderr[-300:]
    return [Done(*one) for one in json.loads(ended.stdout)]


def workspace(subject: Subject, folder: Path) -> None:
    """Notes, a topic file, an archive, a cycle, and an entry added since; in steps of their own."""
    folder.mkdir()
    (folder / "MEMORY.md").write_text("# Memory\n\nWhat is to be kept in mind stands here.\n")
    for number in range(ENTRIES):
        words = f"The words of e{number} are these, and enough of them to be found."
        (folder / f"e{number}.md").write_text(f"# e{number}\n\n{words}\n")
    run(subject, folder, ["bootstrap"])
    shutil.copy(folder / MASTER, folder.with_suffix(".older"))
    topics, archive = folder / ".hippocampus/topics", folder / ".hippocampus/archive"
    for place, key in ((topics / "more.md", "in-topic"), (archive / "2026-01.md", "in-archive")):
        place.parent.mkdir(parents=True, exist_ok=True)
        away = " | archived=2026-01-02 | why=silent" if key == "in-archive" else ""
        place.write_text(
            f"# More\n\n## {key}\nAbout {key}.\n→ e1.md\n<!-- hx: id={key} | created=2026-01-01 |"
            f" accessed=2026-01-01 | hits=1 | str=0.90 | base=0.90{away} -->\n",
            encoding="utf-8",
        )
    added = [["add", f"Added {number}", "--to", f"e{number}.md"] for number in range(6)]
    last = ["add", "Added last", "--to", "e1.md"]
    done = run(subject, folder, *added, ["maintain", "--daily"], last)
    assert not any(one.code for one in done), done


def ids(folder: Path) -> set[str]:
    """The ids in all files of the index."""
    found = [folder / MASTER, *folder.glob(".hippocampus/topics/*.md")]
    found += folder.glob(".hippocampus/archive/*.md")
    texts = (one.read_text(encoding="utf-8", errors="replace") for one in found if one.exists())
    return {key for text in texts for key in _ID.findall(text)}


def emptied(folder: Path, dice: random.Random) -> None:
    (folder / MASTER).write_bytes(dice.choice((b"", b"\n", b"# HIPPOCAMPUS.md\n")))


def cut_off(folder: Path, dice: random.Random) -> None:
    data = (folder / MASTER).read_bytes()
    (folder / MASTER).write_bytes(data[: len(data) * dice.randint(1, 5) // 10])


def deleted(folder: Path, dice: random.Random) -> None:
    (folder / MASTER).unlink()


def an_older_copy(folder: Path, dice: random.Random) -> None:
    shutil.copy(folder.with_suffix(".older"), folder / MASTER)


LOSSES: Sequence[Callable[[Path, random.Random], None]] = (emptied, cut_off, deleted, an_older_copy)


def lost_index(subject: Subject, folder: Path, tries: int) -> Outcome:
    """Each try loses the index in one way, runs some commands, and restores; wrong is an entry that is gone for good,
    a loss that ``check`` does not name, or a write that made it permanent."""
    dice, wrong, notes = random.Random(7), 0, []
    whole = folder / "whole"
    workspace(subject, whole)
    for number in range(tries):
        place = folder / f"try-{number}"
        shutil.copytree(whole, place)
        shutil.copy(whole.with_suffix(".older"), place.with_suffix(".older"))
        known = ids(place)
        lose = LOSSES[number % len(LOSSES)]
        lose(place, dice)
        commands = dice.sample(list(COMMANDS), min(len(COMMANDS), 2 + tries // 10))
        fault = _after_a_loss(subject, place, known, commands)
        if fault:
            wrong += 1
            notes.append(f"{lose.__name__}: {fault}")
        shutil.rmtree(place)
    return Outcome(tries, wrong, "; ".join(sorted(set(notes))[:3]))


def _after_a_loss(
    subject: Subject, place: Path, known: set[str], commands: Sequence[Sequence[str]]
) -> str:
    file = place / MASTER
    left = file.read_bytes() if file.exists() else None
    checked, *_ = run(subject, place, ["check"], *commands)
    if checked.code == 0:
        return "check says that all is well"
    if (file.read_bytes() if file.exists() else None) != left:
        return "a write made it permanent"
    restored, after = run(subject, place, ["restore", "--index"], ["maintain", "--daily"])
    if restored.code != 0:
        return "there is no way back"
    lost = known - ids(place)
    if lost:
        return f"{len(lost)} entries did not come back"
    return f"upkeep ends with {after.code}" if after.code else ""


def undone_mending(subject: Subject, folder: Path, tries: int) -> Outcome:
    """Each try loses the index, brings it back, works on, and takes the bringing back back; wrong is an entry that is
    then neither in the index nor in its archive, or upkeep that no longer runs."""
    dice, wrong, notes = random.Random(17), 0, []
    whole = folder / "whole"
    workspace(subject, whole)
    for number in range(tries):
        place = folder / f"try-{number}"
        shutil.copytree(whole, place)
        shutil.copy(whole.with_suffix(".older"), place.with_suffix(".older"))
        lose = LOSSES[number % len(LOSSES)]
        lose(place, dice)
        mend = ["restore", "--index"]
        fault = _after_an_undo(subject, place, mend, dice.sample(list(BETWEEN), dice.randint(0, 2)))
        if fault:
            wrong += 1
            notes.append(f"{lose.__name__}, {mend[0]}: {fault}")
        shutil.rmtree(place)
    return Outcome(tries, wrong, "; ".join(sorted(set(notes))[:3]))


def _after_an_undo(
    subject: Subject, place: Path, mend: Sequence[str], between: Sequence[Sequence[str]]
) -> str:
    run(subject, place, mend, *between)
    known = ids(place)
    undone, cycle = run(subject, place, ["undo"], ["maintain", "--daily"])
    if undone.code or cycle.code:
        return f"undo ends with {undone.code}, upkeep with {cycle.code}"
    lost = known - ids(place)
    return f"{len(lost)} entries are gone" if lost else ""


def merge_markers(subject: Subject, folder: Path, tries: int) -> Outcome:
    """Each try puts a merge's markers somewhere into a file of the index and runs one command: nothing is written but
    a note or a log, it ends with code 5 or a notice, and ``check`` names every line."""
    dice, wrong, notes = random.Random(11), 0, []
    whole = folder / "whole"
    workspace(subject, whole)
    files = [MASTER, ".hippocampus/topics/more.md"]
    for number, words in zip(range(tries), itertools.cycle(COMMANDS), strict=False):
        place = folder / f"try-{number}"
        shutil.copytree(whole, place)
        file = place / files[number % len(files)]
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        at = dice.randrange(len(lines) + 1)
        with_base = _MARKERS if dice.random() < 0.5 else (_MARKERS[0], *_MARKERS[2:])
        file.write_text("".join((*lines[:at], *with_base, *lines[at:])), encoding="utf-8")
        fault = _after_a_merge(subject, place, file, words, at + 1)
        if fault:
            wrong += 1
            notes.append(f"{words[0]}: {fault}")
        shutil.rmtree(place)
    return Outcome(tries, wrong, "; ".join(sorted(set(notes))[:3]))


def _after_a_merge(
    subject: Subject, place: Path, file: Path, words: Sequence[str], line: int
) -> str:
    shown = file.relative_to(place).as_posix()
    text = file.read_bytes()
    done, checked = run(subject, place, words, ["check"])
    if file.read_bytes() != text:
        return "wrote to the file"
    if words[0] in ("query", "remember"):
        if done.code not in (0, 1) or "merge" not in done.err:
            return f"code {done.code}, {done.err[:60]!r}"
    elif done.code != 5 or f"{shown}:{line}" not in done.err:
        return f"code {done.code}, {done.err[:60]!r}"
    named = f"{shown}:{line}: merge-conflict" in checked.out
    return "" if checked.code == 1 and named else "check does not name the line"


def rotten_snapshot(subject: Subject, folder: Path, tries: int) -> Outcome:
    """Each try flips a bit of the newest snapshot, empties the index and restores: every entry of an older one comes
    back, and nothing is ever taken from one that is damaged."""
    dice, wrong = random.Random(13), 0
    whole = folder / "whole"
    workspace(subject, whole)
    kept = sorted((whole / ".hippocampus/snapshots").glob("*.zip"))
    known = ids(whole)
    for _ in range(tries):
        (whole / MASTER).write_bytes(b"")
        data = bytearray(kept[-1].read_bytes()) if kept else bytearray(b"-")
        before = bytes(data)
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        if kept:
            kept[-1].write_bytes(data)
        (done,) = run(subject, whole, ["restore", "--index"])
        back = ids(whole)
        wrong += done.code != 0 or len(known - back) > 1 or not back <= known
        if kept:
            kept[-1].write_bytes(before)
    return Outcome(tries, wrong)


ATTACKS = {
    "lost index": Registered(lost_index, 1, 60),
    "undo of a restored index": Registered(undone_mending, 1, 40),
    "merge markers": Registered(merge_markers, 1, 60),
    "rotten snapshot": Registered(rotten_snapshot, 1, 60),
}
