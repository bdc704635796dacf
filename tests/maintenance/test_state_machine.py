"""Law 7: nothing that people, agents, upkeep, crashes and full disks do in any order ever loses an entry."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from hippocampus_cli.api import Workspace
from hippocampus_cli.config.settings import Config, Decay, Index, Upkeep
from hippocampus_cli.errors import EntryExists, FileUnwritable, HippoError, LossRefused, NothingToUndo
from hippocampus_cli.index.files import MASTER
from hippocampus_cli.maintenance.actions import REMARKS
from hippocampus_cli.maintenance.history import files_of
from hippocampus_cli.workspace.recovery import holds_entries
from tests.maintenance import handwork
from tests.maintenance.failing import KILLS, Fault, Killed, failing
from tests.maintenance.law_seven import Ledger, entry_bytes, prose_of
from tests.maintenance.notebook import BODIES, PATHS, QUESTIONS, TITLES, Notebook
from tests.maintenance.upkept import NOW

CYCLES = st.sampled_from(("daily", "weekly", "monthly", "replay", "sync"))
WHICH = st.integers(0, 40)
SECTIONS = st.lists(
    st.tuples(st.sampled_from(TITLES), st.sampled_from(BODIES)), min_size=1, max_size=4
)
FORGETFUL = Decay(forgetting=0.9)
"""Silent after five days, to be pruned after eleven."""
CONFIGS = {
    "as it comes": Config(decay=FORGETFUL),
    "small": Config(decay=FORGETFUL, index=Index(max_tokens=900, sharded_tokens=700)),
    "unlimited": Config(decay=FORGETFUL, upkeep=Upkeep(loss_limit=1.0, history=3)),
}


class Lives(RuleBasedStateMachine):
    """One workspace and all that happens to it. Each rule takes a minute."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.no_sync = patch("os.fsync")  # which only takes time
        self.no_sync.start()
        self.root = Path(self.folder.name)
        self.notes = Notebook(self.root)
        self.ledger = Ledger()
        self.now = NOW
        self.count = 0

    def teardown(self) -> None:
        self.ws.close()
        self.no_sync.stop()
        self.folder.cleanup()

    @initialize(config=st.sampled_from(list(CONFIGS)), sections=SECTIONS)
    def begin(self, config: str, sections: list[tuple[str, str]]) -> None:
        for path in PATHS[:5]:
            self.notes.begin(path, sections[: 1 + len(path) % 3], NOW - timedelta(days=30))
        self.config = CONFIGS[config]
        self.open()
        self.ws.bootstrap(now=self.now)

    def open(self) -> None:
        self.ws = Workspace(self.root, self.config)

    @invariant()
    def law_seven_holds(self) -> None:
        self.ledger.check(self.ws, self.now)
        self.now += timedelta(minutes=1)

    def number(self) -> int:
        self.count += 1
        return self.count

    # time and upkeep

    @rule(hours=st.sampled_from((1, 20, 26, 24 * 4, 24 * 8, 24 * 35, 24 * 500)))
    def wait(self, hours: int) -> None:
        self.now += timedelta(hours=hours)

    @rule(cycle=CYCLES, force=st.booleans())
    def upkeep(self, cycle: str, force: bool) -> None:
        before = entry_bytes(self.root)
        try:
            self.ws.maintain(cycle, force=force, now=self.now)
        except LossRefused:
            assert not force or True
            assert entry_bytes(self.root) == before
            return
        again = self.ws.maintain(cycle, dry_run=True, force=force, now=self.now)
        assert not again.plan.changes, again.actions
        assert not [one for one in again.actions if one.kind not in REMARKS]

    @rule(which=st.one_of(st.none(), WHICH))
    def undo(self, which: int | None) -> None:
        found = self.ws.history()
        number = found[which % len(found)].number if which is not None and found else None
        before = {one.number: files_of(self.root, one) for one in found}
        self.ledger.forget_hits()
        try:
            undone = self.ws.undo(number, now=self.now)
        except NothingToUndo:
            return
        if undone.exact and not undone.kept:
            now = entry_bytes(self.root)
            for path, one in (before[undone.record.number] or {}).items():
                assert not holds_entries(path) or now.get(path) == one.before, path

    @rule(which=WHICH)
    def restore(self, which: int) -> None:
        index = self.ws.store.read(archive=True)
        known = sorted(one.entry.id for one in (*index.entries, *index.archived))
        if known:
            key = known[which % len(known)]
            self.ws.restore(key, now=self.now)
            assert key in self.ws.index().ids

    @rule()
    def bootstrap(self) -> None:
        self.ws.bootstrap(now=self.now)

    # agents

    @rule(question=st.sampled_from(QUESTIONS), write=st.booleans())
    def query(self, question: str, write: bool) -> None:
        before = entry_bytes(self.root)
        found = self.ws.query(question, write=write, now=self.now)
        if not write:
            assert entry_bytes(self.root) == before
        index = self.ws.index()
        for one in found.written:
            if one.change == "hit":
                assert index.by_key[one.entry].entry.hits > self.ledger.hits.get(one.entry, 0)

    @rule(title=st.sampled_from(TITLES), body=st.sampled_from(BODIES))
    def remember(self, title: str, body: str) -> None:
        self.ws.remember(body, title=title, now=self.now)

    @rule(title=st.sampled_from(TITLES), which=WHICH)
    def add(self, title: str, which: int) -> None:
        path = self.notes.chosen(which)
        if path:
            with suppress(EntryExists):
                self.ws.add(title, [path], now=self.now)

    @rule(which=WHICH, what=st.sampled_from(("pin", "unpin", "tag")))
    def tend(self, which: int, what: str) -> None:
        keys = [one.key for one in self.ws.index().entries]
        if keys:
            key = keys[which % len(keys)]
            if what == "tag":
                self.ws.tag(key, add=[f"told-{self.number()}"])
            else:
                getattr(self.ws, what)(key)

    @rule()
    def adopt(self) -> None:
        self.ws.adopt(now=self.now)

    # a person with an editor

    @rule(place=WHICH)
    def write_prose(self, place: int) -> None:
        line = f"Said by hand, {self.number()}."
        self.by_hand(lambda text: handwork.with_prose(text, line, place))

    @rule(place=WHICH, which=WHICH)
    def write_bullet(self, place: int, which: int) -> None:
        path = self.notes.chosen(which) or "gone.md"
        topic = f"Look here {self.number()}"
        self.by_hand(lambda text: handwork.with_bullet(text, topic, path, place))

    @rule(which=WHICH)
    def rename_a_section(self, which: int) -> None:
        title = f"Section {self.number()}"
        self.by_hand(lambda text: handwork.with_section_renamed(text, which, title))

    @rule(which=WHICH, place=WHICH)
    def move_an_entry(self, which: int, place: int) -> None:
        self.by_hand(lambda text: handwork.with_entry_moved(text, which, place))

    @rule(which=WHICH)
    def retitle_an_entry(self, which: int) -> None:
        topic = f"Topic {self.number()}"
        self.by_hand(lambda text: handwork.with_topic(text, which, topic))

    @rule(
        which=WHICH,
        pair=st.sampled_from(
            (
                ("hits", "9"),
                ("str", "0.07"),
                ("base", "0.2"),
                ("accessed", "2026-07-01"),
                ("pri", "low"),
                ("src", "manual"),
                ("tags", "one,two"),
            )
        ),
    )
    def change_a_value(self, which: int, pair: tuple[str, str]) -> None:
        self.ledger.forget_hits()
        self.by_hand(lambda text: handwork.with_value(text, which, *pair))

    def by_hand(self, change: Callable[[str], str | None]) -> None:
        file = self.root / MASTER
        text = change(file.read_text(encoding="utf-8"))
        if text is not None:
            file.write_text(text, encoding="utf-8")
            self.ledger.prose = prose_of(self.root)

    # the notes

    @rule(path=st.sampled_from(PATHS), sections=SECTIONS)
    def begin_a_note(self, path: str, sections: list[tuple[str, str]]) -> None:
        self.notes.begin(path, sections, self.now)

    @rule(which=WHICH, title=st.sampled_from(TITLES), body=st.sampled_from(BODIES))
    def grow_a_note(self, which: int, title: str, body: str) -> None:
        if path := self.notes.chosen(which):
            self.notes.grow(path, title, body, self.now)

    @rule(which=WHICH, section=WHICH)
    def rename_a_heading(self, which: int, section: int) -> None:
        if path := self.notes.chosen(which):
            self.notes.rename_section(path, section, f"Heading {self.number()}", self.now)

    @rule(which=WHICH, folder=st.sampled_from(("old", "notes", "projects/new")))
    def move_a_note(self, which: int, folder: str) -> None:
        if path := self.notes.chosen(which):
            self.notes.move(path, f"{folder}/{path.rpartition('/')[2]}", self.now)

    @rule(which=WHICH)
    def delete_a_note(self, which: int) -> None:
        if path := self.notes.chosen(which):
            self.notes.delete(path)

    @rule()
    def defrag(self) -> None:
        self.notes.defrag(self.now)

    # what goes wrong

    @rule(
        what=st.sampled_from(("daily", "weekly", "monthly", "sync", "undo", "restore", "query")),
        fault=st.sampled_from(list(Fault)),
        write=st.integers(1, 8),
        which=WHICH,
        editor=st.sampled_from(("nobody", "prose", "tag")),
    )
    def fail(self, what: str, fault: Fault, write: int, which: int, editor: str) -> None:
        before = entry_bytes(self.root)
        if what == "undo":
            self.ledger.forget_hits()
        try:
            with failing(fault, write):
                self.do(what, which)
        except Killed:
            self.open()  # the old one is gone with its process
            if editor == "prose":
                self.write_prose(which)
            elif editor == "tag":
                self.write_tag(which)
        except FileUnwritable:
            assert fault not in KILLS
            if fault is Fault.FULL_ONCE:
                assert entry_bytes(self.root) == before
        except (LossRefused, NothingToUndo):
            pass

    def do(self, what: str, which: int) -> None:
        if what == "undo":
            self.ws.undo(now=self.now)
        elif what == "restore":
            self.restore(which)
        elif what == "query":
            self.ws.query(QUESTIONS[which % len(QUESTIONS)], now=self.now)
        else:
            self.ws.maintain(what, force=which % 2 == 0, now=self.now)

    def write_tag(self, which: int) -> None:
        tag = f"by-hand-{self.number()}"
        self.by_hand(lambda text: (handwork.with_tag(text, which, tag) or (None,))[0])


TestLaws = Lives.TestCase
TestLaws.settings = settings(
    max_examples=int(os.environ.get("N","15")), stateful_step_count=int(os.environ.get("K","25")), suppress_health_check=list(HealthCheck),
    phases=[Phase.generate]+([Phase.shrink] if os.environ.get("S") else []), report_multiple_bugs=False,
)
