"""The calls of a Workspace: what they want, that they take turns, and what closing and forking do to it."""

from __future__ import annotations

import gc
import inspect
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import hippocampus_cli as hippo
from hippocampus_cli import open_workspace
from hippocampus_cli.api import workspace as door
from hippocampus_cli.api.workspace import _OLD_NAMES, Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.errors import HippoError, NothingToForget, UsageError

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
NAIVE = datetime(2026, 6, 1, 12)


NEEDED: dict[str, tuple[Any, ...]] = {
    "add": ("Copies", ["TOOLS.md"]),
    "query": ("deploy",),
    "recall": ("deploy",),
    "remember": ("Kelp is cut in May.",),
    "show": ("deploy",),
    **dict.fromkeys(("answer", "outdate", "held_at"), ([],)),
    "export": ("memory.zip",),
    "import_file": ("memory.zip",),
    "tag": ("deploy",),
    "unforget": (1,),
    "at": (NOW,),
    "watch": (object(),),
    "allow_network": (False,),
    "compact": ("session.jsonl",),
    "answer_pi": ("{}", os.urandom),
    "encode": ("session.jsonl",),
    "fetch": ("m1",),
    "search": ("deploy",),
    "lookup": ("deploy",),
    "believe": ("The oven is red.",),
    "statements": ("e1",),
    **dict.fromkeys(("settle", "retract", "why"), ("b1",)),
}
"""What a method is called with where it needs something."""
PARTS = ("entries", "upkeep", "sessions", "mind", "curation", "packages", "anchors")


def methods() -> Iterator[tuple[str, str]]:
    """Every call that takes turns: the part, empty for the workspace itself, and the method."""
    for name, _ in inspect.getmembers(Workspace, inspect.isfunction):
        if not name.startswith("_"):
            yield "", name
    root = Path("/")
    for part in PARTS:
        kind = type(getattr(Workspace(root, Config()), part))
        for name, _ in inspect.getmembers(kind, inspect.isfunction):
            if not name.startswith("_"):
                yield part, name


METHODS = list(methods())


def call_of(workspace: Workspace, part: str, name: str) -> Callable[[], object]:
    on = getattr(workspace, part) if part else workspace
    return lambda: getattr(on, name)(*NEEDED.get(name, ()))


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    monkeypatch.chdir(tmp_path)
    text = "# Tools\n\n## Deploy\n\nRun `kelpctl release prod`.\n\n## Backups\n\nrestic at 01:40.\n"
    (tmp_path / "TOOLS.md").write_text(text)
    (tmp_path / "HIPPOCAMPUS.md").write_text(
        "# HIPPOCAMPUS.md\n\n## By Topic\n\n### Deploy\n→ TOOLS.md §Deploy\n"
        "<!-- hx: id=deploy | created=2026-05-01 | hits=1 | str=0.80 | base=0.90 -->\n"
    )
    with open_workspace(tmp_path) as opened:
        yield opened


def tree(root: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in sorted(root.rglob("*")) if one.is_file()}


WRONG: dict[str, Callable[[Workspace], object]] = {
    "one text for a list of tags": lambda ws: ws.entries.add("Copies", ["TOOLS.md"], tags="ship"),
    "one text for a list of pointers": lambda ws: ws.entries.add("Copies", "TOOLS.md", force=True),
    "one text for a list of relations": lambda ws: ws.entries.add(
        "Copies", ["TOOLS.md"], rel="deploy", force=True
    ),
    "no pointer": lambda ws: ws.entries.add("Copies", []),
    "tags added as one text": lambda ws: ws.entries.tag("deploy", add="ship"),
    "tags removed as one text": lambda ws: ws.entries.tag("deploy", remove="ship"),
    "tags of a memory as one text": lambda ws: ws.remember("Kelp is cut in May.", tags="kelp"),
    "names of a belief as one text": lambda ws: ws.mind.believe("I prefer trains.", tags="kelp"),
    "bytes": lambda ws: ws.remember(b"Kelp is cut in May."),  # type: ignore[arg-type]
    "an unknown priority of a memory": lambda ws: ws.remember("Kelp.", pri="urgent"),
    "an unknown priority of an entry": lambda ws: ws.entries.add("A", ["TOOLS.md"], pri="urgent"),
    "an unknown cycle": lambda ws: ws.upkeep.run("hourly"),
    "an unknown cycle to look at": lambda ws: ws.upkeep.run("hourly", dry_run=True),
    "an unknown order": lambda ws: ws.entries.list(sort="colour"),
    "no time zone": lambda ws: ws.at(NAIVE).remember("Kelp is cut in May."),
    "no time zone for upkeep": lambda ws: ws.at(NAIVE).upkeep.run(),
    "no time zone for a query": lambda ws: ws.at(NAIVE).query("deploy"),
    "the year 1": lambda ws: ws.at(NOW.replace(year=1)).upkeep.run(),
    "two things to forget": lambda ws: ws.upkeep.forget("deploy", path="TOOLS.md"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_would_do_harm_is_refused_before_anything_changes(
    workspace: Workspace, wrong: str
) -> None:
    before = tree(workspace.root)
    with pytest.raises(UsageError):
        WRONG[wrong](workspace)
    assert tree(workspace.root) == before


@pytest.mark.parametrize(
    "wrong",
    [
        lambda context: context.add(b"text", type="diary"),
        lambda context: context.add(b"text", priority="urgent"),
        lambda context: context.pin("ctx_001", priority="urgent"),
        lambda context: context.link("ctx_001"),
        lambda context: context.turn(-5),
    ],
)
def test_a_session_takes_in_nothing_that_it_could_not_read_again(
    workspace: Workspace, wrong: Callable[[Any], object]
) -> None:
    context = workspace.at(NOW).context("one")
    context.begin()
    context.add(b"Never deploy on a Friday.", type="message")
    before = tree(workspace.root)
    with pytest.raises(UsageError):
        wrong(context)
    assert tree(workspace.root) == before
    assert context.window().text


@pytest.mark.parametrize("text", ["a \ud800 b", "a \udcff b"])
def test_half_a_character_is_no_text(workspace: Workspace, text: str) -> None:
    calls: list[Callable[[], object]] = [
        lambda: workspace.remember(text),
        lambda: workspace.remember("The gate opens at nine.", title=text),
        lambda: workspace.remember("The gate opens at nine.", tags=[text]),
        lambda: workspace.entries.add("Gate", ["a.md"], summary=text),
    ]
    for call in calls:
        with pytest.raises(UsageError, match="is not UTF-8"):
            call()
    with pytest.raises(UsageError, match="is not UTF-8"):
        workspace.upkeep.forget("a \ud800 b")
    with pytest.raises(NothingToForget):
        workspace.upkeep.forget("latin \udcff latin")  # what a file may well hold


def test_how_many_arguments_there_are_is_left_to_python(workspace: Workspace) -> None:
    with pytest.raises(TypeError, match="positional argument"):
        workspace.query("deploy", "hybrid")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword"):
        workspace.query("deploy", mood="good")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="missing"):
        workspace.query()  # type: ignore[call-arg]


def test_an_iterator_is_looked_at_once(workspace: Workspace) -> None:
    assert workspace.entries.tag("deploy", add=iter(("ship", "kelp"))).tags == ("ship", "kelp")


@pytest.mark.parametrize(("part", "name"), METHODS)
def test_every_call_waits_for_its_turn(workspace: Workspace, part: str, name: str) -> None:
    begun, done = threading.Event(), threading.Event()

    def call() -> None:
        begun.set()
        with suppress(HippoError):
            call_of(workspace, part, name)()
        done.set()

    thread = threading.Thread(target=call)
    with workspace.lock:
        thread.start()
        assert begun.wait(10)
        assert not done.wait(0.05)
    assert done.wait(30)
    thread.join()


def test_the_calls_of_a_session_wait_for_their_turn(workspace: Workspace) -> None:
    context = workspace.at(NOW).context("one")
    context.begin()
    done = threading.Event()
    thread = threading.Thread(target=lambda: (context.turn(), done.set()))
    with workspace.lock:
        thread.start()
        assert not done.wait(0.05)
    assert done.wait(30)
    thread.join()
    workspace.at(NOW.replace(year=2027))
    assert context.turn().session.updated > "2027"  # each call is at its own moment


def test_no_call_hands_out_work_that_is_still_to_be_done(workspace: Workspace) -> None:
    for part, name in METHODS:
        try:
            given = call_of(workspace, part, name)()
        except HippoError:
            continue
        assert not isinstance(given, Iterator), name


@pytest.mark.parametrize("name", _OLD_NAMES)
def test_an_old_name_leads_to_the_new_one_and_says_so(workspace: Workspace, name: str) -> None:
    part, _, method = _OLD_NAMES[name].partition(".")
    with pytest.warns(DeprecationWarning, match=rf"{name}\(\) is now Workspace\.{part}"):
        old = getattr(workspace, name)
    assert old.__func__ is getattr(type(getattr(workspace, part)), method)


def test_entries_answers_as_a_method_too(workspace: Workspace) -> None:
    with pytest.warns(DeprecationWarning, match="entries.list"):
        assert workspace.entries(sort="topic") == workspace.entries.list(sort="topic")


def test_an_unknown_name_is_no_attribute(workspace: Workspace) -> None:
    with pytest.raises(AttributeError, match="'Workspace' object has no attribute 'nothing'"):
        _ = workspace.nothing  # type: ignore[attr-defined]


def test_the_package_opens_a_workspace(workspace: Workspace) -> None:
    with hippo.open(workspace.root) as opened:
        assert opened.query("deploy", write=False).results
    assert hippo.open is hippo.open_workspace


def test_a_call_may_call_others(workspace: Workspace) -> None:
    seen: list[int] = []
    workspace.progress = lambda *_: seen.append(len(workspace.entries.list()))
    workspace.bootstrap()
    assert 1 in seen
    with workspace.lock:
        assert workspace.query("deploy", write=False).results


def test_closing_twice_and_going_on(workspace: Workspace) -> None:
    first = workspace.query("deploy", write=False).results
    workspace.close()
    workspace.close()
    assert workspace.query("deploy", write=False).results == first
    with workspace as again:
        assert again is workspace
        assert again.query("deploy", write=False).results == first


def test_what_fails_within_a_context_is_not_hidden(workspace: Workspace) -> None:
    with pytest.raises(ZeroDivisionError), workspace:
        raise ZeroDivisionError


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="no list of open files here")
def test_what_is_collected_is_closed(workspace: Workspace) -> None:
    def opened() -> list[str]:
        found = []
        for one in Path("/proc/self/fd").iterdir():
            try:
                found.append(str(one.readlink()))
            except OSError:
                continue
        return [one for one in found if one.startswith(str(workspace.root))]

    other = open_workspace(workspace.root)
    other.query("deploy", write=False)
    assert opened()
    del other
    gc.collect()
    assert not opened()


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")


def in_child(work: Callable[[], object]) -> int:
    """The exit code of a child that does ``work``: 0 where that raised nothing."""
    pid = os.fork()
    if not pid:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@needs_fork
def test_a_child_goes_on_with_what_its_parent_opened(workspace: Workspace) -> None:
    workspace.query("deploy", write=False)
    mine, lock = workspace.library, workspace.lock

    def work() -> None:
        assert workspace.lock is not lock
        assert workspace.query("deploy").results
        assert workspace.library is not mine
        workspace.remember("Said by the child.")
        workspace.close()

    assert in_child(work) == 0
    assert workspace.library is mine
    assert any("Said by the child" in one.text for one in workspace.query("said child").results)


@needs_fork
@pytest.mark.parametrize("seconds", [10, 0.1])
def test_a_fork_waits_for_a_call_of_another_thread_and_not_for_ever(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    monkeypatch.setattr(door, "_FORK_SECONDS", seconds)
    begun, may_end = threading.Event(), threading.Event()

    def hold() -> None:
        with workspace.lock:
            begun.set()
            may_end.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    assert begun.wait(10)
    if seconds > 1:
        threading.Timer(0.2, may_end.set).start()
    assert in_child(lambda: workspace.query("deploy")) == 0
    assert may_end.is_set() == (seconds > 1)
    may_end.set()
    thread.join()
    assert workspace.query("deploy").results


@needs_fork
def test_a_fork_from_within_a_call(workspace: Workspace) -> None:
    def work() -> None:
        assert workspace.query("deploy", write=False).results

    codes: list[int] = []
    workspace.progress = lambda *_: codes.append(in_child(work))
    workspace.bootstrap()
    assert set(codes) == {0}
    assert workspace.query("deploy", write=False).results


@pytest.mark.skipif(sys.platform == "win32", reason="needs os.fork")
def test_an_object_that_is_gone_is_not_waited_for(workspace: Workspace) -> None:
    other = open_workspace(workspace.root)
    lock = other.lock
    with lock:
        del other
        gc.collect()
        assert in_child(lambda: None) == 0


def test_help_still_shows_what_a_call_takes() -> None:
    assert "text: 'str'" in str(inspect.signature(Workspace.query))
    assert (Workspace.query.__doc__ or "").startswith("Ask the workspace")
    assert (Workspace.library.__doc__ or "").startswith("The notes")
