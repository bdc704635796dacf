"""Every step on files that anybody may have written: nothing raises, nothing is lost, a second run rests."""

from __future__ import annotations

import pytest
from hypothesis import given

from hippocampus_cli.config.settings import Config
from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.maintenance.actions import Step, applied
from hippocampus_cli.maintenance.steps.merging import merge_duplicates
from hippocampus_cli.maintenance.steps.relations import relate
from tests.maintenance.steps.made import NOTES, asked, snapshot
from tests.support.documents import DOCUMENTS
from tests.support.indexes import index_of

STEPS = (merge_duplicates, relate)
WORLD = snapshot(
    NOTES,
    Config(),
    [asked("acme", "b", "c-3"), asked("acme", "b", "entry")] * 2,
)


@pytest.mark.parametrize("step", STEPS)
@given(text=DOCUMENTS)
def test_a_step_takes_any_file(step: Step, text: str) -> None:
    before = index_of(text)
    once, _ = step(before, WORLD)
    assert len(once.by_key) == len(before.by_key)
    assert {one.entry.id for one in once.by_key.values()} == {
        one.entry.id for one in before.by_key.values()
    }
    assert all(parse(document.text) == document for document in once.files.values())
    again = step(once, WORLD)
    assert again.result == once
    assert again.actions == ()


def test_a_part_that_is_refused_keeps_back_no_other() -> None:
    def apply(whole: Hierarchy, parts: list[int]) -> Hierarchy:
        if 3 in parts:
            raise IndexRefused(reason="not this one")
        return whole.add((), [f"## E{at}\n<!-- hx: id=e{at} -->" for at in parts])

    whole, done = applied(index_of("# Index\n"), [1, 2, 3, 4, 5], apply)  # type: ignore[arg-type]
    assert done == [1, 2, 4, 5]
    assert [one.key for one in whole.entries] == ["e1", "e2", "e4", "e5"]
