"""What a hand edit damages is named with its line and with what to write."""

from __future__ import annotations

from datetime import date

from hippocampus_cli.index.checks import check
from hippocampus_cli.index.parse import parse

VALUES = "created=2026-01-01 | accessed=2026-01-01 | hits=0 | str=1.00"


def test_a_comment_that_lost_its_colon() -> None:
    entry = f"### Agents\n→ AGENTS.md\n<!-- hx id=agents | {VALUES} -->\n"
    found = check(parse(f"# Index\n\n{entry}"), date(2026, 8, 1), set())
    message = "no entry has this: write <!-- hx: ... --> below a heading"
    assert [(each.line, each.code, each.message) for each in found] == [(5, "stray-hx", message)]
