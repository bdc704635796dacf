from __future__ import annotations

from datetime import date

from hypothesis import assume, example, given

from hippocampus_cli.entries import adopt as entries
from hippocampus_cli.entries.adopt import Adopted
from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index.checks import check
from hippocampus_cli.index.document import MASTER, Document
from hippocampus_cli.index.entry import Form
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.metadata import Source
from hippocampus_cli.index.parse import parse
from hippocampus_cli.markdown.blocks import scan
from hippocampus_cli.markdown.lines import chomp, split_lines
from tests.support.documents import TEXTS
from tests.support.workspaces import NOW, clock

MINIMAL = (
    "# HIPPOCAMPUS.md\n<!-- Minimal index -->\n\n## Where to Find Things\n"
    "- Deploy commands → TOOLS.md\n- Recent work → memory/2026-01-31.md\n"
    "* [ ] Deploy commands -> `docs/a b.md` §X | y.md\r\n- prose → and more prose\n"
)


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


def test_a_minimal_index() -> None:
    document = parse(MINIMAL)
    adopted, done = adopt(document)
    assert [(one.id, one.line) for one in done] == [
        ("deploy-commands", 5),
        ("recent-work", 6),
        ("deploy-commands-2", 7),
    ]
    entry = adopted.by_key["recent-work"].entry
    assert (entry.created, entry.accessed) == (date(2026, 1, 31), NOW.date())
    assert (entry.hits, entry.src) == (0, Source.MANUAL)
    assert clock(adopted).strength(entry) == 1.0
    assert check(adopted, NOW.date(), adopted.ids) == []
    assert (
        "\n- Recent work → memory/2026-01-31.md <!-- hx: id=recent-work | created=2026-01-31"
        " | accessed=2026-02-01 | src=manual -->\n"
    ) in adopted.text
    assert adopted.text.endswith("- prose → and more prose\n")


def test_no_id_is_taken_from_a_full_entry() -> None:
    text = "- Acme → a.md\n\n## Other\n→ b.md\n<!-- hx: id=acme -->\n"
    adopted, done = adopt(parse(text))
    assert done[0].id == "acme-2"
    assert {"acme", "acme-2"} == adopted.ids


def test_what_a_pinned_bullet_says_already_stays() -> None:
    text = "- Acme → 2030-01-01.md <!-- hx: pri=amygdala | hits=3 -->\n"
    adopted, _ = adopt(parse(text))
    entry = adopted.entries[0].entry
    assert (entry.id, entry.pri.value, entry.hits) == ("acme", "amygdala", 3)
    assert entry.created == NOW.date()  # a date in the future counts as now
    assert text.rstrip(" ->\n") in adopted.text
