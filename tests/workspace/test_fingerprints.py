"""Fingerprints of notes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.workspace.file_table import TICK_NS, FileStat, diff, is_fresh
from hippocampus_cli.workspace.fingerprints import fingerprint
from hippocampus_cli.workspace.note import Note


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
    note = Note("a.md", "one\n")
    assert diff([fingerprint(note, stat, read_ns).stat], [stat]).changed == [stat]
    assert is_fresh(mtime_ns, read_ns)
    later_ns = mtime_ns + TICK_NS + 1
    assert not diff([fingerprint(note, stat, later_ns).stat], [stat])
