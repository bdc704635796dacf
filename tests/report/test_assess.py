from __future__ import annotations

import shlex
from dataclasses import replace
from datetime import timedelta

from hippocampus_cli.report.assess import advice, assess
from hippocampus_cli.report.health import Broken, Health
from tests.report.samples import NOW, entry, event, known, lively

RAN = {name: NOW - timedelta(hours=1) for name in ("daily", "weekly", "monthly")}


def commands(health: Health) -> list[str]:
    return [one.command for one in advice(health)]


def healthy() -> Health:
    related = entry("a", rel="b", pri="amygdala") + entry("b", rel="a", pri="amygdala")
    return assess(known(related, cycles=RAN))


def test_a_healthy_index_needs_nothing() -> None:
    assert commands(healthy()) == []


def test_pointers_that_lead_nowhere() -> None:
    broken = (Broken("a", "A", "x.md", "missing-file"),)
    (one,) = advice(replace(healthy(), broken=broken))
    assert (one.why, one.command) == ("1 pointer is broken", "hippo check")
    (two,) = advice(replace(healthy(), broken=broken * 2_000))
    assert two.why == "2,000 pointers are broken"


def test_upkeep_that_never_ran_and_upkeep_that_is_late() -> None:
    text = entry("a", rel="b", pri="amygdala") + entry("b", pri="amygdala")
    assert commands(assess(known(text))) == ["hippo maintain --due", "hippo schedule install"]
    late = {**RAN, "daily": NOW - timedelta(days=4), "weekly": NOW - timedelta(days=40)}
    (one,) = advice(assess(known(text, cycles=late)))
    assert one.why == "daily and weekly upkeep is overdue"


def test_an_index_over_its_budget() -> None:
    (one,) = advice(replace(healthy(), tokens=15_001))
    assert (one.why, one.command) == ("the index is 1 tokens over its budget", "hippo weekly")


def test_a_poor_hit_rate_counts_only_with_some_queries() -> None:
    text = entry("a", rel="b", pri="amygdala") + entry("b", pri="amygdala")
    few = [event(1, "search")] * 9
    assert commands(assess(known(text, cycles=RAN, events=few))) == []
    many = [*few, event(1, "index"), event(1, "both")]
    (one,) = advice(assess(known(text, cycles=RAN, events=many)))
    assert one.command == "hippo bootstrap"
    assert "only 18% of 11 queries" in one.why


def test_entries_that_will_fall_silent() -> None:
    text = entry("a", rel="b", base=0.4, accessed="2026-05-13") + entry("b", pri="amygdala")
    health = assess(known(text, cycles=RAN))
    assert health.bands["silent"] == 0
    (one,) = advice(health)
    assert one.why.startswith("1 entry becomes silent within 28 days")
    assert one.command == "hippo forecast --days 28"


def test_many_orphans() -> None:
    text = "".join(entry(name, pri="amygdala") for name in "abc") + entry("d", rel="a")
    (one,) = advice(assess(known(text, cycles=RAN)))
    assert one.why.startswith("2 of 4 entries have no relations")


def test_no_text_of_the_workspace_is_in_a_command() -> None:
    for one in lively().advice:
        assert "script" not in one.command + one.why
        assert shlex.split(one.command)[0] == "hippo"
