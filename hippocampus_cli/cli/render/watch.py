"""The events of a watch, line by line, for people and for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

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


class PlainView:
    """A line an event; on a terminal without the date, which a log needs."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def begin(self, status: Status) -> None:
        place = Styled(safe_line(str(status.root)), "bold")
        entries = count(status.entries, "entry", "entries")
        self._line("watching ", place, f": {entries}, by {status.backend.kind}")
        if status.backend.explanation:
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


class JsonView:
    """One JSON object a line, described in docs/watch.md."""

    def __init__(self, output: Output) -> None:
        self._output = output

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
        style = "" if one.kind in (REFUSED, NOTICE) else "dim"
        parts.append(Styled(f"  {safe_line(one.detail)}", style))
    return parts


def sums(counts: Mapping[str, int]) -> str:
    """``3 added, 1 gone``."""
    found = [f"{counts[kind]:,} {kind}" for kind in KINDS if counts.get(kind)]
    return ", ".join(found) or "no events"


def _stamp(at: datetime) -> str:
    return at.isoformat("T", "seconds")
