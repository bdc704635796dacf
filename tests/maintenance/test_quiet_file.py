"""The file is quiet (decision D21): a cycle rewrites what changed, a query the entry it used, time alone nothing."""

from __future__ import annotations

import os
import shutil
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import timedelta
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config.settings import Bands, Config, Decay, Upkeep
from hippocampus_cli.index.decay import band, clock_for
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.maintenance.actions import Kind
from hippocampus_cli.maintenance.cycles import plan
from hippocampus_cli.workspace import store
from tests.maintenance.law_seven import entry_bytes
from tests.support.indexes import index_of
from tests.support.upkept import NOTES, NOW, entry, snapshot, text, write

FIXTURES = Path(__file__).parents[2] / "fixtures"


LISTS = "".join(
    f"## {title}\n<!-- hippo:begin {name} -->\n<!-- hippo:end {name} -->\n\n"
    for name, title in (("quick-access", "Quick Access"), ("by-time", "By Time"), ("meta", "Meta"))
)


ENTRIES = st.builds(
    entry,
    st.just("e"),
    age=st.integers(0, 400),
    base=st.sampled_from([1.0, 0.9, 0.5, 0.3]),
    hits=st.integers(0, 3),
    src=st.sampled_from(["auto", "manual"]),
    pri=st.sampled_from(["normal", "low", "amygdala"]),
)


FOREIGN = st.builds(
    lambda age, strength: (
        "#### F\n→ f.md\n<!-- hx: id=e | created=2026-01-01 | accessed="
        f"{(NOW - timedelta(days=age)).date()} | hits=0 | str={strength:.2f} -->\n"
    ),
    st.integers(0, 60),
    st.floats(0, 1),
)


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> int:
    """How many lines of an index's files were changed, the headers aside; a line that became another is one."""
    count = 0
    for path in before.keys() | after.keys():
        old, new = (files.get(path, "").splitlines()[1:] for files in (before, after))
        codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        count += sum(max(b - a, d - c) for tag, a, b, c, d in codes if tag != "equal")
    return count


def whole(blocks: list[str]) -> Hierarchy:
    named = [one.replace("id=e |", f"id=e{n} |") for n, one in enumerate(blocks)]
    return index_of(text(named) + "\n" + LISTS)


@given(st.lists(st.one_of(ENTRIES, FOREIGN), min_size=1, max_size=5), st.integers(0, 500))
def test_a_cycle_rewrites_only_entries_of_another_band(blocks: list[str], days: int) -> None:
    index = plan("daily", whole(blocks), snapshot()).after
    later = snapshot(now=NOW + timedelta(days=days))
    planned = plan("daily", index, later)
    assert plan("daily", planned.after, later).actions == ()
    before, after = clock_for(index, NOW, Config().decay), later.clock(index)
    moved = {
        one.key
        for one in index.entries
        if band(before.strength(one.entry), Bands()) is not band(after.strength(one.entry), Bands())
    }
    if not moved:
        told = {one.key for one in planned.actions if one.kind is Kind.STRENGTH}  # at a band's edge
        assert all(f"{index.by_key[key].entry.strength}" in "0.80.50.30.1" for key in told)
    for one in index.entries:
        there = planned.after.by_key[one.key]
        leans = one.entry.base is None and one.entry.strength != 1.0
        if one.key not in moved and not leans and not planned.changes:
            assert there.entry.raw == one.entry.raw
        now = later.clock(planned.after)  # and nobody's strength jumped, whatever was written
        assert now.strength(there.entry) == pytest.approx(after.strength(one.entry), abs=1e-3)


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    write(tmp_path, NOTES)
    with Workspace(tmp_path, Config()) as opened:
        opened.at(NOW).bootstrap()
        yield opened


@pytest.mark.parametrize("cycle", ["daily", "weekly"])
def test_a_quiet_month_changes_nothing_though_bands_move(ws: Workspace, cycle: str) -> None:
    before = entry_bytes(ws.root)
    for day in range(1, 31):
        assert not ws.at(NOW + timedelta(days=day)).upkeep.run(cycle).actions
    assert entry_bytes(ws.root) == before
    faded = ws.at(NOW + timedelta(days=30)).entries.list()
    assert {one.band for one in faded} - {"strong"}


def test_a_new_note_is_all_that_a_day_changes_and_a_month_writes_no_strengths(
    ws: Workspace,
) -> None:
    later = NOW + timedelta(days=8)
    text = "# 2026-08-09\n\n## Door\n\nThe code is 4471.\n"
    write(ws.root, {"memory/2026-08-09.md": text}, later)
    done = {one.kind for one in ws.at(later).upkeep.run("daily").actions}
    assert done == {Kind.ADD, Kind.LIST}
    ws.at(later).query("restic backups")
    done = {one.kind for one in ws.at(NOW + timedelta(days=40)).upkeep.run("monthly").actions}
    assert Kind.STRENGTH not in done


def test_core_entries_do_not_cross_a_band_in_the_file(tmp_path: Path) -> None:
    core = {f"docs/rules/{n}.md": f"# {n}\n\n{n} is about buoys, not {n}.\n" for n in range(30)}
    write(tmp_path, {**core, **NOTES}, NOW)
    with Workspace(tmp_path, Config()) as opened:
        opened.at(NOW).bootstrap()
        high = {one.id for one in opened.at(NOW).entries.list(priorities=["high"])}
        done = opened.at(NOW + timedelta(days=20)).upkeep.run("monthly")
        assert len(high) > 5
        assert not high & {one.key for one in done.actions if one.kind is Kind.STRENGTH}


def test_a_query_rewrites_the_entry_that_it_used_and_nothing_else(ws: Workspace) -> None:
    before = ws.index().texts
    ws.at(NOW + timedelta(days=2)).query("make deploy prod target")
    assert (changed(before, ws.index().texts), ws.index().by_key["tools"].entry.hits) == (1, 1)


def test_what_is_default_is_left_out_and_what_a_person_spelled_out_stays(tmp_path: Path) -> None:
    write(tmp_path, NOTES, NOW)
    with Workspace(tmp_path, Config()) as opened:
        opened.at(NOW).bootstrap()
        written = (tmp_path / "HIPPOCAMPUS.md").read_bytes().decode()
        for default in ("pri=normal", "src=auto", "rel= ", "str=1.00 | base=1.00"):
            assert default not in written
        spelled = written.replace("str=1.00", "str=1.00 | pri=normal | src=auto | base=1.00")
        (tmp_path / "HIPPOCAMPUS.md").write_bytes(spelled.encode())
        opened.at(NOW).query("make deploy prod target")
        after = (tmp_path / "HIPPOCAMPUS.md").read_bytes().decode()
        assert after.count("pri=normal | src=auto | base=1.00") == spelled.count("pri=normal")


def test_what_a_week_of_questions_changes_can_be_read(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    shutil.copytree(FIXTURES / "workspace", root)
    asked = tomllib.loads((FIXTURES / "queries.toml").read_text())["query"]
    questions = iter([row["text"] for row in asked])
    days: list[int] = []
    with Workspace(root, Config()) as opened:
        opened.at(NOW).bootstrap()
        for day in range(1, 7):
            before, now = opened.index().texts, NOW + timedelta(days=day)
            for question in islice(questions, 0 if day < 3 else 10):
                opened.at(now).query(question)
            opened.at(now).upkeep.run("daily")
            days.append(changed(before, opened.index().texts))
        weeks = []
        for cycle, day in (("weekly", 7), ("daily", 8), ("monthly", 30)):
            before = opened.index().texts
            opened.at(NOW + timedelta(days=day)).upkeep.run(cycle)
            weeks.append(changed(before, opened.index().texts))
    assert days[:2] == [0, 0] and 0 < sum(days) <= 55  # of 40 questions, each of another section
    assert weeks[0] <= 40 and weeks[1] == 0 and weeks[2] <= 15


NINE = {f"notes/{n}.md": f"# {n}\n\n## A\n\nWords of {n} that say enough.\n" for n in range(9)}


@pytest.mark.parametrize("anchors", [False, True])
def test_a_quiet_day_scans_once_opens_no_note_twice_and_parses_the_index_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, anchors: bool
) -> None:
    write(tmp_path, NINE)
    for path in NINE:
        os.utime(tmp_path / path, (1.7e9, 1.7e9))
    with Workspace(tmp_path, Config()) as ws:
        ws.at(NOW).bootstrap()
        if anchors:
            ws.at(NOW).anchors.build()
        for day in range(2):
            ws.at(NOW + timedelta(days=day)).upkeep.run("daily")
        files = set(ws.store.read(archive=True).files)
    opened: Counter[str] = Counter()
    scanned: Counter[str] = Counter()
    parsed: list[str] = []

    def open_(path: str, *rest: int, open_: object = os.open, **more: object) -> int:
        opened[os.path.relpath(path, tmp_path)] += 1
        return open_(path, *rest, **more)  # type: ignore[operator, no-any-return]

    def scandir(path: str, scandir: object = os.scandir) -> object:
        scanned[os.path.relpath(path, tmp_path)] += 1
        return scandir(path)  # type: ignore[operator]

    def parse_(text: str) -> Document:
        parsed.append(text)
        return parse(text)

    monkeypatch.setattr(os, "open", open_)
    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(store, "parse", parse_)
    with Workspace(tmp_path, Config()) as ws:
        outcome = ws.at(NOW + timedelta(days=2)).upkeep.run("daily")
    assert not outcome.plan.changes
    assert scanned["notes"] == 1
    assert all(opened[path] <= 1 for path in NINE)
    assert len(parsed) == len(set(parsed)) <= len(files)


@pytest.mark.parametrize("cycle", ["weekly", "monthly"])
def test_relations_to_what_the_same_cycle_archives_go_with_it(cycle: str) -> None:
    """Shrunk from a life: the relation was dropped by the next run only, and strength fell once more."""
    gone = [entry(key, age=900, base=0.3) for key in ("x", "y", "z")]
    kept = entry("a", age=3, rel="x,y,z,gone")
    index = index_of(text([kept], gone))
    seen = snapshot(config=Config(decay=Decay(forgetting=0.6), upkeep=Upkeep(loss_limit=1.0)))
    first = plan(cycle, index, seen)
    assert {one.key for one in first.actions if one.kind is Kind.PRUNE} == {"x", "y", "z"}
    assert first.after.by_key["a"].entry.rel == ("gone",)  # that is yet to be written
    assert plan(cycle, first.after, seen).actions == ()
