"""The reading of many files shared with a second reader: their order stays, and with it every row that is written."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from hippocampus_cli.search.second_reader import GONE, SecondReader
from hippocampus_cli.search.writing import ReadFile
from hippocampus_cli.workspace.files import FileStat

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
