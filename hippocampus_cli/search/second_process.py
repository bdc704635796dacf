"""A second process that reads notes and takes them apart, so that a first build has two cores; the order of the files
stays, and with it every row that is written.

It is a help and never a need: where it cannot be started, or ends, or never says that it is there, the process that
wanted it does all of the work alone. It writes nothing, and ends with the one that started it.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue

from hippocampus_cli.search.refresh import taken_apart
from hippocampus_cli.search.schema import SCHEMA_VERSION
from hippocampus_cli.search.source_reader import SourceReader
from hippocampus_cli.search.writer import ReadFile
from hippocampus_cli.text.tokenizer import TOKENS_VERSION
from hippocampus_cli.workspace.scan import FileStat

_FILES, _BYTES = 40, 400_000  # of one piece; the last file may go beyond
_WAITING = 40  # pieces read ahead of one that the other one still has, whose core may have other work to do

Apart = Callable[[FileStat], ReadFile]


class _Piece:
    """Some files, and what was made of them once somebody has read them."""

    def __init__(self, stats: Sequence[FileStat]) -> None:
        self.stats = stats
        self.done: list[ReadFile] | None = None


class TwoReaders:
    """Files read by two: by a second reader, and here where that one has enough to do."""

    def __init__(self, second: SecondReader | None, apart: Apart, clock: Callable[[], int]) -> None:
        self._second = second
        self._apart = apart
        self._clock = clock
        self._asked: deque[_Piece] = deque()

    def read(self, wanted: Sequence[FileStat]) -> Iterator[ReadFile]:
        """Every file of ``wanted`` as read, in that order."""
        todo = deque(map(_Piece, _pieces(wanted)))
        waiting: deque[_Piece] = deque()
        while todo or waiting:
            waiting += self._handed_over(todo)
            if waiting and waiting[0].done is not None:
                yield from waiting.popleft().done or ()
            elif self._is_ready() or not todo or len(waiting) >= _WAITING:
                self._take_back()
            else:
                waiting.append(todo.popleft())
                self._do(waiting[-1])

    def _handed_over(self, todo: deque[_Piece]) -> Iterator[_Piece]:
        """The pieces of ``todo`` that the second reader is given now."""
        try:
            while self._second and todo and self._second.takes(todo[0].stats):
                piece = todo.popleft()
                self._asked.append(piece)
                yield piece
                self._second.ask(piece.stats, self._clock())
        except GONE:
            self._go_on_alone()

    def _is_ready(self) -> bool:
        try:
            return bool(self._asked) and self._second is not None and self._second.is_ready()
        except GONE:
            self._go_on_alone()
            return False

    def _take_back(self) -> None:
        """Take the first piece that the second reader has, as soon as it is there."""
        try:
            if self._second and self._asked:
                self._asked[0].done = self._second.answer()
                self._asked.popleft()
        except GONE:
            self._go_on_alone()

    def _go_on_alone(self) -> None:
        """What the second reader was asked for is done here."""
        self._second = None
        while self._asked:
            self._do(self._asked.popleft())

    def _do(self, piece: _Piece) -> None:
        piece.done = [self._apart(stat) for stat in piece.stats]


def _pieces(wanted: Sequence[FileStat]) -> Iterator[Sequence[FileStat]]:
    piece: list[FileStat] = []
    size = 0
    for stat in wanted:
        piece.append(stat)
        size += stat.size
        if len(piece) >= _FILES or size >= _BYTES:
            yield piece
            piece, size = [], 0
    if piece:
        yield piece


AHEAD = 4
"""Pieces that are asked for before the first of them is there: while this process writes, that one works."""
MOST_CHARACTERS = 2_000
"""Of the paths of one piece: all that is asked for together fits into a pipe that nobody is reading."""
_HELLO = ("here", TOKENS_VERSION, SCHEMA_VERSION)  # another one may have been installed meanwhile
_CODE = (
    "import sys; sys.path[:] = sys.argv[5:];"
    "from hippocampus_cli.search.second_process import serve; serve(*sys.argv[1:5])"
)
GONE = (OSError, EOFError, ValueError)
"""What is raised once the other process has ended."""


class SecondReader:
    """The second process, seen from the first. ``close`` when done."""

    def __init__(self, notes: SourceReader) -> None:
        """Raises :class:`OSError`, :class:`ValueError` where no process can be started."""
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        self._requests = Connection(ours_out, readable=False)
        self._answers = Connection(ours_in, writable=False)
        self._asked: deque[Sequence[FileStat]] = deque()
        self._awake = False
        own = (str(theirs_in), str(theirs_out), str(notes.max_bytes), os.fspath(notes.root))
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-c", _CODE, *own, *_import_path()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs_in, theirs_out),
            )
        except BaseException:
            self._close_pipes()
            raise
        finally:
            os.close(theirs_in)
            os.close(theirs_out)

    def takes(self, piece: Sequence[FileStat]) -> bool:
        """Whether it can be asked for this one now. Raises :class:`OSError`, :class:`EOFError` once it has ended."""
        if not self._awake and self._answers.poll():
            self._awake = self._answers.recv() == _HELLO
        room = len(self._asked) < AHEAD
        return self._awake and room and sum(len(one.path) for one in piece) <= MOST_CHARACTERS

    def ask(self, piece: Sequence[FileStat], now: int) -> None:
        """Let it read these, at ``now``: that may be too early, and what changes meanwhile is read again."""
        self._asked.append(piece)
        self._requests.send((now, [one.path for one in piece]))

    def is_ready(self) -> bool:
        """Whether the first piece that was asked for is there."""
        return self._answers.poll()

    def answer(self) -> list[ReadFile]:
        """The first piece that was asked for. Raises :class:`OSError`, :class:`EOFError` once it has ended."""
        found = self._answers.recv()
        piece = self._asked.popleft()
        return [one._replace(stat=stat) for one, stat in zip(found, piece, strict=True)]

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        self._close_pipes()

    def _close_pipes(self) -> None:
        self._requests.close()
        self._answers.close()


@contextlib.contextmanager
def reading_along(notes: SourceReader) -> Iterator[SecondReader | None]:
    """A second reader of ``notes``; ``None`` where it is of no use or cannot be had."""
    second = None
    if _is_possible():
        with contextlib.suppress(*GONE):
            second = SecondReader(notes)
    try:
        yield second
    finally:
        if second is not None:
            second.close()


def serve(requests: str, answers: str, max_bytes: str, root: str) -> None:
    """What the second process does, until the first one lets go of the pipes, which are given by their numbers."""
    import signal
    from threading import Thread

    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # it is the first process that is interrupted, and ends this one
    incoming = Connection(int(requests), writable=False)
    outgoing = Connection(int(answers), readable=False)
    done: SimpleQueue[object] = SimpleQueue()
    done.put(_HELLO)
    # a pipe holds less than a piece: without a thread this would stand still until the other one has time to read
    Thread(target=_send, args=(outgoing, done), daemon=True).start()
    read = SourceReader(Path(root), int(max_bytes))
    with contextlib.suppress(*GONE):
        while True:
            now, paths = incoming.recv()
            stats = [FileStat(path, 0, 0, 0) for path in paths]
            done.put([taken_apart(one, read, now) for one in stats])


def _send(outgoing: Connection, done: SimpleQueue[object]) -> None:
    with contextlib.suppress(*GONE):
        while True:
            outgoing.send(done.get())


def _is_possible() -> bool:
    """Whether there is a second core, and a Python that can be started: an application that holds one is none."""
    if os.name != "posix" or getattr(sys, "frozen", False):
        return False
    if not Path(sys.executable or "").name.lower().startswith(("python", "pypy")):
        return False
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (cores or 1) > 1


def _import_path() -> list[str]:
    """Where this process finds its modules, but for the folder it runs in, which may be anybody's."""
    own = str(Path(__file__).resolve().parents[2])
    return [own, *(one for one in sys.path if one and isinstance(one, str))]
