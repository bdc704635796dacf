"""Random edits of an index over several files."""

from __future__ import annotations

from hypothesis import strategies as st

from hippocampus_cli.index.hierarchy import Hierarchy
from tests.support.topic_files import JULY, TOPIC

HERE, THERE = ("By Topic", "Projects"), ("Decay Queue",)


def changed(index: Hierarchy, steps: list[tuple[str, str, str]]) -> Hierarchy:
    """Some edits: a value set, a tag added, a move."""
    for key, what, value in steps:
        if what == "move":
            section = () if value == JULY else HERE if value == TOPIC else THERE
            index = index.moved([key], section, value or "HIPPOCAMPUS.md")
        else:
            index = index.set_values({key: {what: value}})
    return index


step = st.one_of(
    st.tuples(st.sampled_from("abc"), st.just("hits"), st.sampled_from("123456")),
    st.tuples(st.sampled_from("abc"), st.just("tags"), st.sampled_from(["x", "x,y", "z"])),
    st.tuples(st.sampled_from("abc"), st.just("str"), st.sampled_from(["0.10", "0.90"])),
    st.tuples(st.sampled_from("abc"), st.just("move"), st.sampled_from(["", TOPIC, JULY])),
)


steps = st.lists(step, max_size=4)
