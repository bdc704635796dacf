"""What a watch shows: lines, objects, and a screen."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.cells import cell_len

from hippocampus_cli.cli.render.output import Output
from hippocampus_cli.cli.render.watch import JsonView, LiveView, PlainView
from hippocampus_cli.watch.backends import Backend
from hippocampus_cli.watch.events import KINDS, Status, WatchEvent
from tests.docs.pages import read, section, words

AT = datetime(2026, 8, 1, 9, 14, 3, tzinfo=UTC)
HOSTILE = "memory/\x1b[2J\u202ea.md"
THINGS = [
    WatchEvent("added", "memory/2026-08-01.md", "office-key", "Office key"),
    WatchEvent("gone", HOSTILE, "ol\x07d", "line\nbreak"),
    WatchEvent(
        "refused", "HIPPOCAMPUS.md:12", None, "another hippo has been writing; " * 9 + "end"
    ),
]
POLLING = Backend("polling", 2.0, "/mnt/nas is a nfs4 mount", "do\x1b[31m this")


def status(backend: Backend = Backend("inotify"), **counts: int) -> Status:  # noqa: B008
    return Status(Path("/home/ann/agent"), 4711, AT, backend, 12, 84, 3, counts)


def output(*, terminal: bool = False, colour: bool = False) -> Output:
    stream = io.StringIO()
    return Output(stream, stream, as_json=False, terminal=terminal, colour=colour, width=80)


def printed(made: Output) -> str:
    assert isinstance(made.out, io.StringIO)
    return made.out.getvalue()


def test_lines_for_a_log() -> None:
    made = output()
    view = PlainView(made)
    view.begin(status(POLLING))
    view.show(AT, THINGS[:2], status())
    view.end(AT, status(added=1, gone=1), "SIGTERM")
    assert printed(made).splitlines() == [
        "watching /home/ann/agent: 84 entries, 12 folders, by polling",
        "polling: /mnt/nas is a nfs4 mount; scanning every 2 s; do␛[31m this",
        "2026-08-01 09:14:03  added    memory/2026-08-01.md → office-key  Office key",
        "2026-08-01 09:14:03  gone     memory/␛[2J<U+202E>a.md → ol␇d  line break",
        "stopped by SIGTERM: 1 added, 1 gone",
    ]


def test_on_a_terminal_the_day_is_known() -> None:
    made = output(terminal=True)
    PlainView(made).show(AT, THINGS[:1], status())
    assert printed(made).startswith("09:14:03  added ")


def test_objects_for_a_program_are_what_the_page_says() -> None:
    made = output(terminal=True)
    view = JsonView(made)
    view.begin(status(POLLING))
    view.show(AT, [WatchEvent(kind, "", None, "") for kind in KINDS], status())
    view.show(AT, THINGS, status())
    view.end(AT, status(added=2), "SIGINT")
    documents = [json.loads(line) for line in printed(made).splitlines()]
    stated = words(section(read("watch"), "Events"))
    assert {key for document in documents for key in document} <= stated
    assert {document["event"] for document in documents} <= stated
    assert documents[0] | {"because": ""} == {
        "event": "watching",
        "at": "2026-08-01T09:14:03+00:00",
        "workspace": "/home/ann/agent",
        "pid": 4711,
        "by": "polling",
        "poll_seconds": 2.0,
        "because": "",
        "folders": 12,
        "entries": 84,
    }
    assert documents[-3]["path"] == HOSTILE  # escaped on the way
    assert documents[-1]["counts"] == {"added": 2} and documents[-1]["reason"] == "SIGINT"


class Screen:
    """What a live view draws at a size."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        self._output = output(terminal=True, colour=True)
        self.view = LiveView(self._output)

    def drawn(self, width: int, height: int) -> list[str]:
        self._monkeypatch.setenv("COLUMNS", str(width))
        self._monkeypatch.setenv("LINES", str(height))
        start = len(printed(self._output))
        self.view.redraw()
        text = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", printed(self._output)[start:])
        return [line.rstrip() for line in text.splitlines()]


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    made = Screen(monkeypatch)
    made.view.begin(status())
    yield made
    made.view.close()


@pytest.mark.parametrize(("width", "height"), [(120, 30), (60, 12), (24, 8), (10, 3)])
def test_the_screen_fits_every_size(screen: Screen, width: int, height: int) -> None:
    screen.view.show(AT, THINGS * 20, status(added=20, gone=20, refused=20))
    lines = screen.drawn(width, height)
    assert len(lines) == height
    assert max(map(cell_len, lines)) <= width
    assert "\x1b" not in "".join(lines) and "\u202e" not in "".join(lines)


def test_the_screen_shows_how_it_stands_and_the_last_that_happened(screen: Screen) -> None:
    assert screen.drawn(60, 7) == [
        " hippo watch  /home/ann/agent                   since 09:14",
        " ● 84 entries, 12 folders, by inotify",
        "",
        "  no events yet",
        "",
        "",
        f"{'Ctrl-C to stop':>59}",
    ]
    added = [WatchEvent("added", f"{number}.md", None, "") for number in range(9)]
    screen.view.show(AT, added, status(POLLING, added=9))
    assert screen.drawn(60, 7)[1:] == [
        " ● 84 entries, 12 folders, by polling every 2 s",
        "",
        " 09:14:03 added    7.md",
        " 09:14:03 added    8.md",
        "",
        f" 9 added{'Ctrl-C to stop':>51}",
    ]


def test_a_refusal_is_shown_to_its_last_word(screen: Screen) -> None:
    screen.view.show(AT, THINGS, status())
    lines = screen.drawn(60, 20)
    (first,) = [at for at, line in enumerate(lines) if "refused " in line]
    (last,) = [at for at, line in enumerate(lines) if line.endswith("end")]
    assert lines[first].startswith(" 09:14:03 refused  HIPPOCAMPUS.md:12")
    assert last > first + 4
    assert all(line.startswith(" " * 10) for line in lines[first + 1 : last + 1])
