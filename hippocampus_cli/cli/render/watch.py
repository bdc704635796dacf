"""The events of a watch, line by line for people and for programs, and its live view on a screen of its own.

The live view is drawn when something events and when the size changes, and not else: an idle watch does nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from hippocampus_cli.cli.render.layout import count
from hippocampus_cli.cli.render.output import Output, Styled, picked
from hippocampus_cli.markdown.safe import safe_line
from hippocampus_cli.watch.events import (
    ADDED,
    CHANGED,
    CYCLE,
    GONE,
    KINDS,
    MOVED,
    NOTICE,
    REFUSED,
    Status,
    WatchEvent,
)

_KIND = 8
_STYLES = {
    ADDED: "green",
    CHANGED: "cyan",
    MOVED: "blue",
    GONE: "red",
    CYCLE: "magenta",
    REFUSED: "bold red",
    NOTICE: "yellow",
}


class _LineView:
    """Printed lines do not change: there is nothing to draw again or to restore."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def redraw(self) -> None: ...

    def close(self) -> None: ...


class PlainView(_LineView):
    """A line an event; on a terminal without the date, which a log needs."""

    def begin(self, status: Status) -> None:
        place = Styled(safe_line(str(status.root)), "bold")
        self._line("watching ", place, f": {scope(status)}, by {status.backend.kind}")
        if status.backend.polls:
            self._line(Styled(f"polling: {safe_line(status.backend.explanation)}", "yellow"))

    def show(self, at: datetime, events: Sequence[WatchEvent], status: Status) -> None:
        stamp = f"{at:%H:%M:%S}" if self._output.terminal else f"{at:%Y-%m-%d %H:%M:%S}"
        for one in events:
            self._output.line(Styled(stamp, "dim"), "  ", *parts_of(one))
        self._output.out.flush()

    def end(self, at: datetime, status: Status, reason: str) -> None:
        self._line(f"stopped by {reason}: {sums(status.counts)}")

    def _line(self, *parts: str | Styled) -> None:
        self._output.line(*parts)
        self._output.out.flush()


class JsonView(_LineView):
    """One JSON object a line, described in docs/watch.md."""

    def begin(self, status: Status) -> None:
        self._print(
            {
                "event": "watching",
                "at": _stamp(status.since),
                "workspace": str(status.root),
                "pid": status.pid,
                "by": status.backend.kind,
                "poll_seconds": status.backend.seconds or None,
                "because": status.backend.explanation or None,
                "folders": status.folders,
                "entries": status.entries,
            }
        )

    def show(self, at: datetime, events: Sequence[WatchEvent], status: Status) -> None:
        for one in events:
            details = {"path": one.path or None, **picked(one, "entry", "detail")}
            self._print({"event": one.kind, "at": _stamp(at), **details})

    def end(self, at: datetime, status: Status, reason: str) -> None:
        figures = picked(status, "entries", "syncs", "counts")
        self._print({"event": "stopped", "at": _stamp(at), "reason": reason, **figures})

    def _print(self, document: dict[str, object]) -> None:
        self._output.json(document, one_line=True)
        self._output.out.flush()


def parts_of(one: WatchEvent) -> list[str | Styled]:
    """The line of an event: its kind, the note, the entry, details."""
    parts: list[str | Styled] = [Styled(f"{one.kind:<{_KIND}}", _STYLES.get(one.kind, ""))]
    if one.path:
        parts.append(f" {safe_line(one.path)}")
    if one.entry:
        parts.append(Styled(f" → {safe_line(one.entry)}", "cyan"))
    if one.detail:
        parts.append(Styled(f"  {safe_line(one.detail)}", "" if is_long(one) else "dim"))
    return parts


def is_long(one: WatchEvent) -> bool:
    """Whether its details must not be cut."""
    return one.kind in (REFUSED, NOTICE)


def scope(status: Status) -> str:
    """``84 entries, 12 folders``."""
    entries = count(status.entries, "entry", "entries")
    return f"{entries}, {count(status.folders, 'folder')}"


def sums(counts: Mapping[str, int]) -> str:
    """``3 added, 1 gone``."""
    found = [f"{counts[kind]:,} {kind}" for kind in KINDS if counts.get(kind)]
    return ", ".join(found) or "no events"


def _stamp(at: datetime) -> str:
    return at.isoformat("T", "seconds")


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
        self._events: deque[tuple[datetime, WatchEvent]] = deque(maxlen=_KEPT)

    def begin(self, status: Status) -> None:
        self._status = status
        self._live.start()
        self.redraw()

    def show(self, at: datetime, events: Sequence[WatchEvent], status: Status) -> None:
        self._status = status
        self._events.extend((at, one) for one in events)
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
        yield from shown or [Text("  no events yet", "dim")]
        yield from [Text()] * (room - max(1, len(shown)))
        yield Text()
        counts = self._status.counts
        done = Text().append(f" {sums(counts)}" if counts else "", "dim")
        yield _between(done, Text().append("Ctrl-C to stop ", "dim"), width)

    def _header(self, width: int) -> Iterator[Text]:
        status = self._status
        title = Text(" hippo watch  ").append(safe_line(str(status.root)), "bold")
        yield _between(title, Text().append(f"since {status.since:%H:%M} ", "dim"), width)
        by = (
            f"polling every {status.backend.seconds:g} s"
            if status.backend.polls
            else status.backend.kind
        )
        style = "yellow" if status.backend.polls else "green"
        yield _cut(Text().append(" ● ", style).append(f"{scope(status)}, by {by}", "dim"), width)
        yield Text()

    def _event(self, at: datetime, one: WatchEvent, width: int) -> list[Text]:
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
