"""``hippo watch``."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING, Any

from hippocampus_cli.cli.boundary import INTERRUPTED
from hippocampus_cli.cli.context import CommandContext
from hippocampus_cli.cli.options import REAL, WORKSPACE, flag, option, takes
from hippocampus_cli.cli.surroundings import present

if TYPE_CHECKING:
    from hippocampus_cli.api import Watch
    from hippocampus_cli.cli.render.watch import JsonView, PlainView

# SIGHUP: the terminal was closed. Windows has another set.
_STOPPING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


@takes(
    flag("--maintain", "Also run the cycles of upkeep when they are due."),
    option(
        "--poll",
        "Look every so often instead of being told by the system.",
        metavar="SECONDS",
        kind=REAL,
        low=0.2,
        high=3600,
    ),
    shared=(
        WORKSPACE,
        flag("--json", "Print one JSON object a line.", name="as_json", kind="flag", default=False),
    ),
)
def command(session: CommandContext, maintain: bool, poll: float | None) -> int:
    """Keep the index up to date with the notes while you work.

    New, changed, moved and deleted notes are in the index within a second. Ctrl-C stops it (exit code 130),
    and so does SIGTERM (exit code 0).

    Examples:
      hippo watch
      hippo watch --maintain >> watch.log
      hippo watch --json | jq -r 'select(.event == "added").path'
      hippo watch --poll 5
    """
    with (
        session.open_as_is() as opened,
        opened.upkeep.watch(
            _view(session), maintain=maintain, poll=poll, clock=lambda: present(session.environ)
        ) as watch,
        _signals(watch),
    ):
        reason = watch.run()
    return INTERRUPTED if reason == "SIGINT" else 0


def _view(session: CommandContext) -> JsonView | PlainView:
    from hippocampus_cli.cli.render.watch import JsonView, PlainView

    return JsonView(session.output) if session.output.as_json else PlainView(session.output)


@contextlib.contextmanager
def _signals(watch: Watch) -> Iterator[None]:
    """Have signals stop the watch when its sync is done; a second one ends it at once."""
    before: dict[int, Any] = {}

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(number, before[number])
        watch.stop(signal.Signals(number).name)

    numbers = [getattr(signal, name) for name in _STOPPING if hasattr(signal, name)]
    try:
        for number in numbers:
            was = signal.getsignal(number)
            if was is not signal.SIG_IGN:  # as under nohup, and in the background of a script
                before[number] = signal.signal(number, stop)
        yield
    finally:
        for number, was in before.items():
            signal.signal(number, was)
