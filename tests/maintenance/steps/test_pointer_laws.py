"""What holds of the pointer steps, whatever was moved, renamed, edited or deleted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from hippocampus_cli.index.document import Located
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.pointers import Pointer, parse_pointers
from hippocampus_cli.maintenance.actions import Kind
from hippocampus_cli.maintenance.snapshot import Snapshot
from hippocampus_cli.maintenance.steps.pointers import verify
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.resolve import Status
from hippocampus_cli.workspace.sections import SectionNames
from tests.maintenance.snapshots import NOW, snapshot_of
from tests.support.documents import DOCUMENTS
from tests.support.indexes import index_of

Notes = Mapping[str, str]

PATHS = st.sampled_from(
    [
        *("TOOLS.md", "a.md", "b.md", "work/a.md", "work/b.md", "old/work/a.md", "Ünï code.md"),
        *("memory/2026-03-01.md", "memory/2026-03-02.md", "memory/archive/2026-03.md"),
        *("archive/2026-03.md", "memory/archive/2026-03-01.md", "memory/2026-03-01-call.md"),
    ]
)
_TITLES = (
    "Deploy, deploy, Deployment, Deploys, Backup, Backups, Notes, A > B, x #2, 2026-03-01, 2 March, "
    "Notes on § and |, **Bold** title, Sprint 12, Sprint 13, 🚀"
)
HEADINGS = st.sampled_from(_TITLES.split(", "))
LINES = st.sampled_from(
    ["", "none", "Run kelpctl release prod.", "Never on a Friday.", "The canary died at noon."]
    + [f"Line {n} says what no other line does." for n in range(12)]
)
SECTIONS = st.builds(
    lambda level, heading, lines: f"{'#' * level} {heading}\n\n" + "\n".join(lines) + "\n",
    st.integers(1, 3),
    HEADINGS,
    st.lists(LINES, max_size=5),
)
TEXTS = st.lists(SECTIONS, min_size=1, max_size=4).map("\n".join)
WORKSPACES = st.dictionaries(PATHS, TEXTS, min_size=1, max_size=5)


@st.composite
def changed(draw: st.DrawFn, before: Notes) -> dict[str, str]:
    """The notes after a few moves, renames, edits and deletions."""
    after = dict(before)
    for _ in range(draw(st.integers(1, 5))):
        path = draw(st.sampled_from(sorted(after))) if after else "a.md"
        text = after.get(path, "")
        match draw(st.sampled_from(["move", "delete", "heading", "line", "append", "new", "copy"])):
            case "move":
                after.pop(path, None)
                after[draw(PATHS)] = text
            case "copy":
                after[draw(PATHS)] = text
            case "delete":
                after.pop(path, None)
            case "heading":
                after[path] = text.replace(draw(HEADINGS), draw(HEADINGS), 1)
            case "line":
                after[path] = text.replace(draw(LINES) or "\n", draw(LINES), 1)
            case "append":
                after[path] = text + "\n" + draw(SECTIONS)
            case _:
                after[draw(PATHS)] = draw(TEXTS)
    return after


def pointers_to(notes: Notes) -> list[Pointer]:
    """A pointer at every note and at every section, as hippo writes them."""
    found = []
    for path, text in notes.items():
        sections = Note(path, text).sections
        names = SectionNames(sections)
        found += [Pointer(path), *(Pointer(path, names.pointer_name(one)) for one in sections)]
    return found


def index_on(pointers: Sequence[Pointer], stale: Sequence[bool] = ()) -> Hierarchy:
    """An index with an entry for every two of these pointers, a bare bullet for every seventh."""
    parts = []
    for at in range(0, len(pointers), 2):
        line = " | ".join(map(str, pointers[at : at + 2]))
        flag = " | stale=2026-01-01" if at < len(stale) and stale[at] else ""
        block = f"### Entry {at}\n→ {line}\n<!-- hx: id=e{at} | hits=1{flag} -->\n"
        parts.append(f"- Bullet {at} → {line}\n" if at % 7 == 6 else block)
    return index_of("# Index\n\n" + "\n".join(parts))


@st.composite
def situations(draw: st.DrawFn) -> tuple[Hierarchy, Snapshot]:
    before = draw(WORKSPACES)
    after = draw(changed(before))
    pool = [
        *pointers_to(before),
        *pointers_to(after),
        Pointer("never.md"),
        Pointer("a.md", "Deply"),
    ]
    pointers = draw(st.lists(st.sampled_from(pool), min_size=1, max_size=12))
    memory = before if draw(st.integers(0, 3)) else {}
    stale = draw(st.lists(st.booleans(), max_size=6))
    return index_on(pointers, stale), snapshot_of(memory, after)


def exact(pointer: Pointer, snapshot: Snapshot) -> bool:
    found = snapshot.follow(pointer)
    return found.status is Status.OK and not found.fuzzy


def missing(located: Located, snapshot: Snapshot) -> bool:
    gone = (Status.MISSING_FILE, Status.MISSING_SECTION)
    return any(snapshot.follow(one).status in gone for one in located.entry.pointers)


@given(situations())
def test_a_second_look_plans_nothing(situation: tuple[Hierarchy, Snapshot]) -> None:
    index, snapshot = situation
    plan = verify(index, snapshot)
    assert verify(plan.result, snapshot) == (plan.result, ())


@given(situations())
def test_no_entry_is_lost_and_what_leads_somewhere_is_not_touched(
    situation: tuple[Hierarchy, Snapshot],
) -> None:
    index, snapshot = situation
    after = verify(index, snapshot).result
    assert [one.key for one in after.entries] == [one.key for one in index.entries]
    for old, new in zip(index.entries, after.entries, strict=True):
        assert (old.entry.topic, old.section) == (new.entry.topic, new.section)
        assert new.entry.pointers
        fine = all(exact(pointer, snapshot) for pointer in old.entry.pointers)
        if fine and "stale" not in old.entry.values:
            assert new.entry.raw == old.entry.raw


@given(situations())
def test_every_new_pointer_leads_where_it_says(situation: tuple[Hierarchy, Snapshot]) -> None:
    index, snapshot = situation
    plan = verify(index, snapshot)
    for action in plan.actions:
        if action.after:
            (pointer,) = parse_pointers(action.after)
            assert exact(pointer, snapshot)
        if action.kind is Kind.REPOINT:
            assert not exact(*parse_pointers(action.before), snapshot)


@given(situations())
def test_stale_is_what_leads_nowhere(situation: tuple[Hierarchy, Snapshot]) -> None:
    index, snapshot = situation
    for located in verify(index, snapshot).result.entries:
        if located.entry.hx_span:
            assert missing(located, snapshot) == ("stale" in located.entry.values)


@given(WORKSPACES, st.data())
def test_a_second_look_with_what_the_first_one_kept_plans_nothing(
    before: Notes, data: st.DataObject
) -> None:
    """A second cycle at the same time knows the notes as they are now, twins by their numbers."""
    after = data.draw(changed(before))
    index = index_on(pointers_to({**before, **after}))
    first = verify(index, snapshot_of(before, after))
    for known in (after, {**before, **after}):
        assert verify(first.result, snapshot_of(known, after)) == (first.result, ())


@given(WORKSPACES, st.data())
def test_a_note_moved_unchanged_is_always_found(before: Notes, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(sorted(before)))
    text = before[path]
    other = {one: there for one, there in before.items() if one != path}
    target = data.draw(PATHS.filter(lambda one: one not in before))
    enough = len("".join(text.split())) >= 20
    assume(enough and text not in other.values())
    index = index_on(pointers_to({path: text}))
    plan = verify(index, snapshot_of(before, {**other, target: text}))
    assert plan.result == index_of(
        index.master.text.replace(f"→ {path}", f"→ {target}")
        .replace(f"| {path}", f"| {target}")
        .replace("hits=1", "hits=1 | ver=2")
    )


@given(DOCUMENTS, st.booleans())
def test_any_index_survives(text: str, there: bool) -> None:
    """Whatever somebody wrote into the file: nothing is lost, nothing is raised."""
    index = index_of(text)
    notes: dict[str, Any] = {"TOOLS.md": "# Vercel\n\nx\n"} if there else {"other.md": "x"}
    plan = verify(index, snapshot_of({}, notes, now=NOW))
    assert [one.key for one in plan.result.entries] == [one.key for one in index.entries]
    assert verify(plan.result, snapshot_of({}, notes)).result == plan.result
