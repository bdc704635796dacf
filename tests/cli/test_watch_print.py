"""What a watch prints: lines and objects."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime
from pathlib import Path

from hippocampus_cli.cli.commands.watch import WatchView
from hippocampus_cli.cli.output import Output
from hippocampus_cli.watch.events import Status, WatchEvent
from hippocampus_cli.watch.observe import Backend
from tests.support.pages import read, section, words

AT = datetime(2026, 8, 1, 9, 14, 3, tzinfo=UTC)
HOSTILE = "memory/\x1b[2J\u202ea.md"
THINGS = [
    WatchEvent("added", "memory/2026-08-01.md", "office-key", "Office key"),
    WatchEvent("gone", HOSTILE, "ol\x07d", "line\nbreak"),
    WatchEvent(
        "refused", "HIPPOCAMPUS.md:12", None, "another hippo has been writing; " * 9 + "end"
    ),
]
POLLING = Backend("polling", 2.0, "/mnt/n\x1b[31mas is a nfs4 mount")


def status(backend: Backend = Backend("inotify"), **counts: int) -> Status:  # noqa: B008
    return Status(Path("/home/ann/agent"), 4711, AT, backend, 84, 3, counts)


def output(*, terminal: bool = False, colour: bool = False, as_json: bool = False) -> Output:
    stream = io.StringIO()
    return Output(stream, stream, as_json=as_json, terminal=terminal, colour=colour, width=80)


def printed(made: Output) -> str:
    assert isinstance(made.out, io.StringIO)
    return made.out.getvalue()


def test_lines_for_a_log() -> None:
    made = output()
    view = WatchView(made)
    view.begin(status(POLLING))
    view.show(AT, THINGS[:2], status())
    view.end(AT, status(added=1, gone=1), "SIGTERM")
    assert printed(made).splitlines() == [
        "2026-08-01 09:14:03  watching  /home/ann/agent: 84 entries, by polling"
        "  /mnt/n␛[31mas is a nfs4 mount; scanning every 2 s",
        "2026-08-01 09:14:03  added  memory/2026-08-01.md  → office-key  Office key",
        "2026-08-01 09:14:03  gone  memory/␛[2J<U+202E>a.md  → ol␇d  line break",
        "2026-08-01 09:14:03  stopped  by SIGTERM: 1 added, 1 gone",
    ]


def test_objects_for_a_program_are_what_the_page_says() -> None:
    made = output(terminal=True, as_json=True)
    view = WatchView(made)
    view.begin(status(POLLING))
    view.show(
        AT, [WatchEvent(kind, "", None, "") for kind in ("added", "gone", "notice")], status()
    )
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
        "entries": 84,
    }
    assert documents[-3]["path"] == HOSTILE  # escaped on the way
    assert documents[-1]["counts"] == {"added": 2} and documents[-1]["reason"] == "SIGINT"
