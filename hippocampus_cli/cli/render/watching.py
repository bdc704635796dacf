"""What a watch tells, line by line: for people, and for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from hippocampus_cli.cli.render.columns import count
from hippocampus_cli.cli.render.output import Output, Styled
from hippocampus_cli.cli.render.safe import safe_line
from hippocampus_cli.watching.telling import Status
from hippocampus_cli.watching.upkeep import (
    ADDED,
    CHANGED,
    CYCLE,
    GONE,
    KINDS,
    MOVED,
    NOTICE,
    REFUSED,
    Happened,
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
    """One line for everything that happens; on a terminal without the date, which a log needs."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def begin(self, status: Status) -> None:
        place = Styled(safe_line(str(status.root)), "bold")
        self._line("watching ", place, f": {scope(status)}, by {status.way.kind}")
        if status.way.polls:
            self._line(Styled(f"polling: {safe_line(status.way.explanation)}", "yellow"))

    def tell(self, at: datetime, happened: Sequence[Happened], status: Status) -> None:
        stamp = f"{at:%H:%M:%S}" if self._output.terminal else f"{at:%Y-%m-%d %H:%M:%S}"
        for one in happened:
            self._output.line(Styled(stamp, "dim"), "  ", *parts_of(one))
        self._output.out.flush()

    def redraw(self) -> None:
        """Lines stay as they are."""

    def end(self, at: datetime, status: Status, reason: str) -> None:
        self._line(f"stopped by {reason}: {sums(status.counts)}")

    def close(self) -> None:
        """There is nothing to put back."""

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
                "by": status.way.kind,
                "poll_seconds": status.way.seconds or None,
                "because": status.way.explanation or None,
                "folders": status.folders,
                "entries": status.entries,
            }
        )

    def tell(self, at: datetime, happened: Sequence[Happened], status: Status) -> None:
        for one in happened:
            self._print(
                {
                    "event": one.kind,
                    "at": _stamp(at),
                    "path": one.path or None,
                    "entry": one.entry,
                    "detail": one.detail,
                }
            )

    def redraw(self) -> None:
        """Lines stay as they are."""

    def end(self, at: datetime, status: Status, reason: str) -> None:
        self._print(
            {
                "event": "stopped",
                "at": _stamp(at),
                "reason": reason,
                "entries": status.entries,
                "syncs": status.syncs,
                "counts": status.counts,
            }
        )

    def close(self) -> None:
        """There is nothing to put back."""

    def _print(self, document: dict[str, object]) -> None:
        self._output.json(document, one_line=True)
        self._output.out.flush()


def parts_of(one: Happened) -> list[str | Styled]:
    """One line of what happened: its kind, the note, the entry, more."""
    parts: list[str | Styled] = [Styled(f"{one.kind:<{_KIND}}", _STYLES.get(one.kind, ""))]
    if one.path:
        parts.append(f" {safe_line(one.path)}")
    if one.entry:
        parts.append(Styled(f" → {safe_line(one.entry)}", "cyan"))
    if one.detail:
        parts.append(Styled(f"  {safe_line(one.detail)}", "" if is_long(one) else "dim"))
    return parts


def is_long(one: Happened) -> bool:
    """Whether every word of it counts."""
    return one.kind in (REFUSED, NOTICE)


def scope(status: Status) -> str:
    """``84 entries, 12 folders``."""
    entries = count(status.entries, "entry", "entries")
    return f"{entries}, {count(status.folders, 'folder')}"


def sums(counts: Mapping[str, int]) -> str:
    """``3 added, 1 gone``."""
    found = [f"{counts[kind]:,} {kind}" for kind in KINDS if counts.get(kind)]
    return ", ".join(found) or "nothing happened"


def _stamp(at: datetime) -> str:
    return at.isoformat("T", "seconds")
