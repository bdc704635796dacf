"""Decay against the formula, and law 6: bounded, monotone, not compounding, never weaker for a retrieval."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.config.settings import Bands, Decay
from hippocampus_cli.index.decay import Band, DecayClock, band, retention, written
from hippocampus_cli.index.entry import Entry, Form, parse_entry

RATES = Decay()
NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)


def entry(**values: object) -> Entry:
    pairs = " | ".join(f"{key}={value}" for key, value in {"id": "x", **values}.items())
    return parse_entry(f"## X\n→ x.md\n<!-- hx: {pairs} -->\n", Form.HEADING)


def used(one: Entry, now: DecayClock) -> Entry:
    """The entry after a retrieval."""
    for key, raw in now.retrieved(one).items():
        one = one.with_value(key, raw)
    return one


def clock(now: datetime = NOW, **values: object) -> DecayClock:
    return DecayClock(now, RATES, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hours", "kept"),
    [(0, 1.0), (-5, 1.0), (1, 0.9718), (24, 0.6927), (168, 0.4216), (720, 0.2761), (8760, 0.1309)],
)
def test_the_power_law(hours: float, kept: float) -> None:
    assert retention(hours, RATES) == pytest.approx(kept, abs=5e-5)


@pytest.mark.parametrize(
    ("values", "kept"),
    [
        ({}, 0.4216),
        ({"src": "manual"}, 0.6493),
        ({"rel": "a,b,c"}, 0.5463),
        ({"rel": "a,b,gone"}, 0.4216),
        ({"pri": "low"}, 0.1777),
        ({"pri": "amygdala"}, 1.0),
        ({"src": "manual", "rel": "a,b,c"}, 0.7391),
        ({"pri": "low", "src": "manual"}, 0.4216),
    ],
)
def test_modifiers_multiply_the_forgetting_rate(values: dict[str, str], kept: float) -> None:
    ids = frozenset({"a", "b", "c", "x"})
    week_old = entry(accessed="2026-05-25", base="1.0", **values)
    assert clock(ids=ids).strength(week_old) == pytest.approx(kept, abs=5e-5)


FACTORS = [
    ({}, 1.0),
    ({"src": "manual"}, 0.5),
    ({"rel": "a,b,c"}, 0.7),
    ({"rel": "a,b,b,x"}, 1.0),  # told twice, and itself: two relations
    ({"pri": "low"}, 2.0),
    ({"pri": "amygdala"}, 0.0),
    ({"pri": "amygdala", "src": "manual", "rel": "a,b,c"}, 0.0),
    ({"pri": "low", "rel": "a,b,c"}, 1.4),
    ({"pri": "low", "src": "manual", "rel": "a,b,c"}, 0.7),
]


@pytest.mark.parametrize(("values", "factor"), FACTORS)
@pytest.mark.parametrize("days", [0, 1, 7, 30, 365, 900])
def test_every_modifier_at_every_age_against_the_formula(
    values: dict[str, str], factor: float, days: int
) -> None:
    one = entry(accessed=NOW.date() - timedelta(days=days), base="0.9", **values)
    expected = 0.9 * (1 + 0.1 * 24 * days) ** (-0.3 * factor)
    assert clock(ids=frozenset("abcx")).strength(one) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("strength", "expected"),
    [(1.0, Band.STRONG), (0.8, Band.STRONG), (0.79, Band.MODERATE), (0.5, Band.MODERATE), (0.49, Band.WEAK),
     (0.3, Band.WEAK), (0.29, Band.DECAYING), (0.1, Band.DECAYING), (0.099, Band.SILENT), (0.0, Band.SILENT)],
)  # fmt: skip
def test_the_bands(strength: float, expected: Band) -> None:
    assert band(strength, Bands()) is expected


def test_a_date_counts_whole_days_and_a_date_time_exactly() -> None:
    today = entry(accessed="2026-06-01", base="0.8")
    assert clock().strength(today) == 0.8
    assert clock(NOW + timedelta(hours=11)).strength(today) == 0.8
    exact = entry(accessed="2026-06-01T11:00:00+00:00", base="1.0")
    assert clock().strength(exact) == pytest.approx(0.9718, abs=5e-5)
    assert "accessed" in clock().retrieved(exact)
    assert clock().retrieved(exact)["accessed"] == "2026-06-01T12:00:00+00:00"


def test_a_strength_of_another_tool_is_taken_over_without_a_jump() -> None:
    foreign = entry(accessed="2026-05-25", str="0.40")
    reindexed = datetime(2026, 6, 1, 2, 30, tzinfo=UTC)
    assert clock(reindexed=reindexed).strength(foreign) == pytest.approx(0.40)
    assert clock(reindexed=reindexed).base(foreign) == pytest.approx(0.40 / retention(168, RATES))
    assert clock().base(foreign) == 0.40  # no header: as of the access itself


def test_spaced_retrieval_beats_massed() -> None:
    first = clock().retrieved(entry(accessed="2026-05-01", base="0.5", hits="3"))
    assert first == {"hits": "4", "accessed": "2026-06-01", "str": "0.60", "base": "0.60"}
    again = clock().retrieved(entry(accessed="2026-06-01", base="0.6", hits="4"))
    assert again["base"] == "0.62"
    assert clock().retrieved(entry(accessed="2026-05-01", base="0.95"))["base"] == ""
    spelled = clock().retrieved(entry(accessed="2026-05-01", base="1.0"))
    assert (spelled["str"], spelled["base"]) == ("1.00", "1.0")  # what somebody spelled out stays


def test_a_replay_boosts_without_a_hit() -> None:
    assert clock().replayed(entry(accessed="2026-05-01", base="0.5")) == {
        "accessed": "2026-06-01",
        "str": "0.60",
        "base": "0.60",
    }


def test_a_date_in_the_future_counts_as_now() -> None:
    ahead = entry(accessed="2031-01-01", base="0.7")
    assert clock().strength(ahead) == 0.7
    assert clock().retrieved(ahead)["accessed"] == "2031-01-01"


def test_the_first_hour_that_there_is_is_a_date_like_any_other() -> None:
    ancient = entry(accessed="0001-01-01T00:00+14:00", base="1.0")
    assert clock().retrieved(ancient)["str"] == "1.00"


ENTRIES = st.builds(
    entry,
    accessed=st.one_of(
        st.dates(date(2020, 1, 1), date(2027, 1, 1)),
        st.datetimes(datetime(2020, 1, 1), datetime(2027, 1, 1)).map(lambda d: d.isoformat()),
    ),
    base=st.floats(0, 1).map(lambda x: f"{x:.4f}"),
    pri=st.sampled_from(["", "low", "normal", "amygdala"]),
    src=st.sampled_from(["auto", "manual"]),
    rel=st.sampled_from(["", "a", "a,b,c"]),
)
LATER = st.timedeltas(timedelta(0), timedelta(days=2000))


@given(ENTRIES, LATER, LATER)
def test_strength_is_bounded_and_monotone_in_age(one: Entry, a: timedelta, b: timedelta) -> None:
    ids = frozenset("abc")
    sooner = clock(NOW + min(a, b), ids=ids).strength(one)
    later = clock(NOW + max(a, b), ids=ids).strength(one)
    assert 0.0 <= later <= sooner <= clock().base(one) <= 1.0


@given(ENTRIES, LATER)
def test_recomputing_changes_nothing(one: Entry, age: timedelta) -> None:
    then = clock(NOW + age)
    before = then.strength(one)
    stored = one.with_value("str", f"{before:.2f}")
    assert then.strength(stored) == before


@given(ENTRIES, LATER)
def test_a_retrieval_never_leaves_an_entry_weaker_at_any_later_time(
    one: Entry, age: timedelta
) -> None:
    retrieved = used(one, clock(ids=frozenset("abc")))
    later = clock(NOW + age, ids=frozenset("abc"))
    # the base is written with four decimals
    assert later.strength(retrieved) >= later.strength(one) - 5e-5


@given(ENTRIES, LATER, LATER, LATER)
def test_a_base_of_one_is_left_out_where_the_strength_says_it_whatever_the_header_says(
    one: Entry, age: timedelta, header: timedelta, more: timedelta
) -> None:
    """D21: ``str=1.00`` alone is a base of 1 at the access, however often the header moved on since."""
    ids = frozenset("abc")
    for base in (1.0, one.base or 0.0):
        raw = written(base, base)
        assert (raw["base"] == "") == (raw["str"] == "1.00" and base > 0.99994)
        bare = one.with_value("base", "").with_values(raw)
        full = one.with_values({"str": raw["str"], "base": f"{base:.4f}"})
        now = clock(NOW + age + more, ids=ids, reindexed=NOW + header)
        assert now.curve(bare) == now.curve(full)


@given(ENTRIES, st.floats(0, 0.99).map(lambda x: f"{x:.2f}"), LATER, LATER)
def test_what_another_tool_wrote_runs_on_from_there(
    one: Entry, stored: str, age: timedelta, more: timedelta
) -> None:
    foreign = one.with_value("base", "").with_value("str", stored)
    ids, reindexed = frozenset("abc"), NOW + age
    then = clock(reindexed, ids=ids, reindexed=reindexed)
    later = clock(reindexed + more, ids=ids, reindexed=reindexed)
    assert then.strength(foreign) == pytest.approx(float(stored), abs=1e-6)
    assert 0.0 <= later.strength(foreign) <= then.strength(foreign) <= then.base(foreign) <= 1.0
    kept = used(foreign, then)
    assert later.strength(kept) >= later.strength(foreign) - 5e-5
