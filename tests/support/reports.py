"""Healths to look at: of an index that has seen much, of hostile texts, of nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from hippocampus_cli.config.settings import Bands, Decay
from hippocampus_cli.index.decay import clock_for
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.parse import parse
from hippocampus_cli.integrations.hook_log import OPENED, Ran
from hippocampus_cli.report.assess import Known, assess
from hippocampus_cli.report.health import Broken, Health, Size
from hippocampus_cli.workspace.journal import Event

NOW = datetime(2026, 6, 17, 12, tzinfo=UTC)  # a Wednesday
HOSTILE = "<script>alert(1)</script> & \"q\" 'a' `x` | [y](z) {{ 7*7 }} \x1b[31m\u202e\x00 \udcff"


def known(text: str, **more: object) -> Known:
    """What is known of the index with this text."""
    document: Document = parse(text)
    clock = clock_for(document, NOW, Decay())
    fixed = Known("acme", document.entries, clock, Bands(), 100, 15_000)
    return fixed.replaced(**more)


def entry(key: str, **values: object) -> str:
    """An entry's block; ``topic`` is its heading, ``to`` its pointer."""
    topic, to = values.pop("topic", key.title()), values.pop("to", "a.md")
    made = {"created": "2026-06-01", "accessed": "2026-06-17", "hits": 0, "str": 1.0, **values}
    fields = " | ".join(f"{name}={value}" for name, value in made.items())
    return f"## {topic}\n→ {to}\n<!-- hx: id={key} | {fields} -->\n\n"


def event(days: float, route: str) -> Event:
    return Event(NOW - timedelta(days=days), "q", route, (), ())


def lively() -> Health:
    """Entries of every band, queries of every route, records of upkeep, something broken."""
    text = "".join(
        entry(
            f"e{at}",
            topic=HOSTILE + "x" * 5_000 if at == 3 else f"Topic {at}",
            created=f"{NOW - timedelta(days=at * 2):%Y-%m-%d}",
            accessed=f"{NOW - timedelta(days=at**2 / 2):%Y-%m-%d}",
            hits=at % 7,
            base=1.0 if at < 36 else 0.3,
        )
        for at in range(40)
    )
    routes = ("index", "both", "search", "none", "both", "index")
    sizes: Sequence[Size] = [
        Size(NOW - timedelta(days=at), 40 - at // 4, 14_000 - at * 90, 30)
        for at in range(80, 0, -1)
    ]
    broken = [
        Broken("e3", HOSTILE, HOSTILE, "outside"),
        Broken("e4", "T", "gone.md", "missing-file"),
    ]
    events = [event(at * 0.9, routes[at % 6]) for at in range(80)]
    events[0] = events[0]._replace(used=("e0",))
    events.append(events[3]._replace(wrong=("e0",)))
    runs = [
        Ran(f"{NOW:%Y-%m-%dT%H:%M:%S%z}", "codex", name, 90, 30, "s")
        for name in ("SessionStart", OPENED)
    ]
    given = {"broken": broken, "events": events, "sizes": sizes, "runs": runs}
    return assess(known(text, workspace=f"acme {HOSTILE}", tokens=15_400, **given))


def nothing() -> Health:
    return assess(known("# HIPPOCAMPUS.md\n"))
