"""The calls of a Workspace: what they want, that they take turns, and what closing and forking do to it."""

from __future__ import annotations

import gc
import inspect
import os
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hippocampus_cli import open_workspace
from hippocampus_cli.api import Anchors, Context, Workspace, turns
from hippocampus_cli.api.argument_checks import NAMED, WANTED
from hippocampus_cli.api.turns import in_turn
from hippocampus_cli.errors import HippoError, NothingToForget, UsageError

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
NAIVE = datetime(2026, 6, 1, 12)


class View:
    """What a watch tells nothing that matters here."""

    def begin(self, status: Any) -> None: ...
    def show(self, at: datetime, events: Any, status: Any) -> None: ...
    def end(self, at: datetime, status: Any, reason: str) -> None: ...


NEEDED: dict[str, tuple[Any, ...]] = {
    "add": ("Copies", ["TOOLS.md"]),
    "anchors_lookup": ("deploy",),
    "query": ("deploy",),
    "remember": ("Kelp is cut in May.",),
    "show": ("deploy",),
    "contradicted": ("The oven is red.",),
    "related": ("deploy",),
    "export_graph": ("graph.txt",),
    "tag": ("deploy",),
    "pin": ("deploy",),
    "unpin": ("deploy",),
    "restore": ("deploy",),
    "unforget": (1,),
    "path_of": ("TOOLS.md",),
    "watch": (View(),),
    "allow_network": (False,),
    "compact": ("session.jsonl",),
    "fetch": ("m1",),
    "score": ("TOOLS.md",),
    "search_sessions": ("deploy",),
    "share": ("shared", "wren"),
    "receive": ("shared", "wren"),
}
"""What a method is called with where it needs something."""
METHODS = {
    name: member
    for name, member in inspect.getmembers(Workspace, inspect.isfunction)
    if not name.startswith("_")
}
PROPERTIES = [
    name
    for name, _ in inspect.getmembers(Workspace, lambda one: isinstance(one, property))
    if not name.startswith("_")
]
WRONG: dict[str, tuple[Any, ...]] = {
    "str": (5, b"deploy", ["deploy"], 1j),
    "Raw": (5, b"deploy", ["deploy"], 1j),
    "Question": (5, b"deploy", ["deploy"], 1j),
    "bool": ("yes", 1, [True]),
    "int": ("3", 2.0, True, [3]),
    "date": ("2026-05-01", 20260501),
    "datetime": ("2026-05-01", NAIVE, NOW.date(), NOW.replace(year=1)),
    "Iterable[str]": ("deploy", b"deploy", 5, ["deploy", 5], [["deploy"]]),
    "Iterable[Raw]": ("deploy", b"deploy", 5, ["deploy", 5], [["deploy"]]),
    "str | Path": (5, b".", ["."]),
    "Path": (".", 5),
    "float": ("1", [1.0]),
    "Format": ("pdf", 5),
    "View": ("plain", 5),
    "Callable[[], datetime]": (NOW,),
    "Config": ("", {}, 5),
    "Mapping[str, str]": ("HOME", 5, [("HOME", "/")]),
    "Opener": ("use-multilingual", 5),
    "Callable[[int, int], object]": ("bar", 5),
    "Callable[[int, int], None]": ("bar", 5),
}
UNKNOWN = {
    "to": ([],),
    "pri": ("urgent", ""),
    "priorities": (["urgent"],),
    "bands": (["strongest"],),
    "kinds": (["diary"],),
    "cycle": ("hourly", ""),
}


def wrong_calls() -> Iterator[tuple[str, str, Any]]:
    functions: dict[str, Callable[..., Any]] = {
        **METHODS,
        "open_workspace": open_workspace,
        "Workspace": Workspace.__init__,
    }
    for name, function in functions.items():
        for one in inspect.signature(function).parameters.values():
            if one.name == "self":
                continue
            kind = one.annotation.removesuffix(" | None")
            values = [*WRONG[kind], *UNKNOWN.get(one.name, ())]
            if kind == one.annotation:
                values.append(None)
            for value in values:
                yield name, one.name, value


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
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


@pytest.mark.parametrize(("method", "argument", "value"), list(wrong_calls()), ids=repr)
def test_a_wrong_argument_is_named_before_anything_changes(
    workspace: Workspace, method: str, argument: str, value: Any
) -> None:
    before = tree(workspace.root)
    with pytest.raises(UsageError) as raised:
        _call_wrongly(workspace, method, argument, value)
    assert f"the argument {argument} must be " in str(raised.value)
    assert tree(workspace.root) == before


VALUES = {"ContextSession | None", "Window"}  # what other calls gave


@pytest.mark.parametrize("kind", [Anchors, Context])
def test_every_argument_of_a_group_is_checked(kind: type) -> None:
    for name, method in inspect.getmembers(kind, inspect.isfunction):
        for one in inspect.signature(method).parameters.values():
            if not name.startswith("_") and one.name != "self" and one.annotation not in VALUES:
                assert one.name in NAMED or one.annotation.removesuffix(" | None") in WANTED


def test_groups_name_a_wrong_argument_and_take_turns(workspace: Workspace) -> None:
    context = workspace.context("one")
    context.begin()
    before = tree(workspace.root)
    wrong: list[Callable[[], object]] = [
        lambda: context.add("text"),  # type: ignore[arg-type]
        lambda: context.add(b"text", type="diary"),  # type: ignore[arg-type]
        lambda: context.pin("ctx_001", priority="urgent"),  # type: ignore[arg-type]
        lambda: context.turn("2"),  # type: ignore[arg-type]
        lambda: context.touch(5),  # type: ignore[arg-type]
        lambda: workspace.anchors.lookup(5),  # type: ignore[arg-type]
        lambda: workspace.anchors.build(check="yes"),  # type: ignore[arg-type]
    ]
    for call in wrong:
        with pytest.raises(UsageError, match=r"the argument .* must be"):
            call()
    assert tree(workspace.root) == before
    done = threading.Event()
    thread = threading.Thread(target=lambda: (context.turn(), done.set()))
    with workspace.lock:
        thread.start()
        assert not done.wait(0.05)
    assert done.wait(30)
    thread.join()


def _call_wrongly(workspace: Workspace, method: str, argument: str, value: Any) -> None:
    if method == "Workspace":
        given = {"root": workspace.root, "config": workspace.config, argument: value}
        Workspace(**given)
        return
    if method == "open_workspace":
        open_workspace(**{"path": workspace.root, argument: value})
        return
    called = getattr(workspace, method)
    signature = inspect.signature(METHODS[method])
    if signature.parameters[argument].kind is inspect.Parameter.VAR_POSITIONAL:
        called(value)
        return
    bound = signature.bind(workspace, *NEEDED.get(method, ()))
    named = {**bound.arguments, argument: value}
    del named["self"]
    rest = [*named.pop("keys", ()), *named.pop("paths", ())] if method in _WITH_REST else []
    called(*rest, **named)


_WITH_REST = [
    name
    for name, function in METHODS.items()
    if any(
        one.kind is inspect.Parameter.VAR_POSITIONAL
        for one in inspect.signature(function).parameters.values()
    )
]


def test_every_argument_of_the_public_api_is_checked() -> None:
    for function in (*METHODS.values(), open_workspace, Workspace.__init__):
        for one in inspect.signature(function).parameters.values():
            if one.name != "self":
                assert one.name in NAMED or one.annotation.removesuffix(" | None") in WANTED


@pytest.mark.parametrize("text", ["a \ud800 b", "a \udcff b"])
def test_half_a_character_is_no_text(workspace: Workspace, text: str) -> None:
    calls: list[Callable[[], object]] = [
        lambda: workspace.remember(text),
        lambda: workspace.remember("The gate opens at nine.", title=text),
        lambda: workspace.remember("The gate opens at nine.", tags=[text]),
        lambda: workspace.add("Gate", ["a.md"], summary=text),
    ]
    for call in calls:
        with pytest.raises(UsageError, match="is not UTF-8"):
            call()
    with pytest.raises(UsageError, match="is not UTF-8"):
        workspace.forget("a \ud800 b")
    with pytest.raises(NothingToForget):
        workspace.forget("latin \udcff latin")  # what a file may well hold


def test_arguments_given_by_place_are_checked_too(workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="the argument to must be"):
        workspace.add("Copies", "TOOLS.md")
    with pytest.raises(UsageError, match="the argument text must be"):
        workspace.query(None)  # type: ignore[arg-type]


def test_how_many_arguments_there_are_is_left_to_python(workspace: Workspace) -> None:
    with pytest.raises(TypeError, match="positional argument"):
        workspace.query("deploy", "hybrid")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword"):
        workspace.query("deploy", mood="good")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="missing"):
        workspace.query()  # type: ignore[call-arg]


def test_an_iterator_is_looked_at_once(workspace: Workspace) -> None:
    assert workspace.tag("deploy", add=(one for one in ("ship", "kelp"))).tags == ("ship", "kelp")


class _Odd:
    def __repr__(self) -> str:
        raise RuntimeError


def test_a_value_that_cannot_be_shown_is_named_by_its_type(workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="not _Odd"):
        workspace.query(_Odd())  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [*METHODS, *PROPERTIES])
def test_every_call_waits_for_its_turn(workspace: Workspace, name: str) -> None:
    begun, done = threading.Event(), threading.Event()

    def call() -> None:
        begun.set()
        try:
            member = getattr(workspace, name)
            if name in METHODS:
                member(*NEEDED.get(name, ()))
        except HippoError:
            pass
        done.set()

    thread = threading.Thread(target=call)
    with workspace.lock:
        thread.start()
        assert begun.wait(10)
        assert not done.wait(0.05)
    assert done.wait(30)
    thread.join()


def test_no_call_hands_out_work_that_is_still_to_be_done(workspace: Workspace) -> None:
    workspace.anchors.build(now=NOW)
    for name in METHODS:
        try:
            given = getattr(workspace, name)(*NEEDED.get(name, ()))
        except HippoError:
            continue
        assert not isinstance(given, Iterator), name


def test_a_generator_cannot_take_turns() -> None:
    class Odd:
        def entries(self) -> Iterator[int]:
            yield 1

    with pytest.raises(TypeError, match="entries is a generator"):
        in_turn(Odd)


def test_a_call_may_call_others(workspace: Workspace) -> None:
    seen: list[int] = []
    workspace.bootstrap(progress=lambda *_: seen.append(len(workspace.entries())))
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
    workspace.anchors.build(now=NOW)
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
def test_a_fork_waits_for_a_call_of_another_thread(workspace: Workspace) -> None:
    begun, may_end = threading.Event(), threading.Event()

    def hold() -> None:
        with workspace.lock:
            begun.set()
            may_end.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    assert begun.wait(10)
    threading.Timer(0.2, may_end.set).start()
    assert in_child(lambda: workspace.query("deploy")) == 0
    assert may_end.is_set()
    thread.join()
    assert workspace.query("deploy").results


@needs_fork
def test_a_fork_does_not_wait_for_ever(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "_FORK_SECONDS", 0.1)
    begun, may_end = threading.Event(), threading.Event()

    def hold() -> None:
        with workspace.lock:
            begun.set()
            may_end.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    assert begun.wait(10)
    assert in_child(lambda: workspace.query("deploy")) == 0
    may_end.set()
    thread.join()
    assert workspace.query("deploy").results


@needs_fork
def test_a_fork_from_within_a_call(workspace: Workspace) -> None:
    def work() -> None:
        assert workspace.query("deploy", write=False).results

    codes: list[int] = []
    workspace.bootstrap(progress=lambda *_: codes.append(in_child(work)))
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
    assert "text: 'Question'" in str(inspect.signature(Workspace.query))
    assert (Workspace.query.__doc__ or "").startswith("Ask the workspace")
    assert (Workspace.library.__doc__ or "").startswith("The notes")


def test_stop_words_are_whole_whoever_asks_first() -> None:
    from hippocampus_cli.text import tokenizer

    tokenizer._stop_stems.cache_clear()
    given: list[bool] = []
    threads = [
        threading.Thread(target=lambda: given.append(tokenizer.is_stop("yours"))) for _ in range(8)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(set(given)) == 1
    assert isinstance(tokenizer._stop_stems(), frozenset)
