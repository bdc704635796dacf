from __future__ import annotations

from hypothesis import assume, example, given

from hippocampus_cli.entries import adopt as entries
from hippocampus_cli.entries.adopt import Adopted
from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index.document import MASTER, Document
from hippocampus_cli.index.entry import Form
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.markdown.blocks import scan
from hippocampus_cli.markdown.lines import chomp, split_lines
from tests.support.documents import TEXTS
from tests.support.workspaces import NOW


def adopt(document: Document) -> tuple[Document, list[Adopted]]:
    index, done = entries.adopt(Hierarchy({MASTER: document}), NOW.date())
    return index.master, done


@given(TEXTS)
@example("<!-- hx: id=never | str=1.7\n- Deploy commands → TOOLS.md\n")
def test_only_the_ends_of_bullets_change(text: str) -> None:
    document = parse(text)
    try:
        adopted, done = adopt(document)
    except IndexRefused:
        assert scan(split_lines(text)).unclosed
        return
    assert parse(adopted.text) == adopted
    before, after = split_lines(text), split_lines(adopted.text)
    assert len(before) == len(after)
    lines = {one.line for one in done}
    for number, (old, new) in enumerate(zip(before, after, strict=True), 1):
        if number not in lines:
            assert new == old
        else:
            core = chomp(old).rstrip().removesuffix("-->").rstrip()
            assert new.startswith(core)
            assert new.endswith(old[len(chomp(old).rstrip()) :])
    assert adopt(adopted)[1] == []


@given(TEXTS)
def test_every_bullet_has_an_id_of_its_own(text: str) -> None:
    document = parse(text)
    assume(not scan(split_lines(text)).unclosed)
    adopted, done = adopt(document)
    assert len({one.id for one in done}) == len(done)
    given_ids = {one.id for one in done}
    others = [e.entry.id for e in adopted.entries if e.line not in {one.line for one in done}]
    assert not given_ids & set(others)
    assert all(e.entry.hx_span for e in adopted.entries if e.entry.form is Form.BULLET)


def test_no_id_is_taken_from_a_full_entry() -> None:
    text = "- Acme → a.md\n\n## Other\n→ b.md\n<!-- hx: id=acme -->\n"
    adopted, done = adopt(parse(text))
    assert done[0].id == "acme-2"
    assert {"acme", "acme-2"} == adopted.ids
