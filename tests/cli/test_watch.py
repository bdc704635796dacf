"""``hippo watch`` as a process of its own, with the system's notifications."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hippocampus_cli.cli.commands.watch import WatchView
from hippocampus_cli.cli.main import main
from hippocampus_cli.cli.output import Output
from hippocampus_cli.watch.events import WatchEvent, WatchStatus
from hippocampus_cli.watch.observe import Backend
from tests.support.command_line import Hippo
from tests.support.pages import read, section, words
from tests.support.processes import COMMAND, ENV, SECONDS, Process

SIREN = (
    "# Siren\n\n## Test\n\nThe siren on the roof is tested on the first Tuesday of every month.\n"
)
KELPIE = "# Kelpie\n\n## Loch\n\nThe kelpie lives in the loch and was last seen in March.\n"
posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "MEMORY.md").write_text(SIREN)
    assert main(["bootstrap", "-w", str(tmp_path), "--json"]) == 0
    return tmp_path


@pytest.fixture
def processes() -> Iterator[list[Process]]:
    started: list[Process] = []
    yield started
    for one in started:
        one.process.kill()
        one.process.communicate()


@pytest.fixture
def watching(root: Path, processes: list[Process]) -> Process:
    processes.append(Process(root, "--json"))
    begun = processes[0].event()
    assert begun["event"] == "watching" and begun["entries"] == 1
    return processes[0]


def index_of(root: Path) -> str:
    return (root / "HIPPOCAMPUS.md").read_text(encoding="utf-8")


def test_a_new_note_is_in_the_index_when_it_is_told(root: Path, watching: Process) -> None:
    (root / "kelpie.md").write_text(KELPIE)
    added = watching.event()
    assert (added["event"], added["path"], added["detail"]) == ("added", "kelpie.md", "Kelpie")
    assert f"id={added['entry']} " in index_of(root)


@posix
def test_a_change_is_told_though_the_cache_was_deleted(root: Path, watching: Process) -> None:
    shutil.rmtree(root / ".hippocampus/cache")
    (root / "MEMORY.md").write_text(SIREN.replace("first", "last"))
    assert watching.event("changed", "added")["path"] == "MEMORY.md"


@posix
@pytest.mark.parametrize(("number", "code"), [("SIGTERM", 0), ("SIGHUP", 0), ("SIGINT", 130)])
def test_a_signal_ends_it_cleanly(watching: Process, number: str, code: int) -> None:
    assert watching.end(getattr(signal, number)) == code
    stopped = watching.event()
    assert stopped["event"] == "stopped" and stopped["reason"] == number
    assert watching.complaints == ""


@posix
def test_what_a_script_ignores_stays_ignored(root: Path, processes: list[Process]) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as under nohup
    try:
        processes.append(Process(root, "--json"))
    finally:
        signal.signal(signal.SIGHUP, before)
    processes[0].event("watching")
    processes[0].process.send_signal(signal.SIGHUP)
    (root / "kelpie.md").write_text(KELPIE)
    processes[0].event("added")
    assert processes[0].end() == 0


def test_the_second_watch_says_so(root: Path, watching: Process, hippo: Hippo) -> None:
    said = hippo("watch", "-w", str(root), code=17).err
    assert "this workspace is already being watched" in said


def test_a_watch_that_was_killed_blocks_nobody(
    root: Path, watching: Process, processes: list[Process]
) -> None:
    watching.process.kill()
    watching.process.wait(SECONDS)
    processes.append(Process(root, "--json"))
    assert processes[1].event()["event"] == "watching"


def test_lines_for_people(root: Path, processes: list[Process]) -> None:
    processes.append(Process(root, "--poll", "0.2"))
    watching = processes[0]
    assert f"  watching  {root}: 1 entry, by polling  requested with --poll" in watching.line()
    (root / "kelpie.md").write_text(KELPIE)
    stamp, rest = (line := watching.line())[:19], line[19:]
    assert stamp[4] == "-" and rest == "  added  kelpie.md  → kelpie  Kelpie\n"


@posix
def test_when_its_reader_leaves_it_ends(root: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, str(root), "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV
    ) as process:
        assert process.stdout and process.stderr and b"watching" in process.stdout.readline()
        process.stdout.close()
        (root / "kelpie.md").write_text(KELPIE)
        assert process.wait(SECONDS) == 141
        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [(["--poll", "0"], 2, "0.2 to 1,0"), (["--poll", "x"], 2, "not a number"), ([], 4, "no index")],
)
def test_what_cannot_be_watched(
    tmp_path: Path, hippo: Hippo, options: list[str], code: int, said: str
) -> None:
    assert said in hippo("watch", "-w", str(tmp_path), *options, code=code).err
    assert list(tmp_path.iterdir()) == []


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


def status(backend: Backend = Backend("inotify"), **counts: int) -> WatchStatus:  # noqa: B008
    return WatchStatus(Path("/home/ann/agent"), 4711, AT, backend, 84, 3, counts)


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
