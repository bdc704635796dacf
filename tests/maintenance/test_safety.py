"""Every line that no action of a plan claims is the same before and after, for any index; else nothing is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.config.settings import Config, Index
from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.maintenance import cycles
from hippocampus_cli.maintenance.safety import check_plan
from hippocampus_cli.maintenance.steps.merging import merge_duplicates
from hippocampus_cli.markdown.lines import split_lines
from hippocampus_cli.workspace.meta import DAILY, MONTHLY, WEEKLY
from tests.maintenance.claims import check_claimed
from tests.maintenance.steps.made import NOTES, asked, snapshot
from tests.support.documents import DOCUMENTS
from tests.support.indexes import index_of
from tests.support.upkept import entry, text

CYCLES = (DAILY, WEEKLY, MONTHLY, cycles.REPLAY, cycles.SYNC, cycles.FORGET)
WORLD = snapshot(
    NOTES,
    Config(index=Index(max_tokens=300)),
    [asked("acme", "b", "c-3"), asked("acme", "b", "entry")] * 2,
)
ENTRY = st.builds(
    entry,
    st.sampled_from(["acme", "b", "c-3", "red", "blue"]),
    st.sampled_from(["", "Deploy"]),
    age=st.integers(0, 700),
    base=st.sampled_from([0.02, 0.3, 1.0]),
    rel=st.sampled_from(["b", "acme,red", "nobody"]),
    tags=st.sampled_from(["deploy", "colour,deploy"]),
)
HANDMADE = st.builds(text, st.lists(ENTRY, max_size=5), st.lists(ENTRY, max_size=3))


@pytest.mark.parametrize("cycle", CYCLES)
@given(words=DOCUMENTS | HANDMADE)
def test_a_cycle_changes_no_line_that_its_actions_do_not_claim(cycle: str, words: str) -> None:
    index = index_of(words)
    plan = cycles.plan(cycle, index, WORLD)
    check_plan(plan)
    check_claimed(plan.before, plan.after, plan.actions)


@given(words=HANDMADE, which=st.integers(0))
def test_what_an_action_changes_is_refused_without_it(words: str, which: int) -> None:
    index = index_of(words)
    plan = cycles.plan(WEEKLY, index, WORLD)
    touched = {
        one.entry.id
        for one in plan.before.by_key.values()
        if (now := plan.after.by_key.get(one.key))
        and now.entry.raw.strip() != one.entry.raw.strip()
    }
    if not touched:
        return
    gone = sorted(touched)[which % len(touched)]
    names = {one.key for one in plan.before.by_key.values() if one.entry.id == gone}
    left = [one for one in plan.actions if not names & {one.key, one.after}]
    with pytest.raises(AssertionError):
        check_claimed(plan.before, plan.after, left)


@given(words=HANDMADE, which=st.integers(0))
def test_a_line_lost_between_the_entries_is_refused(words: str, which: int) -> None:
    index = index_of(words)
    plan = cycles.plan(DAILY, index, WORLD)
    lines = split_lines(plan.after.master.text)
    own = [at for at, line in enumerate(lines) if line in ("Written by hand.\n", "## Mine\n")]
    del lines[own[which % len(own)]]
    damaged = Hierarchy({MASTER: parse("".join(lines)), **plan.after.topics, **plan.after.archive})
    with pytest.raises(IndexRefused):
        check_plan(plan.replaced(after=damaged))


@given(words=DOCUMENTS)
def test_a_merge_claims_what_it_changes(words: str) -> None:
    index = index_of(words)
    done = merge_duplicates(index, WORLD)
    check_claimed(index, done.result, done.actions)
