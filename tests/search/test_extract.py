"""A note as rows."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.search.extract import records_of
from hippocampus_cli.search.schema import section_of, unit_spans
from hippocampus_cli.search.unit_features import LABEL_SHIFT, QUESTION
from hippocampus_cli.text.units import MOST_UNITS
from hippocampus_cli.workspace.note import MOST_HEADINGS, Note

DAY = date(2026, 3, 12)


@given(st.lists(st.sampled_from(["# a", "## b", "## ", "text", "- x y", "", "```"]), max_size=20))
def test_a_section_comes_back_from_its_row(lines: list[str]) -> None:
    note = Note("n.md", "\n".join(lines))
    records = records_of(note, None)
    assert tuple(section_of(record.row) for record in records) == note.sections


@given(st.lists(st.sampled_from(["- a b", "東京 x", "", "c", "## d", "---"]), max_size=20))
def test_a_unit_is_found_at_its_offset(lines: list[str]) -> None:
    for record in records_of(Note("n.md", "\n".join(lines)), None):
        starts, ends, offsets, lengths, traits = unit_spans(record.row[8])
        bodies = record.body.split("\n") if record.body else []
        assert [record.body.index(body, at) for at, body in zip(offsets, bodies, strict=True)] == (
            list(offsets)
        )
        assert [len(body.split()) for body in bodies] == list(lengths)
        assert all(start <= end for start, end in zip(starts, ends, strict=True))
        labels = [trait >> LABEL_SHIFT for trait in traits]
        assert all(0 <= label <= len(body) for label, body in zip(labels, bodies, strict=True))


def test_the_traits_of_a_unit_are_kept_with_it() -> None:
    (record,) = records_of(Note("n.md", "- Ada: on 12 March?\n- nothing\n"), None)
    asks, plain = unit_spans(record.row[8]).traits
    assert asks & QUESTION and asks >> LABEL_SHIFT == len("ada")
    assert plain == 0


def test_the_place_holds_parents_path_and_date() -> None:
    note = Note("memory/2026-03-12.md", "# Log\n## Deploy\nx\n")
    place = records_of(note, (DAY, DAY))[1].place.split()
    assert {"log", "memori", "2026-03-12", "2026-03", "march", "2026"} <= set(place)
    assert "deploy" not in place


def test_front_matter_belongs_to_the_first_section() -> None:
    records = records_of(Note("a.md", "---\ntags: kayak\n---\n# One\nx\n# Two\ny\n"), None)
    assert "kayak" in records[0].place
    assert "kayak" not in records[1].place


def test_what_is_kept_of_one_note_is_bounded_and_every_line_of_it_is_there() -> None:
    many = MOST_HEADINGS + 5_000
    note = Note("n.md", "".join(f"## h{at}\n\n" for at in range(many)))
    records = records_of(note, None)
    assert len(records) == MOST_HEADINGS
    assert f" h{many - 1} " in records[-1].body
    assert records[-1].row[5] == len(note.lines) - 1  # the last section ends with the note's text

    note = Note("n.md", "".join(f"## h\n\n- b{at}\n\n- c\n\n" for at in range(30_000)))
    records = records_of(note, None)
    assert sum(record.row[-2] for record in records) <= MOST_UNITS + len(records)
    assert " b29999 " in records[-1].body
