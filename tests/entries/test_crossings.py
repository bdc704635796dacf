"""The power law solved for time, held against the clock that queries use."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.config.settings import Bands, Decay
from hippocampus_cli.entries.forecast import ARCHIVE, Crossing, archiving, crossings, falls_below
from hippocampus_cli.index.decay import Curve, DecayClock, band, hours_until, retention
from hippocampus_cli.index.entry import Entry, Form, parse_entry

RATES = Decay()
BANDS = Bands()
NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
FAR = NOW + timedelta(days=3650)


def entry(**values: object) -> Entry:
    pairs = " | ".join(f"{key}={value}" for key, value in {"id": "x", **values}.items())
    return parse_entry(f"## X\n→ x.md\n<!-- hx: {pairs} -->\n", Form.HEADING)


def moves(one: Entry, until: datetime = FAR, bands: Bands = BANDS) -> list[tuple[object, ...]]:
    """Day, from, to and bound of each fall."""
    curve = DecayClock(NOW, RATES, frozenset("abc")).curve(one)
    return [
        (str(found.at.date()), found.before, found.after, found.bound)
        for found in crossings(curve, bands, NOW, until)
    ]


def archived(one: Entry, until: datetime = FAR, bands: Bands = BANDS) -> Crossing | None:
    curve = DecayClock(NOW, RATES).curve(one)
    return archiving(one, curve, bands, NOW, until)


def test_a_fresh_entry_falls_on_the_days_that_the_formula_says() -> None:
    # 0.8 after 11.0 hours, 0.5 after 90.8, 0.3 after 543.3, 0.1 after 21,534.4: counted in whole days.
    assert moves(entry(accessed="2026-06-01", base="1.0")) == [
        ("2026-06-02", "strong", "moderate", 0.8),
        ("2026-06-05", "moderate", "weak", 0.5),
        ("2026-06-24", "weak", "decaying", 0.3),
        ("2028-11-15", "decaying", "silent", 0.1),
    ]


def test_a_date_time_falls_at_the_second() -> None:
    one = entry(accessed="2026-06-01T12:00:00+00:00", base="1.0")
    curve = DecayClock(NOW, RATES).curve(one)
    first = next(crossings(curve, BANDS, NOW, FAR))
    seconds = (0.8 ** (-1 / 0.3) - 1) / 0.1 * 3600
    assert first.at == NOW + timedelta(seconds=int(seconds) + 1)


def test_a_day_starts_where_now_is() -> None:
    east = timezone(timedelta(hours=9))
    now = datetime(2026, 6, 2, 1, 0, tzinfo=east)  # still 1 June in Greenwich
    curve = DecayClock(now, RATES).curve(entry(accessed="2026-06-02", base="1.0"))
    first = next(crossings(curve, BANDS, now, now + timedelta(days=9)))
    assert first.at.isoformat() == "2026-06-03T00:00:00+09:00"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"pri": "amygdala"}, []),
        ({"base": "0.05"}, []),  # below every bound from the start
        ({"accessed": "nonsense"}, []),
        ({"base": "0.3", "pri": "low"}, [("2026-06-02", "weak", "decaying", 0.3)]),
        # Two bounds on one day are one fall, named by the lower.
        ({"pri": "low"}, [("2026-06-02", "strong", "weak", 0.5), ("2026-06-04", "weak", "decaying", 0.3)]),
        ({"src": "manual", "rel": "a,b,c"}, [("2026-06-05", "strong", "moderate", 0.8)]),
        ({"accessed": "2026-06-10"}, [("2026-06-11", "strong", "moderate", 0.8)]),  # the future
    ],
)  # fmt: skip
def test_modifiers_move_the_day(values: dict[str, str], expected: list[object]) -> None:
    one = entry(**{"accessed": "2026-06-01", "base": "1.0", **values})
    assert moves(one, NOW + timedelta(days=13))[: len(expected) or 9] == expected


def test_what_falls_beyond_the_horizon_is_not_told() -> None:
    one = entry(accessed="2026-06-01", base="1.0")
    assert len(moves(one, datetime(2026, 6, 4, 23, 59, tzinfo=UTC))) == 1
    assert len(moves(one, datetime(2026, 6, 5, tzinfo=UTC))) == 2


def test_bands_without_room_between_them_are_left_out() -> None:
    flat = Bands(strong=0.5, moderate=0.5, weak=0.5, silent=0.5)
    found = moves(entry(accessed="2026-06-01", base="1.0"), bands=flat)
    assert found == [("2026-06-05", "strong", "silent", 0.5)]


ARCHIVED = [
    # Silent since it was queued, for 30 days.
    ({"accessed": "2024-06-01", "base": "0.5", "queued": "2026-05-20"}, "2026-06-19", None),
    # Due already: at once.
    ({"accessed": "2024-06-01", "base": "0.5", "queued": "2026-01-01"}, "2026-06-01", None),
    # Silent and not queued yet: the next daily cycle queues it.
    ({"accessed": "2024-06-01", "base": "0.5"}, "2026-07-01", None),
    # Too weak to wait for that.
    ({"accessed": "2024-06-01", "base": "0.2", "queued": "2026-05-31"}, "2026-06-01", 0.05),
    # Falls silent on 20 June (0.0995), would be pruned on 1 August.
    ({"accessed": "2026-06-01", "pri": "low"}, "2026-07-20", None),
    # Used again since it was queued.
    ({"accessed": "2026-06-01", "pri": "low", "queued": "2026-05-20"}, "2026-07-20", None),
    ({"accessed": "2024-06-01", "base": "0.5", "queued": "2026-05-20", "pri": "amygdala"}, None, None),
    ({"accessed": "2026-06-01", "base": "1.0", "src": "manual"}, None, None),
    ({"accessed": "2024-06-01", "base": "0.9", "queued": "9999-12-30"}, None, None),
    ({"accessed": "2024-06-01", "base": "0.5", "queued": "0001-01-01T00:00+14:00"}, "2026-06-01", None),
]  # fmt: skip


@pytest.mark.parametrize(("values", "day", "bound"), ARCHIVED)
def test_upkeep_archives(values: dict[str, str], day: str | None, bound: float | None) -> None:
    found = archived(entry(**values))
    if day is None:
        assert found is None
    else:
        assert found
        assert (str(found.at.date()), found.after, found.bound) == (day, ARCHIVE, bound)
        assert found.at >= NOW


def test_a_weak_entry_is_pruned_before_it_was_queued_for_long() -> None:
    patient = Bands(archive_after_days=3650)
    found = archived(entry(accessed="2026-06-01", pri="low"), bands=patient)
    assert found and (str(found.at.date()), found.bound) == ("2026-08-01", 0.05)


def test_without_patience_it_is_archived_when_it_falls_silent_and_not_before() -> None:
    one = entry(accessed="2026-06-01T12:00:00+00:00", base="1.0", pri="low")
    curve = DecayClock(NOW, RATES).curve(one)
    found = archived(one, bands=Bands(archive_after_days=0))
    assert found and found.at == falls_below(curve, 0.1, NOW, FAR)


def test_bullets_stay_where_they_are() -> None:
    text = "- X → x.md <!-- hx: id=x | accessed=2024-06-01 | base=0.2 | queued=2026-01-01 -->"
    assert archived(parse_entry(text, Form.BULLET)) is None


SHARES = st.floats(0.01, 1)
STEEPNESS = st.tuples(st.floats(0.001, 100), st.floats(0.05, 3), st.floats(0.05, 2)).map(
    lambda three: Decay(rate=three[0], forgetting=three[1], manual_factor=three[2])
)


@given(SHARES, STEEPNESS)
def test_hours_until_is_the_inverse_of_retention(share: float, rates: Decay) -> None:
    assert retention(hours_until(share, rates), rates) == pytest.approx(share, rel=1e-9)


ENTRIES = st.builds(
    entry,
    accessed=st.one_of(
        st.dates(date(2024, 1, 1), date(2026, 7, 1)).map(str),
        st.datetimes(datetime(2024, 1, 1), datetime(2026, 7, 1)).map(datetime.isoformat),
        st.datetimes(
            datetime(2024, 1, 1),
            datetime(2026, 7, 1),
            timezones=st.just(timezone(timedelta(hours=5))),
        ).map(datetime.isoformat),
    ),
    base=st.one_of(
        st.floats(0, 1).map(lambda x: f"{x:.4f}"), st.sampled_from(["0.8", "0.5", "0.1"])
    ),
    pri=st.sampled_from(["", "low", "normal", "amygdala"]),
    src=st.sampled_from(["auto", "manual"]),
    rel=st.sampled_from(["", "a,b,c"]),
    queued=st.sampled_from(["", "2026-01-01", "2026-05-30"]),
)
FOREIGN = st.tuples(ENTRIES, st.floats(0, 1)).map(
    lambda two: two[0].with_value("base", "").with_value("str", f"{two[1]:.2f}")
)  # fmt: skip


def test_what_another_tool_left_stronger_than_our_curve_falls_on_its_day() -> None:
    foreign = entry(accessed="2026-05-02", str="0.36")
    curve = DecayClock(NOW, RATES, reindexed=NOW).curve(foreign)
    days = ((0.3 ** (-1 / 0.3) - 1) - (0.36 ** (-1 / 0.3) - 1)) / 0.1 / 24
    found = next(crossings(curve, BANDS, NOW, FAR))
    assert found.at.date() == NOW.date() + timedelta(days=int(days) + 1)


@given(st.one_of(ENTRIES, FOREIGN), STEEPNESS, st.integers(1, 3650))
def test_the_strength_is_above_the_bound_just_before_and_below_it_then(
    one: Entry, rates: Decay, days: int
) -> None:
    clock = DecayClock(NOW, rates, frozenset("abc"), NOW - timedelta(days=3))
    until = NOW + timedelta(days=days)
    step = timedelta(seconds=1) if isinstance(one.accessed, datetime) else timedelta(microseconds=1)
    seen = band(clock.strength(one), BANDS)
    last = NOW
    for found in crossings(clock.curve(one), BANDS, NOW, until):
        assert last < found.at <= until
        assert found.bound is not None
        assert clock._replace(now=found.at).strength(one) < found.bound
        assert clock._replace(now=found.at - step).strength(one) >= found.bound
        assert (found.before, found.after) == (
            seen,
            band(clock._replace(now=found.at).strength(one), BANDS),
        )
        last, seen = found.at, band(clock._replace(now=found.at).strength(one), BANDS)
    assert seen == band(clock._replace(now=until).strength(one), BANDS)  # none is missed


@given(ENTRIES, st.sampled_from([Decay(rate=0.0), Decay(forgetting=0.0)]))
def test_what_does_not_decay_crosses_nothing(one: Entry, rates: Decay) -> None:
    assert list(crossings(DecayClock(NOW, rates).curve(one), BANDS, NOW, FAR)) == []


@given(ENTRIES, STEEPNESS)
def test_nothing_is_archived_before_it_is_silent(one: Entry, rates: Decay) -> None:
    curve = DecayClock(NOW, rates).curve(one)
    found = archiving(one, curve, BANDS, NOW, FAR)
    if found:
        assert NOW <= found.at <= FAR
        assert curve.strength(found.at) < (BANDS.silent if found.bound is None else found.bound)


def test_an_entry_without_a_date_stays_as_it_is() -> None:
    assert falls_below(Curve(0.9, None, RATES, 1.0), 0.5, NOW, FAR) is None
