"""A decay that learns: bounded, a function of the journal and the moment, never to the harm of what is used."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.config.settings import Decay
from hippocampus_cli.index.decay import DecayClock, clock_for
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.workspace.journal import Event, record
from hippocampus_cli.workspace.learned_decay import LEAST, learned
from tests.support.workspaces import NOW as PLACES_NOW
from tests.support.workspaces import acme

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
KEYS = ("deploy", "lunch", "day")
INDEX = Hierarchy(
    parse(
        "".join(
            f"## {key}\n→ {path}\n<!-- hx: id={key} | str=0.40 | base=0.90 | accessed=2026-04-01 -->\n\n"
            for key, path in zip(
                KEYS, ("TOOLS.md", "memory/2026-04-01.md", "memory/2026-03-01.md"), strict=True
            )
        )
    )
)


def used(key: str, at: datetime) -> Event:
    return Event(at, "", "index", (), (key,))


def clock(events: list[Event], now: datetime = NOW) -> DecayClock:
    return clock_for(INDEX, now, Decay())._replace(learned=learned(INDEX, events, now).factors)


def strength(key: str, events: list[Event], now: datetime = NOW) -> float:
    return clock(events, now).strength(INDEX.by_key[key].entry)


def weekly(key: str) -> list[Event]:
    return [used(key, NOW - timedelta(days=7 * week + 1)) for week in range(9)]


def test_what_is_asked_weekly_fades_slower_and_its_kind_a_little() -> None:
    plain, taught = clock([]), clock(weekly("lunch"))
    assert taught.learned["lunch"] < 0.55 < taught.learned["day"] < 1
    assert "deploy" not in taught.learned
    for key in KEYS[1:]:
        assert strength(key, weekly("lunch")) > plain.strength(INDEX.by_key[key].entry)


def test_one_day_of_use_is_the_default_curve() -> None:
    burst = [used("lunch", NOW - timedelta(hours=hour)) for hour in range(8)]
    assert not learned(INDEX, burst, NOW).factors
    assert not learned(INDEX, [used("gone", NOW)], NOW).factors


uses = st.lists(
    st.builds(
        lambda key, hours: used(key, NOW - timedelta(hours=hours)),
        st.sampled_from(KEYS),
        st.integers(-48, 2400),
    ),
    max_size=30,
)


@given(uses, st.sampled_from(KEYS), st.integers(0, 2400))
def test_bounded_and_a_use_more_weakens_nothing(events: list[Event], key: str, hours: int) -> None:
    before = learned(INDEX, events, NOW).factors
    after = learned(INDEX, [*events, used(key, NOW - timedelta(hours=hours))], NOW).factors
    for one in KEYS:
        assert LEAST <= after.get(one, 1.0) <= before.get(one, 1.0) <= 1.0


@given(uses, st.sampled_from(KEYS), st.integers(0, 2400))
def test_strength_falls_with_time_and_is_never_below_the_default(
    events: list[Event], key: str, hours: int
) -> None:
    past = [one for one in events if one.at <= NOW]
    later = NOW + timedelta(hours=hours)
    assert strength(key, past, later) <= strength(key, past) + 1e-12
    assert strength(key, past) >= strength(key, [])
    assert strength(key, past) == strength(key, past[::-1])


@given(uses, st.integers(0, 2400))
def test_a_retrieval_never_leaves_an_entry_weaker(events: list[Event], hours: int) -> None:
    past = [one for one in events if one.at <= NOW]
    entry = INDEX.by_key["lunch"].entry
    values = clock(past).retrieved(entry)
    later = NOW + timedelta(hours=hours)
    with_it = clock([*past, used("lunch", NOW)], later).strength(entry.with_values(values))
    assert with_it >= clock(past, later).strength(entry) - 1e-12


def test_an_entry_without_a_base_keeps_the_default_curve() -> None:
    """Its base hangs on the curve, and would be another one when learning is switched off."""
    entry = INDEX.by_key["lunch"].entry.with_value("base", "")
    now = clock_for(INDEX, NOW, Decay())._replace(reindexed=NOW - timedelta(days=3))
    assert now._replace(learned={"lunch": 0.3}).curve(entry) == now.curve(entry)


def test_switched_off_strengths_are_those_of_the_default_curve(tmp_path: Path) -> None:
    twins = [acme(tmp_path / name) for name in ("taught", "plain")]
    taught = Workspace(twins[0].root, Config(decay=Decay(learn=True)))
    now = PLACES_NOW
    for week in range(8):
        event = {"query": "", "route": "index", "results": [], "used": ["grace"]}
        for one in twins:
            record(one.root, now - timedelta(days=7 * week + 1), event)
    later = now + timedelta(days=40)
    for one in (taught, twins[1]):
        one.upkeep.run("daily", now=now)
        one.upkeep.run("monthly", now=later)
    slow, plain = (
        {one.id: one.strength for one in each.entries.list(now=later)}
        for each in (taught, twins[1])
    )
    assert slow["grace"] > plain["grace"]
    assert {one.id: one.strength for one in twins[0].entries.list(now=later)} == plain
    kinds = {one.kind: one.factor for one in taught.upkeep.report(now=now).learned}
    assert min(kinds.values()) < 1
    assert not twins[0].upkeep.report(now=now).learned
