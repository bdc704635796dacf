"""Into the archive and back: the block stays what it was."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hippocampus_cli.errors import EntryNotFound, IndexRefused
from hippocampus_cli.index.archive import Why, bring_back, retired
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.edit import block_of
from hippocampus_cli.index.entry import Form
from hippocampus_cli.index.hierarchy import Hierarchy
from tests.support.documents import DOCUMENTS
from tests.support.indexes import index_of

DAY = date(2026, 11, 21)
FILE = ".hippocampus/archive/2026-11.md"
ELSEWHERE = ("By Topic", "Elsewhere")
TEXT = """\
# Index

## By Topic

### Projects

#### Acme deploy
How we ship.
→ TOOLS.md §Deploy
<!-- hx: id=acme | hits=2 | str=0.04
| note=own, keep | rel=vpn -->

#### VPN
→ TOOLS.md §VPN
<!-- hx: id=vpn | hits=1 -->

## Decay Queue
"""


def revived(index: Hierarchy, key: str, otherwise: tuple[str, ...]) -> Hierarchy:
    return bring_back(index, {key: otherwise})


def test_an_archived_entry_says_when_why_and_where_it_stood() -> None:
    whole = retired(index_of(TEXT), {"acme": {"into": "vpn"}}, Why.MERGED, DAY)
    gone = whole.by_key["acme"]
    assert (gone.file, gone.section) == (FILE, ())
    assert gone.entry.raw == (
        "## Acme deploy\nHow we ship.\n→ TOOLS.md §Deploy\n<!-- hx: id=acme | hits=2 | str=0.04\n"
        "| note=own, keep | rel=vpn | archived=2026-11-21 | why=merged | into=vpn"
        " | home=By Topic %3E Projects -->\n"
    )
    assert whole.master.text == TEXT.replace(
        TEXT[TEXT.index("#### Acme") : TEXT.index("#### VPN")], ""
    )


def test_several_go_together_or_not_at_all() -> None:
    whole = retired(index_of(TEXT), {"acme": {}, "vpn": {}}, Why.PRUNED, DAY)
    assert not whole.entries and [one.key for one in whole.archived] == ["acme", "vpn"]
    with pytest.raises(EntryNotFound):
        retired(index_of(TEXT), {"acme": {}, "nothing": {}}, Why.PRUNED, DAY)


def test_a_revived_entry_is_back_in_its_section_to_the_byte() -> None:
    whole = revived(retired(index_of(TEXT), {"vpn": {}}, Why.SILENT, DAY), "vpn", ELSEWHERE)
    assert whole.master.text == TEXT
    assert not whole.archived


def test_its_section_and_its_file_are_made_again_where_they_are_gone() -> None:
    whole = retired(index_of(TEXT), {"vpn": {}}, Why.PRUNED, DAY)
    bare = whole.with_file("HIPPOCAMPUS.md", index_of("# Index\n").master)
    assert revived(bare, "vpn", ELSEWHERE).by_key["vpn"].section == ("By Topic", "Projects")
    shard = ".hippocampus/topics/tools.md"
    whole = retired(index_of(TEXT).moved(["vpn"], ("Tools",), shard), {"vpn": {}}, Why.PRUNED, DAY)
    whole = Hierarchy({MASTER: whole.master, **whole.archive})
    back = revived(whole, "vpn", ELSEWHERE).by_key["vpn"]
    assert (back.file, back.section) == (shard, ("Tools",))


@pytest.mark.parametrize(
    "above",
    ["# Index\n\n##", "# Index\n\n## A > B\n\n### C\n\n####"],
    ids=["the file", "a path's sign"],
)
def test_an_entry_comes_back_to_the_end_of_what_it_stood_in(above: str) -> None:
    text = f"{above} VPN\n→ a.md\n<!-- hx: id=vpn -->\n"
    gone = retired(index_of(text), {"vpn": {}}, Why.PRUNED, DAY)
    assert revived(gone, "vpn", ELSEWHERE).master.text == text


def test_what_was_in_the_queue_goes_where_it_was_before_or_else_where_it_belongs() -> None:
    queued = index_of(TEXT).moved(["acme", "vpn"], ("Decay Queue",))
    queued = queued.set_values({"acme": {"queued": "2026-10-01", "home": "By Topic %3E Projects"}})
    for whole in (queued, retired(queued, {"acme": {}, "vpn": {}}, Why.SILENT, DAY)):
        back = revived(revived(whole, "acme", ELSEWHERE), "vpn", ELSEWHERE)
        assert back.by_key["acme"].section == ("By Topic", "Projects")
        assert back.by_key["vpn"].section == ELSEWHERE
        assert not {"home", "queued", "archived", "why"} & back.by_key["acme"].entry.values.keys()


def test_an_alias_goes_when_the_entry_itself_is_back() -> None:
    whole = retired(index_of(TEXT), {"acme": {"into": "vpn"}}, Why.MERGED, DAY)
    whole = whole.set_values({"vpn": {"aka": "acme,older"}})
    back = revived(whole, "acme", ELSEWHERE)
    assert back.by_key["vpn"].entry.aka == ("older",)
    assert (
        revived(whole.set_values({"vpn": {"aka": "acme"}}), "acme", ELSEWHERE)
        .by_key["vpn"]
        .entry.aka
        == ()
    )


def test_a_living_entry_stays_and_one_whose_id_is_taken_does_not_come_back() -> None:
    whole = index_of(TEXT)
    assert revived(whole, "acme", ELSEWHERE) is whole
    with pytest.raises(EntryNotFound):
        revived(whole, "nothing", ELSEWHERE)
    whole = retired(whole, {"vpn": {}}, Why.PRUNED, DAY).add(
        ELSEWHERE, ["## New\n→ b.md\n<!-- hx: id=vpn -->"]
    )
    with pytest.raises(IndexRefused, match="another entry 'vpn'"):
        revived(whole, "vpn~2", ELSEWHERE)


def test_an_entry_whose_comment_never_ends_is_not_moved() -> None:
    with pytest.raises(IndexRefused, match="never closed"):
        retired(index_of("## A\n<!-- hx: id=a\n"), {"a": {}}, Why.PRUNED, DAY)


def test_an_entry_is_not_moved_below_a_fence_that_would_swallow_it() -> None:
    """What is swallowed here leaves an entry behind that reads like the one that stood there."""
    open_fence = "## C#\nSummary line.\n```\nSummary line.\n<!-- hx: id= | hits=1 -->\n"
    index = index_of(f"## Acme\n```\n<!-- hx: id=acme -->\n{open_fence}{open_fence}")
    gone = retired(index, {"acme": {}}, Why.PRUNED, DAY)
    assert [one.entry.topic for one in gone.archived] == ["Acme"]
    with pytest.raises(IndexRefused, match="never closed"):
        revived(gone, "acme", ELSEWHERE)


@given(DOCUMENTS, st.randoms(use_true_random=False))
def test_there_and_back_gives_the_same_block(text: str, random) -> None:  # type: ignore[no-untyped-def]
    before = index_of(text)
    full = [one for one in before.entries if one.entry.form is Form.HEADING and one.entry.closed]
    assume(full)
    located = random.choice(full)
    try:
        gone = retired(before, {located.key: {}}, Why.PRUNED, DAY)
    except IndexRefused:
        return  # the text around would not allow it
    (there,) = gone.archived
    assert len(gone.entries) == len(before.entries) - 1
    try:
        back = revived(gone, there.key, ELSEWHERE)
    except IndexRefused:
        return
    assert len(back.entries) == len(before.entries) and not back.archived
    blocks = [
        _unlevelled(block_of(one.entry)) for one in back.entries if one.entry.form is Form.HEADING
    ]
    assert _unlevelled(block_of(located.entry)) in blocks


def _unlevelled(block: str) -> str:
    return block.lstrip("\ufeff #\t")
