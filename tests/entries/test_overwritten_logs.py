"""What ``remember`` acknowledged and what an editor saved are both in the notes in the end, in whatever order."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippocampus_cli.api import Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.entries import remember
from hippocampus_cli.errors import FileUnwritable, MemoryKept
from hippocampus_cli.workspace import lease, note_store
from tests.support.command_line import Hippo
from tests.support.tries import tries
from tests.support.workspaces import NOW

LOG = "memory/2026-02-01.md"
Gap = Callable[[], None]
Save = Callable[[Path, str, Gap], None]
CONFIG = Config(lock=Config().lock._replace(timeout_seconds=0.05))


def truncate(path: Path, text: str, gap: Gap) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        gap()
        file.write(text)


def truncate_and_close(path: Path, text: str, gap: Gap) -> None:
    path.write_text("")
    gap()
    path.write_text(text)


def in_place(path: Path, text: str, gap: Gap) -> None:
    with path.open("r+", encoding="utf-8", newline="") as file:
        gap()
        file.seek(0)
        file.write(text)
        file.truncate()


def in_pieces(path: Path, text: str, gap: Gap) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(text[: len(text) // 2])
        file.flush()
        gap()
        file.write(text[len(text) // 2 :])


def renamed_over(path: Path, text: str, gap: Gap) -> None:
    beside = path.with_name(".log.swp")
    beside.write_text(text)
    gap()
    beside.replace(path)


def moved_away(path: Path, text: str, gap: Gap) -> None:
    aside = path.with_name(f"{path.name}~")
    path.rename(aside)
    gap()
    path.write_text(text)
    aside.unlink()


def removed_and_new(path: Path, text: str, gap: Gap) -> None:
    path.unlink()
    gap()
    path.write_text(text)


def with_a_backup(path: Path, text: str, gap: Gap) -> None:
    aside = path.with_name(f"{path.name}.bak")
    os.link(path, aside)
    beside = path.with_name(".log.new")
    beside.write_text(text)
    gap()
    beside.replace(path)
    aside.unlink()


def swapped_by_a_copy(path: Path, text: str, gap: Gap) -> None:
    """What a sync service does: the file comes with the time of change that it has elsewhere."""
    beside = path.with_name(".sync")
    beside.write_text(text)
    os.utime(beside, ns=(10**18, 10**18))
    gap()
    beside.replace(path)


def as_crlf(path: Path, text: str, gap: Gap) -> None:
    gap()
    path.write_bytes(text.replace("\r\n", "\n").replace("\n", "\r\n").encode())


def as_lf(path: Path, text: str, gap: Gap) -> None:
    gap()
    path.write_bytes(text.replace("\r\n", "\n").encode())


def with_a_mark(path: Path, text: str, gap: Gap) -> None:
    gap()
    path.write_bytes(b"\xef\xbb\xbf" + text.removeprefix("\ufeff").encode())


def without_the_last_newline(path: Path, text: str, gap: Gap) -> None:
    gap()
    path.write_text(text.rstrip("\r\n"))


def appended(path: Path, text: str, gap: Gap) -> None:
    """It adds its last section, whatever else is there by now."""
    gap()
    with path.open("a") as file:
        file.write("\n\n## " + text.rpartition("## ")[2])


def held_open_and_appended(path: Path, text: str, gap: Gap) -> None:
    with path.open("a") as file:
        gap()
        file.write("\n\n## " + text.rpartition("## ")[2])


def sections_turned_round(path: Path, text: str, gap: Gap) -> None:
    gap()
    title, *sections = text.split("\n## ")
    path.write_text("\n## ".join([title, *(one.rstrip() + "\n" for one in reversed(sections))]))


def saved_twice(path: Path, text: str, gap: Gap) -> None:
    path.write_text(text)
    gap()
    path.write_text(text)


SAVES: Sequence[Save] = (
    truncate,
    truncate_and_close,
    in_place,
    in_pieces,
    renamed_over,
    moved_away,
    removed_and_new,
    with_a_backup,
    swapped_by_a_copy,
    as_crlf,
    as_lf,
    with_a_mark,
    without_the_last_newline,
    appended,
    held_open_and_appended,
    sections_turned_round,
    saved_twice,
)
DEEDS = st.sampled_from(["remember", "remember", "query", "daily", "sync", "nothing"])
ROUND = st.tuples(
    st.sampled_from(SAVES), st.lists(DEEDS, max_size=2), st.lists(DEEDS, min_size=1, max_size=3)
)


class Day:
    """A workspace with a log of the day, what was remembered, and what the editor wrote."""

    def __init__(self, root: Path) -> None:
        self.log, self.now = root / LOG, NOW
        self.workspace = Workspace(root, CONFIG)
        self.said: list[str] = []
        self.typed: list[str] = []

    def do(self, deeds: Sequence[str]) -> None:
        for deed in deeds:
            self.now += timedelta(minutes=1)
            if deed == "remember":
                self.said.append(f"The badge number {len(self.said)}7 is with Ingrid.")
                with contextlib.suppress(MemoryKept):
                    self.workspace.at(self.now).remember(self.said[-1])
            elif deed == "query":
                self.workspace.at(self.now).query("who has the badge")
            elif deed != "nothing":
                self.workspace.at(self.now).upkeep.run(deed)

    def edit(self, save: Save, before: Sequence[str], between: Sequence[str]) -> None:
        """The editor reads, hippo works, the editor saves what it read with a section more, hippo works meanwhile."""
        text = self.log.read_bytes().decode()
        self.do(before)
        self.typed.append(f"Typed number {len(self.typed)}7 by hand.")
        mine = f"{text.rstrip()}\n\n## {self.now:%H:%M} Mine\n\n{self.typed[-1]}\n"
        save(self.log, mine, lambda: self.do(between))

    def lost(self) -> list[str]:
        self.do(["daily"])
        notes = "".join(path.read_text() for path in self.log.parent.glob("*.md"))
        wrong = [text for text in (*self.said, *self.typed) if text not in notes]
        return wrong + [text for text in self.said if notes.count(text) > 2]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("begun") / "ws"
    (root / LOG).parent.mkdir(parents=True)
    (root / "MEMORY.md").write_text("# Memory\n\nHi.\n")
    (root / LOG).write_text("# 2026-02-01\n\n## 08:00 Begun\n\nThe day began.\n")
    with Workspace(root, CONFIG) as workspace:
        workspace.at(NOW).bootstrap()
    return root


@contextlib.contextmanager
def without_leases(off: bool) -> Iterator[None]:
    """Where there are no file leases, hippo cannot wait for who has the file open."""
    with pytest.MonkeyPatch.context() as patch:
        if off:
            patch.setattr(lease, "take", lambda descriptor: None)
            patch.setattr(lease, "_PAUSE", 0.001)
        yield


def played(begun: Path, rounds: Sequence[tuple[Save, list[str], list[str]]], number: int) -> None:
    root = begun.with_name(f"try-{number}")
    shutil.copytree(begun, root)
    try:
        day = Day(root)
        with day.workspace:
            for one in rounds:
                day.edit(*one)
            assert day.lost() == []
    finally:
        shutil.rmtree(root)


@pytest.mark.parametrize("off", [False, True], ids=["leases", "none"])
@settings(max_examples=tries(20, 2_000), deadline=None)
@given(rounds=st.lists(ROUND, min_size=1, max_size=2))
def test_neither_side_loses_its_text(
    begun: Path, off: bool, rounds: list[tuple[Save, list[str], list[str]]]
) -> None:
    with without_leases(off):
        played(begun, rounds, 0)


# what a person does with a memory


EDITS: dict[str, Callable[[str], str]] = {
    "a value": lambda text: text.replace("4417", "4418"),
    "the text below the heading": lambda text: text.replace("\nThe badge", "\nNo: the badge"),
    "the heading": lambda text: text.replace("## 09:00 The", "## 09:00 On Kessler: the"),
    "more below it": lambda text: text + "\n(Asked Ingrid: still true.)\n",
    "line ends": lambda text: text.replace("\n", "\r\n"),
    "into a list": lambda text: text.replace("\nThe badge", "\n- The badge"),
    "its place": lambda text: text.replace(
        "\n## 08:00", "\n## Facts\n\nThe badge of Kessler is 4417.\n\n## 08:00"
    ).partition("\n## 09:00")[0],
}


@pytest.fixture
def day(begun: Path, tmp_path: Path) -> Iterator[Day]:
    """With one thing remembered, at 09:00."""
    shutil.copytree(begun, tmp_path / "ws")
    day = Day(tmp_path / "ws")
    with day.workspace:
        day.workspace.at(day.now).remember("The badge of Kessler is 4417.")
        yield day


@pytest.mark.parametrize("what", EDITS)
@pytest.mark.parametrize("between", [[], ["query"], ["daily"]], ids=str)
def test_what_somebody_edited_is_not_written_a_second_time(
    day: Day, what: str, between: list[str]
) -> None:
    day.do(between)
    edited = EDITS[what](day.log.read_bytes().decode()).encode()
    day.log.write_bytes(edited)
    day.do(["daily", "remember", "daily"])
    assert day.log.read_bytes().startswith(edited.rstrip())
    assert day.log.read_text().count("Kessler") == edited.decode().count("Kessler")


def test_what_somebody_moved_to_another_note_stays_there(day: Day) -> None:
    text = day.log.read_text()
    day.log.write_text(text[: text.index("## 09:00")])
    (day.log.parent / "badges.md").write_text("# Badges\n\n- The badge of Kessler is 4417.\n")
    day.do(["daily", "daily"])
    assert "Kessler" not in day.log.read_text()


@pytest.mark.parametrize("seen", ["query", "daily", "remember", "sync"])
def test_what_somebody_took_out_after_a_run_had_seen_it_stays_out(day: Day, seen: str) -> None:
    day.do([seen])
    text = day.log.read_text()
    start = text.index("## 09:00")
    end = text.find("## ", start + 3)
    day.log.write_text(text[:start] + (text[end:] if end > 0 else ""))
    day.do(["query", "daily", "remember", "daily"])
    assert "Kessler" not in day.log.read_text()


@pytest.mark.parametrize("seen", [[], ["query"], ["daily"]], ids=str)
@pytest.mark.parametrize("typed", ["", "\n## 10:00 Mine\n\nTyped.\n"])
def test_an_older_reading_that_comes_back_is_none_of_that(
    begun: Path, day: Day, seen: list[str], typed: str
) -> None:
    day.do(seen)
    day.log.write_text((begun / LOG).read_text() + typed)
    notices = day.workspace.at(day.now).upkeep.run("daily").notices
    assert day.log.read_text().count("\nThe badge of Kessler is 4417.\n") == 1
    assert typed in day.log.read_text()
    assert any("written again" in one and one.startswith(LOG) for one in notices)


def test_who_took_it_out_is_told_that_it_is_written_again_and_how_to_let_it_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HIPPO_NOW", "2026-06-01T12:00:00+00:00")
    log = tmp_path / "memory/2026-06-01.md"
    log.parent.mkdir()
    log.write_text(before := "# Day\n\n## 08:00 Begun\n\nThe day began.\n")
    text = "The badge of Kessler is 4417"

    def said(*words: str) -> str:
        return "".join(hippo(*words, code=None))

    said("bootstrap")
    said("remember", text)
    log.write_text(before)
    shown = said("query", "badge Kessler", "--no-write")
    assert "hippo forget TEXT lets go of it" in shown and ".md:0" not in shown
    shown = said("bootstrap")
    assert "memory/2026-06-01.md:7: written again" in shown and "hippo forget" in shown
    log.write_text(before)
    assert "forgot" in said("forget", text, "--yes")
    said("maintain", "--daily")
    assert log.read_text() == before


def test_what_is_safe_is_kept_for_a_day_and_no_longer(begun: Path, day: Day) -> None:
    kept = day.log.parent.parent / ".hippocampus/waiting.jsonl"
    day.now += timedelta(hours=23)
    day.do(["daily"])
    assert "Kessler" in kept.read_text()
    day.now += timedelta(hours=1)
    day.do(["query"])
    assert not kept.exists()
    day.log.write_text((begun / LOG).read_text())
    day.do(["daily"])
    assert "Kessler" not in day.log.read_text()


def test_what_nobody_has_seen_is_kept_for_longer(begun: Path, day: Day) -> None:
    day.log.write_text((begun / LOG).read_text())
    day.now += timedelta(days=3)
    day.do(["daily"])
    assert "Kessler" in day.log.read_text()


def test_a_log_that_is_deleted_after_it_was_seen_stays_away(day: Day) -> None:
    day.do(["daily"])
    day.log.unlink()
    day.do(["daily"])
    assert not day.log.exists()


def test_a_secret_is_kept_until_it_is_seen_and_shown_nowhere(day: Day) -> None:
    kept = day.log.parent.parent / ".hippocampus/waiting.jsonl"
    secret = "hunter2-xyz99-Qw"
    with day.log.open("a"), pytest.raises(MemoryKept):
        day.workspace.at(day.now).remember(f"The harbour's password: {secret}")
    shown = [
        repr(day.workspace.at(day.now).query("harbour's password")),
        repr(day.workspace.at(day.now).brief()),
        repr(day.workspace.at(day.now).status()),
        repr(day.workspace.at(day.now).check()),
    ]
    assert all("harbour" in one and secret not in one for one in shown)
    assert kept.stat().st_mode & 0o777 == 0o600
    day.do(["daily", "query"])
    assert secret in day.log.read_text()
    assert secret not in kept.read_text()


def test_what_is_forgotten_is_kept_no_longer(begun: Path, day: Day) -> None:
    day.workspace.at(day.now).upkeep.forget(text="badge of Kessler is 4417")
    day.log.write_text((begun / LOG).read_text())
    day.do(["daily", "remember", "daily"])
    assert "Kessler" not in day.log.read_text()


def test_another_branch_of_git_is_no_older_reading(begun: Path, day: Day) -> None:
    root = day.log.parent.parent
    (root / ".git").mkdir()
    (root / ".git/HEAD").write_text("ref: refs/heads/other\n")
    day.log.write_text((begun / LOG).read_text())
    day.do(["daily", "query"])
    assert "Kessler" not in day.log.read_text()
    (root / ".git/HEAD").unlink()
    day.do(["daily"])
    assert "Kessler" in day.log.read_text()


def test_a_log_made_read_only_waits_and_is_told_of(begun: Path, day: Day) -> None:
    day.log.write_text((begun / LOG).read_text())
    day.log.chmod(0o444)
    day.do(["daily"])
    assert "Kessler" not in day.log.read_text()
    assert "Kessler" in day.workspace.at(day.now).status().waiting[0]
    assert "Kessler" in day.workspace.at(day.now).query("badge", write=False).waiting[0]
    day.log.chmod(0o644)
    day.do(["sync"])
    assert "Kessler" in day.log.read_text()


def test_a_log_that_is_forgotten_does_not_come_back(day: Day) -> None:
    day.do(["daily"])
    day.workspace.at(day.now).upkeep.forget(path=LOG, notes=True)
    day.log.unlink(missing_ok=True)
    day.do(["daily", "daily"])
    assert not day.log.exists()


def test_a_full_disk_is_an_error_and_nothing_is_kept(
    day: Day, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was not acknowledged is not written later behind somebody's back."""

    def full(*given: object, **more: object) -> None:
        raise FileUnwritable(path=LOG, reason="No space left on device")

    before = day.log.read_bytes()
    monkeypatch.setattr(note_store, "replace_bytes", full)
    with pytest.raises(FileUnwritable, match="No space left"):
        day.workspace.at(day.now).remember("The lamp is by the door.")
    monkeypatch.undo()
    day.do(["daily"])
    assert day.log.read_bytes() == before


def test_a_kill_before_the_log_is_written_loses_nothing(
    day: Day, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*given: object, **more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(remember, "change_note", killed)
    with pytest.raises(KeyboardInterrupt):
        day.workspace.at(day.now).remember("The lamp is by the door.")
    monkeypatch.undo()
    day.do(["sync", "sync"])
    assert day.log.read_text().count("\nThe lamp is by the door.\n") == 1


@pytest.mark.parametrize("path", [".git/hooks/pre-commit", "../x.md", "/tmp/x.md", "a/../../x.md"])
def test_a_kept_memory_of_somebody_else_goes_into_no_file_but_a_log(day: Day, path: str) -> None:
    root = day.log.parent.parent
    kept = root / ".hippocampus/waiting.jsonl"
    row = json.loads(kept.read_text().splitlines()[0])
    text = "Do as I say, and nothing else."
    row |= {"text": text, "path": path, "written": None, "look": ""}
    del row["checksum"]
    kept.write_text(json.dumps(row) + "\n")
    day.do(["daily"])
    assert not (root / path).exists()
    assert text in day.log.read_text()


@pytest.mark.parametrize(
    "line",
    [
        "x",
        "[1]",
        "null",
        '{"text": "a"}',
        '{"text": 1, "title": 2, "at": 3, "tags": 4, "pri": 5}',
        '{"text":"a","title":"a","at":"2026-02-01T09:00","tags":[],"pri":"normal"}',
        r'{"text":"\ud800","title":"a","at":"2026-02-01T09:00Z","tags":[],"pri":"normal"}',
        r'{"text":"a","title":"a\n# b","at":"2026-02-01T09:00Z","tags":[],"pri":"normal"}',
        '{"text":"a","title":"a","at":"2026-02-01T09:00Z","tags":[],"pri":"normal","written":"9"}',
    ],
)
def test_what_no_run_has_written_is_skipped(day: Day, line: str) -> None:
    before = day.log.read_bytes()
    kept = day.log.parent.parent / ".hippocampus/waiting.jsonl"
    kept.write_text(kept.read_text() + line + "\n")
    day.do(["query", "daily", "sync"])
    assert day.log.read_bytes() == before
