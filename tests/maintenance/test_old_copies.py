"""Old copies of the index that an editor, git or a backup saves over it: no hit is lost, whatever ran in between."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippocampus_cli.api import Workspace
from hippocampus_cli.config import Config

NOW = datetime(2026, 7, 20, 9, 0, tzinfo=UTC)
SUBJECTS = {"Deploy": "make ship-it", "Lamp": "by the door", "Invoices": "on the third shelf"}
CYCLES = ("daily", "weekly", "monthly", "sync", "replay")


class Played:
    """A workspace with an index, a clock that runs, old copies of the index, and the accesses that were counted."""

    def __init__(self, root: Path) -> None:
        root.mkdir()
        for name, how in SUBJECTS.items():
            (root / f"{name}.md").write_text(f"# {name}\n\n{name} is {how}.\n")
        self.workspace, self.now = Workspace(root, Config()), NOW
        self.workspace.at(NOW).bootstrap()
        self.path = root / "HIPPOCAMPUS.md"
        self.copies = [self.path.read_bytes()]
        self.accesses: Counter[str] = Counter()

    def play(self, deed: tuple[str, int]) -> None:
        what, number = deed
        self.now += timedelta(minutes=7)
        if what in ("query", "later"):
            self.ask(list(SUBJECTS)[number % len(SUBJECTS)], later=what == "later")
        elif what == "copy":
            self.copies.append(self.path.read_bytes())
        elif what == "old":
            self.path.write_bytes(self.copies[number % len(self.copies)])
        elif what == "bootstrap":
            self.workspace.at(self.now).bootstrap()
        else:
            self.workspace.at(self.now).upkeep.run(CYCLES[number % len(CYCLES)], force=True)

    def ask(self, subject: str, *, later: bool = False) -> None:
        text = f"{subject} is {SUBJECTS[subject]}"
        done = self.workspace.at(self.now).query(text, later=later)
        if later:
            self.accesses[str(done.results[0].entry)] += 1
        self.accesses.update(one.entry for one in done.written if one.change == "hit")

    def hits(self) -> dict[str, int]:
        self.now += timedelta(minutes=7)
        self.workspace.at(self.now).upkeep.run("daily")
        return {one.entry.id: one.entry.hits for one in self.workspace.index().entries}


DEEDS = st.tuples(
    st.sampled_from(["query", "query", "later", "copy", "old", "cycle", "bootstrap"]),
    st.integers(0, 9),
)


def played(root: Path, deeds: Sequence[tuple[str, int]]) -> None:
    play = Played(root)
    with play.workspace:
        for deed in deeds:
            play.play(deed)
        assert play.accesses <= Counter(play.hits())
        first = play.path.read_bytes()
        play.hits()
        assert play.path.read_bytes() == first


@settings(max_examples=25, deadline=None)
@given(st.lists(DEEDS, min_size=3, max_size=14))
def test_every_access_is_in_the_index_after_a_daily(
    tmp_path_factory: pytest.TempPathFactory, deeds: list[tuple[str, int]]
) -> None:
    played(tmp_path_factory.mktemp("played") / "ws", deeds)


@pytest.mark.long
@settings(max_examples=600, deadline=None)
@given(st.lists(DEEDS, min_size=3, max_size=30))
def test_many_sequences_lose_no_access(
    tmp_path_factory: pytest.TempPathFactory, deeds: list[tuple[str, int]]
) -> None:
    played(tmp_path_factory.mktemp("played") / "ws", deeds)


def test_hits_come_back_after_an_undo_too(tmp_path: Path) -> None:
    """What a cycle adds may be taken back; how often something was used is no opinion."""
    play = Played(tmp_path / "ws")
    with play.workspace as workspace:
        for _ in range(3):
            play.ask("Deploy")
        play.play(("cycle", 0))
        play.play(("old", 0))
        play.play(("cycle", 0))
        workspace.at(play.now).upkeep.undo()
        play.play(("old", 0))
        assert max(play.hits().values()) == 3


def test_the_strength_comes_back_with_the_hits(tmp_path: Path) -> None:
    play = Played(tmp_path / "ws")
    weak = re.sub(
        r"( \| created=\S+)", r"\g<1> | hits=0 | str=0.50 | base=0.50", play.path.read_text()
    )
    play.path.write_text(weak)
    play.copies = [weak.encode()]
    with play.workspace as workspace:
        play.ask("Lamp")
        before = max(workspace.index().entries, key=lambda one: one.entry.hits).entry
        play.play(("cycle", 0))
        play.play(("old", 0))
        play.hits()
        after = max(workspace.index().entries, key=lambda one: one.entry.hits).entry
    assert (after.id, after.hits, after.base) == (before.id, 1, before.base)
    assert before.base is not None and before.base > 0.5


def test_an_entry_that_somebody_deleted_stays_gone(tmp_path: Path) -> None:
    play = Played(tmp_path / "ws")
    with play.workspace as workspace:
        for subject in SUBJECTS:
            play.ask(subject)
        (gone,) = [one for one in workspace.index().entries if "Lamp" in one.entry.topic]
        play.path.write_text(play.path.read_text().replace(gone.entry.raw, ""))
        assert gone.entry.id not in play.hits()


@pytest.mark.parametrize("undo", [["checkout", "--", "HIPPOCAMPUS.md"], ["reset", "-q", "--hard"]])
def test_git_takes_no_hit_back_and_none_to_another_branch(tmp_path: Path, undo: list[str]) -> None:
    play = Played(tmp_path / "ws")

    def git(*words: str) -> None:
        named = ("-c", "user.name=t", "-c", "user.email=t@t")
        subprocess.run(
            ["git", *named, *words], cwd=tmp_path / "ws", check=True, capture_output=True
        )

    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-q", "-m", "begun")
    with play.workspace:
        for _ in range(3):
            play.ask("Deploy")
        play.play(("cycle", 0))
        git(*undo)
        assert max(play.hits().values()) == 3
        git("add", "-A")
        git("commit", "-q", "-m", "used")
        git("checkout", "-q", "-b", "other", "HEAD~1")
        assert max(play.hits().values()) == 0


def test_a_hit_in_the_second_of_the_next_header_counts_once(tmp_path: Path) -> None:
    played = Played(tmp_path / "notes")
    start = NOW + timedelta(days=1)
    played.now = start + timedelta(milliseconds=100)
    played.ask("Lamp")
    runs = (
        ("weekly", 0.9),
        ("monthly", 3),
        ("weekly", 9),
    )  # the second changes nothing, and no header
    for cycle, seconds in runs:
        played.workspace.at(start + timedelta(seconds=seconds)).upkeep.run(cycle, force=True)
    assert Counter(played.hits()) == played.accesses
