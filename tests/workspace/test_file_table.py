"""What changed among files since they were read."""

from __future__ import annotations

import sqlite3

from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.workspace.file_table import (
    COLUMNS,
    LOOKS,
    TICK_NS,
    Diff,
    FileStat,
    diff,
    is_fresh,
    storable,
)

FILES = st.dictionaries(
    st.text(max_size=3), st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=12
).map(lambda found: [FileStat(path, *found[path]) for path in sorted(found)])


def rows(files: list[FileStat], *, fresh: bool = False) -> list[tuple[str, int, int, int, int]]:
    """Files as they are known, read while they were ``fresh`` or later."""
    return [(*file, file.mtime_ns + TICK_NS + (not fresh)) for file in files]


@given(FILES, FILES)
def test_the_diff_leads_from_the_known_to_the_found(
    known: list[FileStat], found: list[FileStat]
) -> None:
    changed = diff(rows(known), found)
    state = {file.path: file for file in known}
    for file in changed.removed:
        assert state.pop(file.path) == file
    for file in changed.changed:
        assert state[file.path] != file
        state[file.path] = file
    for file in changed.added:
        assert file.path not in state
        state[file.path] = file
    assert sorted(state.values(), key=lambda file: file.path) == found
    assert bool(changed) == (known != found)
    for files in changed:
        assert files == sorted(files, key=lambda file: file.path)


@given(FILES, FILES)
def test_a_file_that_was_read_while_it_was_fresh_is_changed(
    known: list[FileStat], found: list[FileStat]
) -> None:
    there = {file.path for file in found}
    again = diff(rows(known, fresh=True), found)
    assert again == Diff(
        [file for file in found if file.path not in {one.path for one in known}],
        [file for file in found if file.path in {one.path for one in known}],
        [file for file in known if file.path not in there],
    )


def test_a_name_in_no_encoding_is_known_again() -> None:
    db = sqlite3.connect(":memory:")
    db.execute(f"CREATE TABLE files({COLUMNS})")
    here = FileStat("caf\udce9.md", 1, 1, 1)
    row = (storable(here.path), 1, 1, TICK_NS + 2, 1)
    db.execute("INSERT INTO files VALUES(NULL, ?, ?, ?, ?, ?)", row)
    known = db.execute(f"SELECT {LOOKS} FROM files").fetchall()
    assert not diff(known, [here]) and diff(known, []).removed == [here]


@given(st.integers(0, 2**62), st.integers(0, TICK_NS), st.integers(0, 2**61))
def test_an_edit_in_the_tick_of_the_clock_in_which_a_file_was_read_is_seen(
    start: int, tick: int, later: int
) -> None:
    mtime_ns = start - start % max(tick, 1)  # what a clock with this tick says of the edit
    assert is_fresh(mtime_ns, min(start + later, mtime_ns + tick))
    assert not is_fresh(mtime_ns, mtime_ns + TICK_NS + 1)
