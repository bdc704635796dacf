"""The live view of a watch: how it stands, and what happened last, on a screen of its own.

Drawn when something happened and when the size changes, at no other time: an idle watch does nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from datetime import datetime

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.cli.render.safe import safe_line
from hippocampus_cli.cli.render.watching import PlainView, is_long, parts_of, scope, sums
from hippocampus_cli.watching.telling import Status
from hippocampus_cli.watching.upkeep import Happened

_KEPT = 500  # events that a screen might show
_AROUND = 5  # lines of the header and the footer
_STAMP = 10  # columns


class LiveView:
    """``close`` it to have the screen as it was."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._console = Console(
            file=output.out,
            force_terminal=True,
            no_color=not output.colour,
            highlight=False,
            markup=False,
            emoji=False,
        )
        self._live = Live(
            console=self._console,
            screen=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._events: deque[tuple[datetime, Happened]] = deque(maxlen=_KEPT)

    def begin(self, status: Status) -> None:
        self._status = status
        self._live.start()
        self.redraw()

    def tell(self, at: datetime, happened: Sequence[Happened], status: Status) -> None:
        self._status = status
        self._events.extend((at, one) for one in happened)
        self.redraw()

    def redraw(self) -> None:
        size = self._console.size
        self._live.update(Group(*self._lines(size.width, size.height)), refresh=True)

    def end(self, at: datetime, status: Status, reason: str) -> None:
        self.close()
        PlainView(self._output).end(at, status, reason)

    def close(self) -> None:
        """Leave the screen."""
        self._live.stop()

    def _lines(self, width: int, height: int) -> Iterator[Text]:
        yield from self._header(width)
        room = max(1, height - _AROUND)
        shown = [line for at, one in self._events for line in self._event(at, one, width)][-room:]
        yield from shown or [Text("  nothing happened yet", "dim")]
        yield from [Text()] * (room - max(1, len(shown)))
        yield Text()
        counts = self._status.counts
        done = Text().append(f" {sums(counts)}" if counts else "", "dim")
        yield _between(done, Text().append("Ctrl-C ends it ", "dim"), width)

    def _header(self, width: int) -> Iterator[Text]:
        status = self._status
        title = Text(" hippo watch  ").append(safe_line(str(status.root)), "bold")
        yield _between(title, Text().append(f"since {status.since:%H:%M} ", "dim"), width)
        way = f"polling every {status.way.seconds:g} s" if status.way.polls else status.way.kind
        style = "yellow" if status.way.polls else "green"
        yield _cut(Text().append(" ● ", style).append(f"{scope(status)}, by {way}", "dim"), width)
        yield Text()

    def _event(self, at: datetime, one: Happened, width: int) -> list[Text]:
        text = Text()
        for part in parts_of(one):
            text.append(part.text, part.style) if isinstance(part, Styled) else text.append(part)
        room = max(10, width - _STAMP - 1)
        body = list(text.wrap(self._console, room)) if is_long(one) else [_cut(text, room)]
        stamps = [f" {at:%H:%M:%S} ", *(" " * _STAMP for _ in body[1:])]
        return [
            Text().append(stamp, "dim").append_text(line)
            for stamp, line in zip(stamps, body, strict=True)
        ]


def _cut(text: Text, width: int) -> Text:
    text.truncate(width, overflow="ellipsis")
    return text


def _between(left: Text, right: Text, width: int) -> Text:
    """``left`` and ``right`` at the two ends of a line; the left is cut where they would meet."""
    if right.cell_len + 2 > width // 2:
        return _cut(left, width)
    _cut(left, width - right.cell_len - 1)
    gap = width - left.cell_len - right.cell_len
    return left.append(" " * gap).append_text(right)
