"""``hippo watch``."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator, Sequence
from datetime import datetime
from types import FrameType
from typing import Any

from hippocampus_cli import api
from hippocampus_cli.cli.boundary import INTERRUPTED
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import FLAG, WORKSPACE, option, present, takes
from hippocampus_cli.cli.output import Output, bold, count, dim, row

# SIGHUP: the terminal was closed. Windows has another set.
_STOPPING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


@takes(
    option("--maintain", "Also run the cycles of upkeep when they are due."),
    option(
        "--poll",
        "Look every so often instead of being told by the system.",
        metavar="SECONDS",
        low=0.2,
    ),
    shared=(
        WORKSPACE,
        option("--json", "Print one JSON object a line.", name="as_json", kind=FLAG, default=False),
    ),
)
def command(session: CommandContext, *, maintain: bool, poll: float | None) -> int:
    """Keep the index up to date with the notes while you work.

    New, changed, moved and deleted notes are in the index within a second. Ctrl-C stops it (exit code 130),
    and so does SIGTERM (exit code 0).

    Examples:
      hippo watch
      hippo watch --maintain >> watch.log
      hippo watch --json | jq -r 'select(.event == "added").path'
      hippo watch --poll 5
    """
    view = WatchView(session.output)
    opened = session.open(clock=lambda: present(session.environ))
    with (
        opened.upkeep.watch(view, maintain=maintain, poll=poll) as watch,
        _signals(watch),
    ):
        reason = watch.run()
    return INTERRUPTED if reason == "SIGINT" else 0


@contextlib.contextmanager
def _signals(watch: api.Watch) -> Iterator[None]:
    """Have signals stop the watch when its sync is done; a second one ends it at once."""
    before: dict[int, Any] = {}

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(number, before[number])
        watch.stop(signal.Signals(number).name)

    for number in (getattr(signal, name) for name in _STOPPING if hasattr(signal, name)):
        was = signal.getsignal(number)
        if was is not signal.SIG_IGN:  # as under nohup, and in the background of a script
            before[number] = signal.signal(number, stop)
    try:
        yield
    finally:
        for number, was in before.items():
            signal.signal(number, was)


class WatchView:
    """A line an event, as text or as JSON."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def begin(self, status: api.WatchStatus) -> None:
        """Say what is watched, and how."""
        backend = status.backend
        known = row(status, "pid entries", workspace=status.root, by=backend.kind)
        poll = {"poll_seconds": backend.seconds or None, "because": backend.explanation or None}
        how = f"{count(status.entries, 'entry')}, by {backend.kind}  {backend.explanation}"
        self._say("watching", status.since, f"{status.root}: {how}", **known, **poll)

    def show(self, at: datetime, events: Sequence[api.WatchEvent], status: api.WatchStatus) -> None:
        """Print what happened."""
        for event in events:
            entry = f"→ {event.entry}" if event.entry else ""
            line = "  ".join(filter(None, (event.path, entry, event.detail)))
            self._say(event.kind, at, line, **row(event, "entry detail", path=event.path or None))

    def end(self, at: datetime, status: api.WatchStatus, reason: str) -> None:
        """Say why it stopped, and what happened in all."""
        sums = ", ".join(f"{number:,} {kind}" for kind, number in status.counts.items())
        known = row(status, "entries syncs counts", reason=reason)
        self._say("stopped", at, f"by {reason}: {sums or 'no events'}", **known)

    def _say(self, event: str, at: datetime, line: str, **known: object) -> None:
        stamp = at.isoformat("T", "seconds")
        self._output.json({"event": event, "at": stamp, **known}, one_line=True)
        self._output.line(dim(f"{at:%Y-%m-%d %H:%M:%S}  "), bold(event), f"  {line}".rstrip())
        self._output.out.flush()
