"""What changed since the last scan."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.workspace.file_state import TICK_NS, Diff, fingerprint, is_fresh, merge_diff
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.scan import FileStat

FILES = st.dictionaries(
    st.text(max_size=3), st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=12
).map(lambda found: [FileStat(path, *found[path]) for path in sorted(found)])


@given(FILES, FILES)
def test_the_diff_leads_from_the_known_to_the_found(
    known: list[FileStat], found: list[FileStat]
) -> None:
    diff = merge_diff(iter(known), iter(found))
    state = {file.path: file for file in known}
    for file in diff.removed:
        assert state.pop(file.path) == file
    for file in diff.changed:
        assert state[file.path] != file
        state[file.path] = file
    for file in diff.added:
        assert file.path not in state
        state[file.path] = file
    assert sorted(state.values(), key=lambda file: file.path) == found
    assert bool(diff) == (known != found)
    for files in (diff.added, diff.changed, diff.removed):
        assert files == sorted(files, key=lambda file: file.path)


def test_nothing_changed() -> None:
    files = [FileStat("a", 1, 1), FileStat("b", 1, 1)]
    assert merge_diff(files, files) == Diff([], [], [])


def test_where_only_the_facts_of_a_file_are_other_its_text_decides() -> None:
    known, found = [FileStat("a", 1, 1, 1)], [FileStat("a", 1, 1, 2)]
    assert not merge_diff(known, found)
    assert not merge_diff(found, found, {"a"})  # other than long ago, and not since
    assert merge_diff(known, found, {"a"}) == Diff([], found, [])


@pytest.mark.parametrize("names", ["ba", "aa"])
def test_a_stream_out_of_order_is_refused(names: str) -> None:
    files = [FileStat(name, 1, 1) for name in names]
    with pytest.raises(ValueError, match="not sorted"):
        merge_diff([], files)
    with pytest.raises(ValueError, match="not sorted"):
        merge_diff(files, [])


@given(st.integers(0, 2**62), st.integers(0, TICK_NS), st.integers(0, 2**61))
def test_an_edit_in_the_tick_of_the_clock_in_which_a_file_was_read_is_seen(
    start: int, tick: int, later: int
) -> None:
    """It was written, read at any moment after that, and edited with the same time of modification."""
    mtime_ns = start - start % max(tick, 1)  # what a clock with this tick says from then on
    stat = FileStat("a.md", 4, mtime_ns)
    read_ns = min(
        start + later, mtime_ns + tick
    )  # in the same tick: one more edit may look the same
    assert not fingerprint(Note("a.md", "one\n"), stat, read_ns).settles(stat)
    assert is_fresh(mtime_ns, read_ns)
    assert fingerprint(Note("a.md", "one\n"), stat, mtime_ns + TICK_NS + 1).settles(stat)
