from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.entries.draft import id_of, pointer_to
from hippocampus_cli.index.decay import Band, Bands, band
from hippocampus_cli.index.edit import block
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.pointers import Pointer
from hippocampus_cli.workspace.sections import find_section
from tests.support.passages import drafter, one, passages, titled

TOOLS = """# TOOLS

## Deploy 🚀

Since April the **kelpctl** command is:

```bash
kelpctl release prod --canary 10
```

## VPN

WireGuard, MTU 1380, not the default 1420.
"""


def test_an_entry_as_a_person_reads_it() -> None:
    draft = drafter(("TOOLS.md", TOOLS)).draft(titled("TOOLS.md", TOOLS, "Deploy 🚀"))
    assert block(draft, 3) == (
        "### Deploy\n"
        "Since April the kelpctl command is: kelpctl release prod --canary 10\n"
        "→ TOOLS.md §Deploy 🚀\n"
        "<!-- hx: id=deploy | created=2026-01-20 | accessed=2026-01-20 | hits=0 | str=0.37\n"
        "| base=1.00 | tags=kelpctl,canary,command -->"
    )


def test_the_day_is_the_one_in_the_name() -> None:
    draft = drafter().draft(one("memory/2025-12-24.md", "Goose and red cabbage."))
    assert draft.created == draft.accessed == date(2025, 12, 24)


def test_a_day_in_the_future_counts_as_today() -> None:
    draft = drafter().draft(one("memory/2031-01-01.md", "Written by a broken clock."))
    assert draft.created == date(2026, 1, 31)
    assert draft.strength == draft.base == 1.0


def test_many_relations_slow_the_decay_from_the_start() -> None:
    maker = drafter()
    draft = maker.draft(one("memory/2025-06-01.md", "An old day at the sea."))
    assert maker.related(draft, ("a", "b")).strength == draft.strength
    assert maker.related(draft, ("a", "b", "c")).strength > draft.strength


def test_ids_and_topics_that_are_taken_are_avoided() -> None:
    draft = drafter().draft(one("docs/vpn.md", "# VPN\nx y z\n"), ids={"vpn"}, topics={"vpn"})
    assert draft.id != "vpn" and draft.topic.casefold() != "vpn"


@pytest.mark.parametrize(
    ("topic", "wanted"),
    [
        ("Deploy", "deploy"),
        ("Heat pump at home, second floor: Offers", "heat-offers"),
        ("Promoted from short-term memory (2026-06-12)", "promoted-from-2026-06-12"),
        ("2026-06-12: Ghost alarms, invoices, moving day", "2026-06-12-ghost-alarms"),
        ("岡部 花", "岡部-花"),
        ("🎉", "entry"),
    ],
)
def test_ids_are_short_and_keep_what_tells(topic: str, wanted: str) -> None:
    assert id_of(topic) == wanted


def test_the_same_passage_gives_the_same_entry() -> None:
    passage = titled("TOOLS.md", TOOLS, "VPN")
    assert drafter().draft(passage) == drafter().draft(passage)


def test_a_duplicate_heading_is_pointed_at_by_number() -> None:
    text = "# 2026-01-05\n\n## Notes\nfirst one\n\n## Notes\nsecond one\n"
    names = [pointer_to(passage).section for passage in passages("memory/2026-01-05.md", text)]
    assert names == ["Notes #1", "Notes #2"]


def test_a_note_without_headings_is_pointed_at_as_a_whole() -> None:
    assert pointer_to(one("a b.md", "text")) == Pointer("a b.md")


@pytest.mark.parametrize("heading", ["A | B", "§1", "100% `code` > x", "-->", "a\x1b[31m", "##"])
def test_odd_headings_lead_back_to_their_section(heading: str) -> None:
    text = f"# T\n\n## {heading}\nsome text here\n\n## Other\nmore\n"
    passage = passages("TOOLS.md", text)[0]
    pointer = pointer_to(passage)
    if pointer.section is not None:
        found = find_section(passage.note.sections, pointer.section)
        assert found is not None and found.section == passage.section


@given(st.text(max_size=60), st.text(max_size=200))
def test_any_section_becomes_exactly_one_entry(heading: str, body: str) -> None:
    text = f"# T\n\n## {' '.join(heading.split())}\n{body}\n\n## Other\nmore\n"
    for passage in passages("TOOLS.md", text):
        draft = drafter().draft(passage)
        document = parse(block(draft, 3) + "\n")
        (entry,) = document.entries
        assert entry.entry.id == draft.id
        assert entry.entry.pointers == draft.pointers
        assert entry.entry.tags == draft.tags
        assert band(draft.strength, Bands()) is not Band.SILENT
