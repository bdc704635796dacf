"""Law 7: nothing that people, agents, upkeep, crashes and full disks do in any order ever loses an entry."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config.settings import Bands, Config, Decay, Index, Lock, Upkeep
from hippocampus_cli.entries.kept import saying
from hippocampus_cli.errors import (
    BeingWritten,
    EntryExists,
    FileUnwritable,
    IndexGone,
    IndexNotFound,
    IndexRefused,
    IndexShrunk,
    LossRefused,
    MemoryKept,
    NoSnapshot,
    NothingToUndo,
)
from hippocampus_cli.index.archive import is_queued
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.entry import Form
from hippocampus_cli.maintenance.history import RESTORE, Record, files_of
from hippocampus_cli.workspace import store
from hippocampus_cli.workspace.commit import holds_entries
from hippocampus_cli.workspace.lock import locked
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.own_files import PENDING, WAITING
from hippocampus_cli.workspace.snapshots import newest, opened
from tests.maintenance import handwork
from tests.maintenance.law_seven import Ledger, entry_bytes, prose_of
from tests.maintenance.notebook import BODIES, PATHS, QUESTIONS, TITLES, Notebook
from tests.support.failing import KILLS, Fault, Killed, failing
from tests.support.upkept import NOW

CYCLES = st.sampled_from(("daily", "weekly", "monthly", "replay", "sync"))
AS_BYTES: Any = {"encoding": "utf-8", "errors": "surrogateescape"}  # a file is cut off anywhere
WHICH = st.integers(0, 40)
SECTIONS = st.lists(
    st.tuples(st.sampled_from(TITLES), st.sampled_from(BODIES)), min_size=1, max_size=4
)
HOURS = st.sampled_from((0, 1, 20, 26, 24 * 4, 24 * 8, 24 * 35, 24 * 500))
FOLDERS = ("old", "notes", "projects/new")
VALUES = {
    "hits": "9",
    "str": "0.07",
    "base": "0.2",
    "accessed": "2026-07-01",
    "pri": "low",
    "src": "manual",
}
FORGETFUL = Decay(forgetting=0.9)
HURRIED = Lock(timeout_seconds=0.0)
CONFIGS = {
    "forgetful": Config(decay=FORGETFUL, lock=HURRIED),
    "keen": Config(
        bands=Bands(strong=0.55, prune=0.001),
        upkeep=Upkeep(loss_limit=1.0, history=3),
        lock=HURRIED,
    ),
    "small": Config(decay=FORGETFUL, index=Index(max_tokens=900, sharded_tokens=700), lock=HURRIED),
}
"""Silent after five days, to be pruned after eleven; soon consolidated, and archived for its silence; in need of
topic files."""


class Lives(RuleBasedStateMachine):
    """One workspace and all that happens to it. Each rule takes a minute."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.no_wait = patch.object(store, "_GLANCE", 0.0)
        self.no_wait.start()
        self.root = Path(self.folder.name)
        self.notes = Notebook(self.root)
        self.ledger = Ledger()
        self.now = NOW
        self.count = 0
        self.failed = False

    def teardown(self) -> None:
        self.ws.close()
        self.no_wait.stop()
        self.folder.cleanup()

    @initialize(config=st.sampled_from(list(CONFIGS)), sections=SECTIONS)
    def begin(self, config: str, sections: list[tuple[str, str]]) -> None:
        for path in PATHS[:5]:
            self.notes.begin(path, sections[: 1 + len(path) % 3], NOW - timedelta(days=30))
        self.config = CONFIGS["forgetful"]
        self.open()
        self.ws.at(self.now).bootstrap()
        self.ws.close()
        self.config = CONFIGS[config]
        self.open()

    def open(self) -> None:
        self.ws = Workspace(self.root, self.config)

    @invariant()
    def law_seven_holds(self) -> None:
        self.ledger.check(self.ws, self.now)
        self.now += timedelta(minutes=1)

    def number(self) -> int:
        self.count += 1
        return self.count

    # upkeep

    @rule(cycle=CYCLES, hours=HOURS, force=st.booleans())
    def upkeep(self, cycle: str, hours: int, force: bool) -> None:
        self.now += timedelta(hours=hours)
        before = entry_bytes(self.root)
        waits = (self.root / WAITING).exists()  # what waits is written before all else
        try:
            done = self.ws.at(self.now).upkeep.run(cycle, force=force)
        except LossRefused:
            assert not force
            assert waits or entry_bytes(self.root) == before
            return
        for kind in {one.kind for one in done.actions}:
            event(f"upkeep: {kind}")
        again = self.ws.at(self.now).upkeep.run(cycle, dry_run=True)
        assert not again.plan.changes and not again.actions, again.actions

    @rule(which=st.one_of(st.none(), WHICH))
    def undo(self, which: int | None) -> None:
        found = self.ws.upkeep.history()
        number = found[which % len(found)].number if which is not None and found else None
        files = {one.number: files_of(self.root, one) or {} for one in found}
        self.ledger.forget_hits()
        torn = [IndexRefused] if self.ledger.cut else []  # what breaks off is never changed
        with suppress(NothingToUndo, *torn):
            undone = self.ws.at(self.now).upkeep.undo(number)
            event(f"undo: exact={undone.exact}, some kept={bool(undone.kept)}")
            if undone.exact and not undone.kept:
                there = entry_bytes(self.root)
                for path, one in files[undone.record.number].items():
                    assert not holds_entries(path) or there.get(path) == one.before
            if self.mended(undone.record, found):  # what was mended stands there again
                self.ledger.prose, self.ledger.cut = prose_of(self.root), True

    @staticmethod
    def mended(record: Record, history: Sequence[Record]) -> bool:
        """Whether an undo, or an undo of one, took back what put the index right."""
        known = {one.number: one for one in history}
        while record.undoes is not None and record.undoes in known:
            record = known[record.undoes]
        return record.cycle == RESTORE

    def ids(self) -> set[str]:
        """The ids of all that lives and rests."""
        index = self.ws.store.read(archive=True)
        return {one.entry.id for one in (*index.entries, *index.archived)}

    @rule(which=WHICH)
    def restore(self, which: int) -> None:
        index = self.ws.store.read(archive=True)
        known = sorted(one.entry.id for one in (*index.entries, *index.archived))
        key = known[which % len(known)]
        (back,) = self.ws.at(self.now).upkeep.restore(key)
        there = self.ws.index().by_key[back.id]
        assert there.entry.form is Form.BULLET or not is_queued(there)

    # agents

    @rule(
        questions=st.lists(st.sampled_from(QUESTIONS), min_size=1, max_size=3),
        how=st.sampled_from(("write", "write", "read", "locked")),
    )
    def ask(self, questions: list[str], how: str) -> None:
        self.now += timedelta(hours=1)  # a sitting of its own
        before = entry_bytes(self.root)
        for question in questions:
            with locked(self.root, 0) if how == "locked" else nullcontext():
                found = self.ws.at(self.now).query(question, write=how != "read")
            index = self.ws.index()
            for one in found.written:
                if one.change == "hit":
                    assert index.by_key[one.entry].entry.hits > self.ledger.hits.get(one.entry, 0)
        assert how == "write" or entry_bytes(self.root) == before

    @rule(title=st.sampled_from(TITLES), body=st.sampled_from(BODIES))
    def remember(self, title: str, body: str) -> None:
        self.ws.at(self.now).remember(body, title=title)

    @rule(
        what=st.sampled_from(("add", "twin", "bootstrap", "adopt", "amygdala", "normal", "tag")),
        which=WHICH,
    )
    def work(self, what: str, which: int) -> None:
        path = self.notes.chosen(which)
        keys = [one.key for one in self.ws.index().entries if one.entry.closed]  # else refused
        if what == "add" and path:
            with suppress(EntryExists):
                self.ws.at(self.now).entries.add(TITLES[which % len(TITLES)], [path])
        elif what == "twin" and keys:
            there = self.ws.index().by_key[keys[which % len(keys)]].entry
            to = [str(pointer) for pointer in there.pointers]
            self.ws.at(self.now).entries.add(
                there.topic, to, id=f"twin-{self.number()}", force=True
            )
        elif what == "bootstrap":
            self.ws.at(self.now).bootstrap()
        elif what == "adopt":
            self.ws.at(self.now).entries.adopt()
        elif what == "tag" and keys:
            key, tag = keys[which % len(keys)], f"told-{self.number() % 3}"
            self.ws.entries.tag(key, add=[tag])
            self.ledger.tags[self.ws.index().by_key[key].entry.id].add(tag)
        elif what in ("amygdala", "normal") and keys:
            self.ws.entries.tag(keys[which % len(keys)], priority=what)

    # a person with an editor

    @rule(what=st.sampled_from(("tag", *handwork.EDITS, *VALUES)), which=WHICH, place=WHICH)
    def edit(self, what: str, which: int, place: int) -> None:
        file, number = self.root / MASTER, self.number()
        old = file.read_text(**AS_BYTES)
        if what in VALUES:
            self.ledger.forget_hits()
            text = handwork.with_value(old, which, what, VALUES[what])
        elif what == "tag":
            key, text = handwork.with_tag(old, which, f"by-hand-{number}")
            self.ledger.tags[key].update({f"by-hand-{number}"} if text else ())
        else:
            text = handwork.EDITS[what](old, which, place, number)
        if text is not None:
            file.write_text(text, **AS_BYTES)
            self.ledger.prose = prose_of(self.root)

    @rule(
        how=st.sampled_from(("emptied", "deleted", "cut off", "an older copy")),
        meanwhile=st.lists(
            st.sampled_from(("daily", "sync", "query", "remember", "bootstrap", "undo")), max_size=3
        ),
        repair=st.booleans(),
        which=WHICH,
    )
    def lose_the_index(self, how: str, meanwhile: list[str], repair: bool, which: int) -> None:
        """Whatever is done with an index that shrank, what it was comes back."""
        file = self.root / MASTER
        # What a person wrote since hippo last wrote, and what was written last and died, nobody has seen.
        known = set(self.ledger.hits) & known_ids(self.root)
        snapshots = self.ws.upkeep.snapshots()
        whole = file.read_bytes()
        if how == "deleted":
            file.unlink()
        elif how == "an older copy" and snapshots:
            file.write_bytes(opened(self.root, snapshots[which % len(snapshots)])[MASTER])
            index = self.ws.store.read(archive=True)
            copies = Counter(one.entry.id for one in (*index.entries, *index.archived))
            if max(copies.values(), default=0) > 1:  # beside later topic files and archives
                file.write_bytes(whole)
                return
        else:
            file.write_bytes(whole[: len(whole) * (which % 5) // 8] if how == "cut off" else b"")
        refused = self.is_refused()
        event(f"lost: {how}, refused={refused}")
        if not (refused or file.exists() or snapshots):
            file.write_bytes(whole)
            return
        left = file.read_bytes() if file.exists() else None
        for what in meanwhile if refused else ():
            self.attempt(what, which)
            assert (file.read_bytes() if file.exists() else None) == left
        self.ledger.forget_hits()  # those of the last hour went with the file
        for path in (*self.ledger.tags,):
            self.ledger.tags[path].clear()
        self.ws.at(self.now).upkeep.restore_index()
        if repair:
            self.ws.at(self.now).upkeep.repair()
        self.ledger.prose = prose_of(self.root)
        there = self.ids()
        assert known <= there
        self.ledger.keep(there | known)

    def is_refused(self) -> bool:
        """Whether upkeep refuses to work on the index as it is."""
        try:
            self.ws.at(self.now).upkeep.run("daily", dry_run=True)
        except (IndexShrunk, IndexGone):
            return True
        except IndexNotFound:  # nothing that lived is gone, or nobody is to look
            return False
        return False

    def attempt(self, what: str, which: int) -> None:
        with suppress(IndexShrunk, IndexGone, NothingToUndo):
            if what == "remember":
                self.ws.at(self.now).remember(f"Said when it was gone, {self.number()}.")
            elif what == "bootstrap":
                self.ws.at(self.now).bootstrap()
            else:
                self.do(what, which)

    @rule(which=WHICH, place=WHICH)
    def merge_badly(self, which: int, place: int) -> None:
        """Markers of a merge stop every write; what a person makes of them is what counts."""
        file = self.root / MASTER
        whole = file.read_text(**AS_BYTES)
        lines = whole.splitlines(keepends=True)
        at = place % (len(lines) + 1)
        conflict = ["<<<<<<< HEAD\n", "=======\n", ">>>>>>> other\n"]
        text = "".join((*lines[:at], *conflict, *lines[at:]))
        file.write_text(text, **AS_BYTES)
        if not [
            one for one in self.ws.at(self.now).check().diagnostics if one.code == "merge-conflict"
        ]:
            event("merge: markers within a code fence")
            file.write_text(whole, **AS_BYTES)
            return
        for what in ("daily", "sync", "undo", "query", "remember", "bootstrap"):
            with suppress(IndexRefused, NothingToUndo):
                self.attempt(what, which)
            assert file.read_text(**AS_BYTES) == text
        file.write_text(whole, **AS_BYTES)

    @rule(
        what=st.sampled_from(("daily", "weekly", "undo", "restore", "query", "remember", "tag")),
        which=WHICH,
        place=WHICH,
    )
    def save_in_place(self, what: str, which: int, place: int) -> None:
        """A program empties the index, and writes it a moment later; all the while others are at work."""
        index, number = self.root / MASTER, self.number()
        text = handwork.with_prose(index.read_text(**AS_BYTES), f"Said by hand, {number}.", place)
        if text is None or sys.platform != "linux":
            return
        (key, *_) = (*(one.key for one in self.ws.index().entries), "none")
        with index.open("w", newline="", **AS_BYTES) as file:
            with suppress(BeingWritten, IndexShrunk, NothingToUndo, IndexError, ZeroDivisionError):
                if what == "remember":
                    self.ws.at(self.now).remember(BODIES[0], tags=["slow"])
                elif what == "tag":
                    self.ws.entries.tag(key, add=["slow"])
                else:
                    self.do(what, which)
            assert index.read_bytes() == b""
            file.write(text)
        self.ledger.prose = prose_of(self.root)

    @rule(title=st.sampled_from(TITLES), body=st.sampled_from(BODIES))
    def remember_beside_a_slow_save(self, title: str, body: str) -> None:
        """The log is being saved in place: what was to be remembered is in it once somebody writes to it again."""
        log = self.root / f"memory/{self.now:%Y-%m-%d}.md"
        if sys.platform != "linux" or not log.exists():
            return
        text = log.read_text("utf-8")
        with log.open("w", encoding="utf-8", newline="") as file:
            with pytest.raises(MemoryKept):
                self.ws.at(self.now).remember(body, title=title)
            file.write(text)
        self.ws.at(self.now).remember("The end of it.")
        whole = log.read_text("utf-8")
        assert whole.startswith(text)
        assert saying(Note("", whole), body)  # if not under this title: said again, it stands once

    # the notes

    @rule(path=st.sampled_from(PATHS), sections=SECTIONS)
    def begin_a_note(self, path: str, sections: list[tuple[str, str]]) -> None:
        self.notes.begin(path, sections, self.now)

    @rule(
        what=st.sampled_from(("grow", "rename", "move", "delete", "defrag")),
        which=WHICH,
        more=WHICH,
    )
    def change_a_note(self, what: str, which: int, more: int) -> None:
        path = self.notes.chosen(which)
        if what == "defrag":
            self.notes.defrag(self.now)
        elif path is None:
            return
        elif what == "grow":
            title, body = TITLES[more % len(TITLES)], BODIES[more % len(BODIES)]
            self.notes.grow(path, title, body, self.now)
        elif what == "rename":
            self.notes.rename_section(path, more, f"Heading {self.number()}", self.now)
        elif what == "move":
            self.notes.move(path, f"{FOLDERS[more % len(FOLDERS)]}/{path.rpartition('/')[2]}")
        else:
            self.notes.delete(path)

    # what goes wrong

    @rule(
        what=st.sampled_from(("daily", "weekly", "monthly", "sync", "undo", "restore", "query")),
        hours=HOURS,
        fault=st.sampled_from(list(Fault)),
        write=st.integers(1, 8),
        which=WHICH,
        editor=st.sampled_from(("nobody", "tag", *handwork.EDITS)),
    )
    def fail(
        self, what: str, hours: int, fault: Fault, write: int, which: int, editor: str
    ) -> None:
        self.now += timedelta(hours=hours)
        before = entry_bytes(self.root)
        waits = (self.root / WAITING).exists()  # what waits is written before all else
        self.failed = True
        try:
            with failing(fault, write):
                self.do(what, which)
        except Killed:
            event(f"killed: pending={(self.root / PENDING).exists()}")
            self.ws.close()
            self.open()  # the next process
            if editor != "nobody":  # somebody saves the file before that one reads it
                self.edit(editor, which, write)
        except FileUnwritable:
            assert fault not in KILLS
            assert fault is Fault.FULL or waits or entry_bytes(self.root) == before
        except (LossRefused, NothingToUndo, IndexRefused):
            assert waits or entry_bytes(self.root) == before
        self.ws.recover()  # what no disk had room for may be done in part
        found = self.ws.upkeep.history()
        newest = max(found, key=lambda record: record.number, default=None)
        if what == "undo" and newest and self.mended(newest, found):
            self.ledger.prose, self.ledger.cut = prose_of(self.root), True

    def do(self, what: str, which: int) -> None:
        if what == "undo":
            self.ledger.forget_hits()
            found = self.ws.upkeep.history()
            if self.mended(self.ws.at(self.now).upkeep.undo().record, found):
                self.ledger.prose = prose_of(self.root)
        elif what == "restore":
            self.restore(which)
        elif what == "query":
            self.ws.at(self.now).query(QUESTIONS[which % len(QUESTIONS)])
        else:
            self.ws.at(self.now).upkeep.run(what, force=which % 2 == 0)


def known_ids(root: Path) -> set[str]:
    """The ids that hippo knows of."""
    try:
        _, known = newest(root)
    except NoSnapshot:
        return set()
    return {*known.ids, *(one.entry.id for one in known.archived)}


class LongLives(Lives):
    """The same, with a marker of its own."""


_SETTINGS = settings(suppress_health_check=list(HealthCheck), report_multiple_bugs=False)
TestLawSeven = Lives.TestCase
TestLawSeven.settings = settings(_SETTINGS, max_examples=8, stateful_step_count=30)
TestLawSevenAtLength = pytest.mark.long(LongLives.TestCase)
TestLawSevenAtLength.settings = settings(_SETTINGS, max_examples=400, stateful_step_count=60)
