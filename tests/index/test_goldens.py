"""Readable cases: what each kind of index file is read as."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from hippocampus_cli.errors import EntryNotFound, IndexRefused
from hippocampus_cli.index import edit, metadata
from hippocampus_cli.index.checks import check
from hippocampus_cli.index.document import Document, Heading
from hippocampus_cli.index.entry import Form
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.pointers import Pointer
from tests.support.indexes import set_values

SEED = """\
# HIPPOCAMPUS.md — Memory Index
<!-- hippocampus.md v1.0 | entries: 1 | reindexed: 2026-01-31T02:30:00Z -->

## By Topic
### Projects
#### Acme API Deployment
Deploy command, Vercel setup, domain config.
→ TOOLS.md §Vercel | projects/acme.ai/PROJECT.md
<!-- hx: id=acme-deploy | created=2026-01-10 | accessed=2026-01-31
| hits=23 | str=0.92 | tags=deploy,vercel,acme
| rel=railway-services,cloudflare-dns -->
"""
TODAY = date(2026, 2, 1)


def codes(document: Document) -> list[tuple[int, str]]:
    return [(one.line, one.code) for one in check(document, TODAY, document.ids)]


def test_the_example_of_the_specification() -> None:
    document = parse(SEED)
    (located,) = document.entries
    entry = located.entry
    assert (located.key, located.line, located.section) == (
        "acme-deploy",
        6,
        ("By Topic", "Projects"),
    )
    assert entry.topic == "Acme API Deployment"
    assert entry.summary == "Deploy command, Vercel setup, domain config."
    assert entry.pointers == (Pointer("TOOLS.md", "Vercel"), Pointer("projects/acme.ai/PROJECT.md"))
    assert (entry.created, entry.accessed) == (date(2026, 1, 10), date(2026, 1, 31))
    assert (entry.hits, entry.strength, entry.base, entry.ver) == (23, 0.92, None, 1)
    assert entry.tags == ("deploy", "vercel", "acme")
    assert entry.rel == ("railway-services", "cloudflare-dns")
    assert (entry.pri, entry.src) == (metadata.Priority.NORMAL, metadata.Source.AUTO)
    assert document.header is not None
    assert (document.header.version, document.header.entries) == ("1.0", 1)
    assert document.header.reindexed == "2026-01-31T02:30:00Z"
    assert codes(document) == [(11, "unknown-relation"), (11, "unknown-relation")]


def test_one_field_changes_and_the_wrapping_stays() -> None:
    edited = set_values(parse(SEED), "acme-deploy", {"hits": "24", "base": "0.92"})
    assert edited.text == SEED.replace("hits=23", "hits=24").replace(
        "cloudflare-dns -->", "cloudflare-dns | base=0.92 -->"
    )


def test_every_field_of_the_specification_is_read_and_written() -> None:
    text = "## A\n→ a.md\n<!-- hx: id=a | pri=amygdala | src=manual | ver=3 | queued=2026-01-05T10:00:00+01:00 -->\n"
    entry = parse(text).entries[0].entry
    assert (entry.pri, entry.src, entry.ver) == (
        metadata.Priority.AMYGDALA,
        metadata.Source.MANUAL,
        3,
    )
    assert entry.queued == datetime.fromisoformat("2026-01-05T10:00:00+01:00")
    assert set_values(parse(text), "a", {"ver": "4"}).text == text.replace("ver=3", "ver=4")


def test_the_minimal_index() -> None:
    text = (
        "# HIPPOCAMPUS.md\n<!-- Minimal index — updated manually -->\n## Where to Find Things\n"
        "- Deploy commands → TOOLS.md\n- Project status -> MEMORY.md §Projects\n"
        "- Recent work → memory/2026-01-31.md\n- Always plan → then do\n"
    )
    document = parse(text)
    assert [e.entry.topic for e in document.entries] == [
        "Deploy commands",
        "Project status",
        "Recent work",
    ]
    assert [e.key for e in document.entries] == ["deploy-commands", "project-status", "recent-work"]
    assert {e.entry.form for e in document.entries} == {Form.BULLET}
    assert document.entries[1].entry.pointers == (Pointer("MEMORY.md", "Projects"),)
    assert document.entries[0].section == ("Where to Find Things",)
    assert codes(document) == []


def test_a_bullet_gets_its_metadata_in_place() -> None:
    document = set_values(
        parse("- Deploy → TOOLS.md §Vercel  \r\n- x → y.md"), "deploy", {"id": "deploy"}
    )
    assert document.text == "- Deploy → TOOLS.md §Vercel <!-- hx: id=deploy -->  \r\n- x → y.md"
    assert document.entries[0].entry.pointers == (Pointer("TOOLS.md", "Vercel"),)


def test_crlf_and_bom_stay() -> None:
    text = "\ufeff" + SEED.replace("\n", "\r\n")
    document = parse(text)
    assert document.text == text
    assert document.header is not None
    edited = set_values(document, "acme-deploy", {"str": "0.90"})
    assert edited.text == text.replace("str=0.92", "str=0.90")
    grown = edit.add_entries(
        document, ("By Topic", "Projects"), ["## B\n→ b.md\n<!-- hx: id=b -->"]
    )
    assert "\n" not in grown.text.replace("\r\n", "")


def test_unknown_keys_stay_and_key_order_too() -> None:
    text = "## A\n→ a.md\n<!-- hx: mood=blue | hits=1 | id=a | id=b -->\n"
    edited = set_values(parse(text), "a", {"hits": "2"})
    assert edited.text == text.replace("hits=1", "hits=2")
    assert [code for _, code in codes(parse(text))][:1] == ["duplicate-field"]


def test_duplicate_ids_are_told_apart() -> None:
    block = "## A\n→ a.md\n<!-- hx: id=a | created=2026-01-01 | accessed=2026-01-01 | hits=0 | str=1 -->\n"
    document = parse(block * 2)
    assert [e.key for e in document.entries] == ["a", "a~2"]
    assert set_values(document, "a~2", {"hits": "5"}).text == block + block.replace(
        "hits=0", "hits=5"
    )
    assert codes(document) == [(6, "duplicate-id")]


def test_an_hx_comment_that_never_closes_is_read_and_never_changed() -> None:
    text = "## A\n→ a.md\n<!-- hx: id=a | hits=3\n\n## B\n→ b.md\n<!-- hx: id=b | hits=1 -->\n"
    document = parse(text)
    assert [(e.key, e.entry.hits, e.entry.closed) for e in document.entries] == [
        ("a", 3, False),
        ("b", 1, True),
    ]
    with pytest.raises(IndexRefused) as refused:
        set_values(document, "a", {"hits": "4"})
    assert refused.value.line == 1
    assert (3, "unclosed-hx") in codes(document)
    assert set_values(document, "b", {"hits": "2"}).text == text.replace("hits=1", "hits=2")


def test_a_list_item_may_hold_a_comma_or_a_bar() -> None:
    raw = metadata.write_list(["a,b", "c|d", "e"])
    assert raw == "a%2Cb,c%7Cd,e"
    assert metadata.read_list(raw) == ("a,b", "c|d", "e")


def test_a_hurried_agent() -> None:
    text = (
        "## A\nsome text\n-> ./a.md § Vercel\n"
        "<!-- hx: created=31.01.2026 | accessed=2026-13-40 | hits=-2 | str=1.7 | pri=URGENT | src=Manual -->\n"
    )
    document = parse(text)
    entry = document.entries[0].entry
    assert (entry.id, entry.created, entry.accessed, entry.hits, entry.strength) == (
        "a",
        None,
        None,
        0,
        1.0,
    )
    assert entry.src is metadata.Source.MANUAL
    assert codes(document) == [
        (4, "bad-date"),
        (4, "bad-date"),
        (4, "bad-number"),
        (4, "bad-value"),
        (4, "missing-field"),
        (4, "out-of-range"),
    ]
    assert document.text == text


def test_levels_follow_the_section() -> None:
    block = "## New\n→ n.md\n<!-- hx: id=n -->"
    in_topic = edit.add_entries(parse(SEED), ("By Topic", "Projects"), [block])
    assert in_topic.by_key["n"].entry.level == 4
    in_queue = edit.add_entries(parse(SEED), ("Decay Queue",), [block])
    assert in_queue.by_key["n"].entry.level == 3
    bare = edit.add_entries(parse("# T\n"), (), [block])
    assert bare.by_key["n"].entry.level == 2
    assert bare.text == "# T\n\n## New\n→ n.md\n<!-- hx: id=n -->\n"


def test_views_hold_no_entries_and_are_replaced_whole() -> None:
    document = edit.set_view(
        parse(SEED), ("Quick Access",), "quick-access", ["- A → a.md", "### x"]
    )
    assert [e.key for e in document.entries] == ["acme-deploy"]
    again = edit.set_view(document, ("Quick Access",), "quick-access", ["- B → b.md"])
    assert again.text == document.text.replace("- A → a.md\n### x", "- B → b.md")
    assert parse(again.text) == again


def test_a_new_section_goes_under_its_parent() -> None:
    document = edit.ensure_section(parse(SEED + "\n## Meta\n"), ("By Topic", "People"))
    titles = [node.title for node in document.nodes if isinstance(node, Heading)]
    assert titles[1:] == ["By Topic", "Projects", "People", "Meta"]


def test_the_header_counts() -> None:
    document = edit.set_header(parse(SEED), "2026-02-01T00:00:00Z")
    assert "entries: 1 | reindexed: 2026-02-01T00:00:00Z" in document.text
    assert (2, "entry-count") in codes(parse(SEED.replace("entries: 1", "entries: 9")))


def test_an_unknown_key_is_an_error_of_its_own() -> None:
    with pytest.raises(EntryNotFound):
        set_values(parse(SEED), "nope", {"hits": "1"})


def test_prose_and_bullets_below_an_entry_are_not_its_summary() -> None:
    text = (
        "## A\n→ a.md\n<!-- hx: id=a -->\n\n- B → b.md <!-- hx: id=b -->\n- C → c.md\n\n"
        "## D\n→ d.md\n<!-- hx: id=d -->\nAt once.\n\nThe writer's\nown words.\n"
    )
    document = parse(text)
    assert [one.key for one in document.entries] == ["a", "b", "c", "d"]
    assert document.by_key["a"].entry.summary == ""
    assert document.by_key["d"].entry.summary == "At once."
    assert document.by_key["d"].entry.raw.endswith("At once.\n")


def test_what_a_merge_left_and_metadata_of_nobody_are_found() -> None:
    entry = "## A\n→ a.md\n<!-- hx: id=a | created=2026-01-01 | accessed=2026-01-01 | hits=0 | str=1 -->\n"
    text = (
        f"<<<<<<< HEAD\n{entry}=======\n>>>>>>> theirs\n<!-- hx: id=a2 -->\n> <!-- HX: id=b -->\n"
    )
    assert codes(parse(text)) == [
        (1, "merge-conflict"),
        (5, "merge-conflict"),
        (6, "merge-conflict"),
        (7, "stray-hx"),
        (8, "stray-hx"),
    ]
    assert codes(parse(f"```\n<!-- hx: id=no -->\n<<<<<<< HEAD\n```\n{entry}")) == []


def test_a_header_behind_a_byte_order_mark_is_one() -> None:
    text = "\ufeff<!-- hippocampus.md v1.0 | entries: 0 | reindexed: 2026-01-31 -->\n# Index\n"
    header = parse(text).header
    assert header is not None
    assert (header.version, header.reindexed) == ("1.0", "2026-01-31")
    assert parse(text).text == text
