"""Two processes that read: what is written is the same, whatever becomes of the second one."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.search import refresh, second_process
from hippocampus_cli.search.refresh import taken_apart
from hippocampus_cli.search.second_process import SecondReader, TwoReaders, reading_along
from hippocampus_cli.search.source_reader import SourceReader
from hippocampus_cli.search.store import TextCache
from hippocampus_cli.search.writer import ReadFile
from hippocampus_cli.workspace.scan import FileStat

needs_pipes = pytest.mark.skipif(os.name != "posix", reason="there is no second reader")
OLD = 1_000_000_000_000_000_000
MOST = 10_000


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Notes, one of them empty, one too large, one with odd bytes, and one that is none."""
    for number in range(200):
        text = (
            f"# Note {number}\n\n- Ada Love (Ad) said {number}\n- on 2026-03-{number % 28 + 1:02}\n"
        )
        (tmp_path / f"n{number:03}.md").write_text(text)
    (tmp_path / "n010.md").write_bytes(b"")
    (tmp_path / "n020.md").write_bytes(b"x" * (MOST + 1))
    (tmp_path / "n030.md").write_bytes(b"# Caf" + b"\xe9\n\ntext\n")
    (tmp_path / "n040.md").write_bytes(b"a\0b")
    (tmp_path / "n050.md").unlink()
    return tmp_path


def stats(root: Path) -> list[FileStat]:
    return [FileStat(f"n{number:03}.md", 50, OLD) for number in range(200)]


def woken(second: SecondReader, piece: Sequence[FileStat]) -> SecondReader:
    """It, as soon as it has said that it is there."""
    assert second._answers.poll(60)
    assert second.takes(piece)
    return second


@pytest.fixture
def awake(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[SecondReader]]:
    """Every second reader is waited for, however few files there are; they are listed."""
    started: list[SecondReader] = []
    takes = SecondReader.takes

    def waiting(self: SecondReader, piece: Sequence[FileStat]) -> bool:
        if self not in started:
            assert self._answers.poll(60)
            started.append(self)
        return takes(self, piece)

    monkeypatch.setattr(SecondReader, "takes", waiting)
    monkeypatch.setattr(refresh, "_MANY", 1)
    monkeypatch.setattr(second_process, "_is_possible", lambda: True)
    yield started
    assert all(one._process.poll() is not None for one in started), "it outlived its reader"


def built(root: Path, *, by_two: bool) -> list[object]:
    """Every row of a cache of the notes."""
    cache, reader = TextCache(None, clock=lambda: 2 * OLD), SourceReader(root, MOST)
    cache.refresh(stats(root), reader if by_two else lambda path: reader(path))
    reader.close()

    def rows(db: sqlite3.Connection) -> list[object]:
        tables = ("files", "sections", "passages", "aliases", "totals", "vocabulary")
        return [db.execute(f"SELECT * FROM {table}").fetchall() for table in tables]

    return [cache.healing(rows), cache.unread()]


@needs_pipes
def test_what_is_written_is_the_same_row_by_row(root: Path, awake: list[SecondReader]) -> None:
    alone = built(root, by_two=False)
    assert not awake
    assert built(root, by_two=True) == alone
    assert len(awake) == 1


@needs_pipes
def test_it_reads_as_the_first_one_does(root: Path) -> None:
    with SecondReaders(root) as second:
        piece = stats(root)[:60]
        woken(second, piece).ask(piece, 7)
        reader = SourceReader(root, MOST)
        assert second.answer() == [taken_apart(one, reader, 7) for one in piece]
        reader.close()


@needs_pipes
@pytest.mark.parametrize("answers", [0, 1, 2])
def test_it_may_be_killed_at_any_time(
    root: Path, awake: list[SecondReader], monkeypatch: pytest.MonkeyPatch, answers: int
) -> None:
    left, answer = [answers], SecondReader.answer

    def dying(self: SecondReader) -> list[ReadFile]:
        if not left[0]:
            self._process.kill()
            self._process.wait()
        left[0] -= 1
        return answer(self)

    monkeypatch.setattr(SecondReader, "answer", dying)
    shared = built(root, by_two=True)
    assert left[0] < answers or not answers
    assert shared == built(root, by_two=False)


@needs_pipes
def test_it_ends_when_the_first_one_is_interrupted(root: Path, awake: list[SecondReader]) -> None:
    reader = SourceReader(root, MOST)

    def interrupted(done: int, total: int) -> None:
        raise KeyboardInterrupt

    cache = TextCache(None)
    with pytest.raises(KeyboardInterrupt):
        cache.refresh(stats(root), reader, interrupted)
    reader.close()
    assert [one._process.poll() is not None for one in awake] == [True]


@needs_pipes
def test_it_ends_when_the_first_one_is_gone(root: Path) -> None:
    with SecondReaders(root) as second:
        woken(second, [])
        second._requests.close()
        assert second._process.wait(60) == 0


def test_few_files_start_no_process(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_process, "reading_along", None)
    assert built(root, by_two=True) == built(root, by_two=False)


@pytest.mark.parametrize("executable", ["", "/nowhere/python3", "/usr/sbin/uwsgi"])
def test_without_a_python_to_start_there_is_none(
    root: Path, monkeypatch: pytest.MonkeyPatch, executable: str
) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    with reading_along(SourceReader(root, MOST)) as second:
        assert second is None
    monkeypatch.setattr(refresh, "_MANY", 1)
    assert built(root, by_two=True) == built(root, by_two=False)


def test_an_application_that_holds_a_python_is_not_started(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(subprocess, "Popen", None)
    with reading_along(SourceReader(root, MOST)) as second:
        assert second is None


@needs_pipes
def test_who_does_not_answer_is_never_asked(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_process, "_CODE", "import time; time.sleep(600)")
    monkeypatch.setattr(second_process, "_is_possible", lambda: True)
    monkeypatch.setattr(refresh, "_MANY", 1)
    assert built(root, by_two=True) == built(root, by_two=False)


@needs_pipes
def test_another_version_is_never_asked(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_process, "_HELLO", ("here", 0, 0))
    with SecondReaders(root) as second:
        assert second._answers.poll(60)
        assert not second.takes([])


@needs_pipes
def test_what_does_not_fit_into_a_pipe_is_not_asked_for(root: Path) -> None:
    with SecondReaders(root) as second:
        woken(second, [])
        assert not second.takes([FileStat("x" * 2_001, 0, 0)])
        for _ in range(second_process.AHEAD):
            assert second.takes([])
            second.ask([], 0)
        assert not second.takes([])


def SecondReaders(root: Path) -> contextlib.closing[SecondReader]:
    return contextlib.closing(SecondReader(SourceReader(root, MOST)))


class Scripted:
    """A second reader that does what it is told, and ends after so many calls."""

    def __init__(self, takes: Sequence[bool], calls: int) -> None:
        self._takes, self._left = deque(takes), calls
        self._asked: deque[Sequence[FileStat]] = deque()

    def _called(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise EOFError

    def takes(self, piece: Sequence[FileStat]) -> bool:
        self._called()
        return bool(self._takes) and self._takes.popleft()

    def ask(self, piece: Sequence[FileStat], now: int) -> None:
        self._called()
        self._asked.append(piece)

    def is_ready(self) -> bool:
        self._called()
        return self._left % 2 == 0 and bool(self._asked)

    def answer(self) -> list[ReadFile]:
        self._called()
        return [read(one, "there") for one in self._asked.popleft()]


def read(stat: FileStat, who: str) -> ReadFile:
    return ReadFile(stat, 0, 0, None, (), ((who, who),))


@given(
    st.integers(0, 900),
    st.lists(st.booleans(), max_size=60),
    st.integers(0, 80),
    st.sampled_from([0, 1_000, 300_000]),
)
def test_every_file_is_read_once_and_in_its_place(
    files: int, takes: list[bool], calls: int, size: int
) -> None:
    wanted = [FileStat(f"{number}.md", size, 0) for number in range(files)]
    here: list[FileStat] = []

    def apart(stat: FileStat) -> ReadFile:
        here.append(stat)
        return read(stat, "here")

    second = Scripted(takes, calls)
    shared = TwoReaders(second, apart, lambda: 0)  # type: ignore[arg-type]
    found = list(shared.read(wanted))
    assert [one.stat for one in found] == wanted
    assert sorted(here) == sorted(one.stat for one in found if one.aliases[0][0] == "here")
    assert len(set(here)) == len(here)
