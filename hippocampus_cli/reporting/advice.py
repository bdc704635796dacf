"""What to do about it: concrete commands, the most pressing first."""

from __future__ import annotations

from collections.abc import Iterator

from hippocampus_cli.reporting.health import Advice, Health
from hippocampus_cli.reporting.words import overdue

_SOON_DAYS = 28  # a step of the forecast
_FEW_QUERIES = 10  # too few to judge the index by
_GOOD_RATE = 0.5
_MANY_ORPHANS = 0.25


def advice(health: Health) -> Iterator[Advice]:
    """What is to be done."""
    if not health.entries:
        yield Advice("there are no entries yet", "hippo bootstrap")
        return
    if health.broken:
        number = len(health.broken)
        leads = "1 pointer leads" if number == 1 else f"{number:,} pointers lead"
        yield Advice(f"{leads} nowhere", "hippo check")
    yield from _upkeep(health)
    if health.queries >= _FEW_QUERIES and (health.hit_rate or 0.0) < _GOOD_RATE:
        why = f"the index had a part in only {health.hit_rate:.0%} of {health.queries:,} queries"
        yield Advice(f"{why}; new notes may not be indexed", "hippo bootstrap")
    yield from _fading(health)
    if len(health.orphans) > _MANY_ORPHANS * health.entries:
        why = f"{len(health.orphans):,} of {health.entries:,} entries relate to no other"
        yield Advice(f"{why}; what is retrieved together gets related", "hippo weekly")


def _upkeep(health: Health) -> Iterator[Advice]:
    late = overdue(health)
    if late and not any(cycle.last for cycle in health.cycles):
        yield Advice("upkeep has never run", "hippo maintain --due")
        yield Advice("and nothing runs it by itself", "hippo schedule install")
    elif late:
        yield Advice(f"{late} upkeep is overdue", "hippo maintain --due")
    if health.tokens > health.max_tokens:
        over = health.tokens - health.max_tokens
        yield Advice(f"the index is {over:,} tokens over its budget", "hippo weekly")
    if health.silent_waiting:
        are = "entry is" if health.silent_waiting == 1 else "entries are"
        why = f"{health.silent_waiting:,} {are} silent and not in the Decay Queue"
        yield Advice(why, "hippo daily")


def _fading(health: Health) -> Iterator[Advice]:
    silent_now = health.bands["silent"]
    later = next((step for step in health.forecast if step.days == _SOON_DAYS), None)
    falling = later.bands["silent"] - silent_now if later else 0
    if falling > 0:
        fall = "entry falls" if falling == 1 else "entries fall"
        why = f"{falling:,} {fall} silent within {_SOON_DAYS} days; `hippo pin ID` keeps one"
        yield Advice(why, f"hippo forecast --days {_SOON_DAYS}")
