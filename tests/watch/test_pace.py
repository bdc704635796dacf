"""When a write becomes a sync, with a clock that the test turns."""

from __future__ import annotations

from math import inf

from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.watch.pace import LIMIT, QUIET, RETRY, SETTLE, Pace

touches = st.lists(st.floats(0, 30, allow_nan=False), max_size=60).map(sorted)


def syncs_of(times: list[float], duration: float = 0.0) -> list[float]:
    """When syncs begin if every message is taken at once and a sync takes ``duration`` seconds."""
    pace, at, begun = Pace(every=inf), 0.0, []
    waiting = list(times)
    while waiting or pace.due_at not in (None, inf):
        due = pace.due_at
        if waiting and (due is None or waiting[0] <= max(due, at)):
            at = max(at, waiting[0])
            pace = pace.touched(waiting.pop(0))
            continue
        assert due is not None
        at = max(at, due)
        begun.append(at)
        at += duration
        pace = pace.begun().done(at)
    return begun


def test_a_burst_is_one_sync_and_one_that_looks_again() -> None:
    burst = [10 + n / 1_000 for n in range(100)]
    assert syncs_of(burst) == [burst[-1] + QUIET, burst[-1] + QUIET + SETTLE]


def test_where_the_system_reports_nothing_it_looks_again_and_again() -> None:
    pace = Pace(every=0.5).begun().done(1)
    assert pace.due_at == 1.5
    assert pace.begun().done(2).due_at == 2.5
    assert pace.touched(2).begun().done(3).due_at == 3.5


def test_what_was_refused_is_tried_again() -> None:
    pace = Pace().touched(0).begun().failed(100)
    assert pace.due_at == 100 + RETRY
    assert pace.begun().done(200).due_at == 200 + SETTLE


def test_a_touch_does_not_wait_for_the_next_trial() -> None:
    assert Pace().touched(0).begun().failed(0).touched(0.1).due_at == 0.1 + QUIET


@given(touches, st.floats(0, 3))
def test_every_touch_is_seen_in_time_by_a_sync_that_begins_later(
    times: list[float], duration: float
) -> None:
    begun = syncs_of(times, duration)
    for touch in times:
        assert any(touch <= start <= touch + LIMIT + duration + 1e-9 for start in begun)


@given(touches)
def test_there_are_no_more_syncs_than_touches_account_for(times: list[float]) -> None:
    begun = syncs_of(times)
    assert len(begun) <= 2 * len(times)
    if times:
        assert len(begun) <= 2 * ((times[-1] - times[0]) / QUIET + 2)
        assert begun[-1] <= times[-1] + LIMIT + SETTLE + 1e-9
