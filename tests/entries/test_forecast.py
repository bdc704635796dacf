"""What is to come, for the whole index and for single entries."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.config.settings import Bands, Decay
from hippocampus_cli.entries.forecast import Forecast, forecast
from hippocampus_cli.errors import UsageError
from hippocampus_cli.index.decay import Band, DecayClock, band
from hippocampus_cli.index.parse import parse

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
BANDS = Bands()


def index_of(*rows: str) -> str:
    return "".join(
        f"## X\n→ x.md\n<!-- hx: id=e{at} | {row} -->\n\n" for at, row in enumerate(rows)
    )


def of(*rows: str, days: int = 90, steps: int = 30) -> Forecast:
    entries = parse(index_of(*rows)).entries
    return forecast(entries, DecayClock(NOW, Decay()), BANDS, days=days, steps=steps)


FRESH = "accessed=2026-06-01 | base=1.0"
FADED = "accessed=2024-06-01 | base=0.5 | queued=2026-05-20"


def test_events_stand_in_order_of_time() -> None:
    found = of(FADED, FRESH, days=23)
    assert [(one.days, one.id, one.before, one.after) for one in found.events] == [
        (1, "e1", "strong", "moderate"),
        (4, "e1", "moderate", "weak"),
        (18, "e0", "silent", "archive"),
        (23, "e1", "weak", "decaying"),
    ]
    assert found.events[2].at == datetime(2026, 6, 19, tzinfo=UTC)
    assert found.events[2].strength == pytest.approx(0.0532, abs=1e-4)


def test_what_is_archived_leaves_the_counts_and_the_average() -> None:
    found = of(FADED, "base=0.9", days=18, steps=18)
    last, before = found.steps[-1], found.steps[-2]
    assert (before.bands["silent"], before.archived) == (1, 0)
    assert (last.bands["silent"], last.archived) == (0, 1)
    assert before.average == pytest.approx((0.9 + 0.0529) / 2, abs=2e-4)
    assert last.average == 0.9


def test_what_is_due_now_is_still_there_today() -> None:
    found = of("accessed=2020-01-01 | base=0.1 | queued=2025-01-01")
    assert found.events[0].days == 0
    assert (found.steps[0].archived, found.steps[1].archived) == (0, 1)
    assert found.steps[1].average is None


@pytest.mark.parametrize(
    ("days", "steps", "count"), [(90, 30, 31), (3, 30, 4), (1, 30, 2), (90, 0, 2)]
)
def test_steps_are_whole_days_from_today_to_the_last(days: int, steps: int, count: int) -> None:
    found = of(FRESH, days=days, steps=steps)
    assert len(found.steps) == count
    assert (found.steps[0].days, found.steps[-1].days) == (0, days)
    assert found.steps[-1].day == date(2026, 6, 1) + timedelta(days=days)


def test_an_empty_index_has_a_forecast() -> None:
    found = of()
    assert (found.entries, found.events, found.steps[0].average) == (0, (), None)


@pytest.mark.parametrize("days", [0, -1, 36_501])
def test_days_have_a_range(days: int) -> None:
    with pytest.raises(UsageError):
        of(FRESH, days=days)


def test_the_calendar_ends() -> None:
    clock = DecayClock(datetime(9999, 12, 1, tzinfo=UTC), Decay())
    with pytest.raises(UsageError, match="calendar"):
        forecast((), clock, BANDS, days=90, steps=3)


ROWS = st.lists(
    st.builds(
        "accessed={} | base={:.4f} | pri={} | queued={}".format,
        st.one_of(
            st.dates(date(2025, 1, 1), date(2026, 6, 10)),
            st.datetimes(datetime(2025, 1, 1), datetime(2026, 6, 10)).map(datetime.isoformat),
        ),
        st.floats(0, 1),
        st.sampled_from(["low", "normal", "amygdala"]),
        st.sampled_from(["", "2026-05-20"]),
    ),
    max_size=6,
)


@given(ROWS, st.integers(1, 400))
def test_the_counts_are_what_the_events_make_of_today(rows: list[str], days: int) -> None:
    entries = parse(index_of(*rows)).entries
    clock = DecayClock(NOW, Decay())
    found = forecast(entries, clock, BANDS, days=days, steps=7)
    for step in found.steps:
        moment = NOW + timedelta(days=step.days)
        stands = {one.key: band(clock.strength(one.entry), BANDS).value for one in entries}
        for event in found.events:
            if step.days and event.at <= moment:
                assert stands[event.id] == event.before
                stands[event.id] = event.after
        counts = {one.value: list(stands.values()).count(one.value) for one in Band}
        assert (step.bands, step.archived) == (counts, list(stands.values()).count("archive"))
