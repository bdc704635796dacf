"""What a hand edit damages is named with its line and with what to write."""

from __future__ import annotations

from datetime import date

from hippocampus_cli.index.checks import check
from hippocampus_cli.index.parse import parse

VALUES = "created=2026-01-01 | accessed=2026-01-01 | hits=0 | str=1.00"


def test_a_comment_that_lost_its_colon() -> None:
    entry = f"### Agents\n→ AGENTS.md\n<!-- hx id=agents | {VALUES} -->\n"
    found = check(parse(f"# Index\n\n{entry}"), date(2026, 8, 1), set())
    assert [(each.line, each.code) for each in found] == [(4, "lost-hx"), (5, "stray-hx")]
    assert "write <!-- hx: ... --> below a heading" in found[1].message
