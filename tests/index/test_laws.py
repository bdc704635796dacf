"""Laws 1 to 4: lossless, local, true, invertible. Everything else stands on these."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from hippocampus_cli.errors import IndexRefused
from hippocampus_cli.index import edit, metadata
from hippocampus_cli.index.document import Document
from hippocampus_cli.index.edit import Draft, block
from hippocampus_cli.index.entry import Form
from hippocampus_cli.index.metadata import FIELD, LIST_ITEM, POINTER, escape, unescape
from hippocampus_cli.index.parse import parse
from hippocampus_cli.index.pointers import Pointer, format_pointers, parse_pointers
from hippocampus_cli.markdown.lines import decode, encode, split_lines
from tests.support.documents import DOCUMENTS, TEXTS, VALUES
from tests.support.indexes import set_values

KEYS = st.sampled_from(["id", "hits", "str", "tags", "accessed", "base", "unknown_key"])


def draft(topic: str = "New thing", **values: object) -> Draft:
    from datetime import date

    defaults: dict[str, object] = {
        "id": "new-thing",
        "topic": topic,
        "summary": "A summary.",
        "pointers": (Pointer("notes/a.md", "Heading"),),
        "created": date(2026, 1, 1),
        "accessed": date(2026, 1, 2),
        "base": 1.0,
        "tags": ("one", "two"),
    }
    return Draft(**{**defaults, **values})  # type: ignore[arg-type]


@given(TEXTS)
@example("\ufeff# HIPPOCAMPUS.md\r\n\r\n## A\rtext\x85\u2028")
def test_parse_then_join_gives_the_same_text(text: str) -> None:
    assert parse(text).text == text


@given(st.binary(max_size=300))
def test_any_bytes_survive(data: bytes) -> None:
    assert encode(parse(decode(data)).text) == data


@given(DOCUMENTS, KEYS, VALUES, st.randoms(use_true_random=False))
def test_an_edit_leaves_every_other_line_alone(text: str, key: str, value: str, random) -> None:  # type: ignore[no-untyped-def]
    document = parse(text)
    assume(document.entries)
    located = random.choice(document.entries)
    try:
        edited = set_values(document, located.key, {key: metadata.write_text(value)})
    except IndexRefused:
        assert not located.entry.closed or located.entry.hx_span is None
        return
    first = located.line - 1
    count = len(split_lines(located.entry.raw))
    before, after = split_lines(text), split_lines(edited.text)
    assert after[:first] == before[:first]
    tail = before[first + count :]
    assert after[len(after) - len(tail) :] == tail
    assert len(after) == len(before)


@given(DOCUMENTS, st.lists(st.tuples(KEYS, VALUES), max_size=6), st.randoms(use_true_random=False))
def test_an_edited_document_reads_back_as_itself(text: str, changes, random) -> None:  # type: ignore[no-untyped-def]
    document = parse(text)
    assume(document.entries)
    for key, value in changes:
        located = random.choice(document.entries)
        if located.entry.closed:
            raw = metadata.write_text(value)
            place = located.node
            try:
                document = set_values(document, located.key, {key: raw})
            except IndexRefused:
                assert located.entry.hx_span is None  # it would close a comment left open above
                continue
            changed = next(e for e in document.entries if e.node == place)
            assert changed.entry.values.get(key, "") == raw  # an empty one goes
            assert metadata.read_text(raw) == " ".join(value.split())
    assert parse(document.text) == document


@given(DOCUMENTS, st.text(max_size=40), st.text(max_size=40), st.randoms(use_true_random=False))
def test_topic_summary_and_pointer_edits_read_back(
    text: str, topic: str, summary: str, random
) -> None:  # type: ignore[no-untyped-def]
    document = parse(text)
    assume(document.entries)
    located = random.choice(document.entries)
    assume(located.entry.closed)
    pointers = (Pointer("a b/c.md", topic.strip() or None), Pointer("d.md"))
    for change in (
        lambda entry: entry.with_summary(summary),
        lambda entry: entry.with_pointers(pointers),
        lambda entry: entry.with_topic(topic),
    ):
        try:
            document = edit.change_entries(document, {located.key: change})
        except IndexRefused:
            continue
        assert parse(document.text) == document


@given(TEXTS, st.sampled_from([("By Topic", "Projects"), ("Decay Queue",), ("New",), ()]))
@example("abc", ())
@example("abc\n\n  ", ())
@example("", ())
@example("## By Topic\n### Projects\ntext\n## Decay Queue\n", ("By Topic", "Projects"))
def test_insert_then_remove_restores_the_bytes(text: str, section: tuple[str, ...]) -> None:
    document = parse(text)
    try:
        document = edit.ensure_section(document, section)
        added = edit.add_entries(document, section, [block(draft(id="fresh-id-0"))])
    except IndexRefused:
        return
    keys = [e.key for e in added.entries if e.entry.id == "fresh-id-0"]
    assert len(added.entries) == len(document.entries) + 1
    assert parse(added.text) == added
    assert edit.remove_entries(added, [keys[-1]]).text == document.text


@given(DOCUMENTS, KEYS, VALUES, VALUES)
def test_edits_of_different_entries_commute(text: str, key: str, one: str, two: str) -> None:
    assume(key != "id")
    document = parse(text)
    entries = [e for e in document.entries if e.entry.closed and e.entry.hx_span]
    assume(len(entries) > 1)
    a, b = entries[0].key, entries[-1].key

    def put(document: Document, at: str, value: str) -> Document:
        return set_values(document, at, {key: metadata.write_text(value)})

    assert put(put(document, a, one), b, two) == put(put(document, b, two), a, one)


@given(st.text(max_size=60), st.sampled_from([FIELD, LIST_ITEM, POINTER]))
def test_escapes_are_undone(text: str, special: str) -> None:
    written = escape(text, special)
    assert unescape(written) == text
    assert not set(written) & set(special)


_CODES_AND_BYTES = st.text(alphabet="%25CA7F3E9ef§|`>,\n \udcff\udcc2\udca7é", max_size=24)


@given(_CODES_AND_BYTES, st.sampled_from([FIELD, LIST_ITEM, POINTER]))
def test_bytes_that_are_no_utf8_are_codes_and_read_back(text: str, special: str) -> None:
    name = decode(encode(text))  # bytes that are UTF-8 together are a character
    written = escape(name, special)
    written.encode()  # raises for what is no UTF-8
    assert unescape(written) == name


@pytest.mark.parametrize("name", ["caf%C3%A9.md", "100%.md", "50%-off.md", "a%41.md"])
def test_names_with_other_codes_stay_as_they_are(name: str) -> None:
    assert escape(name, POINTER) == name == unescape(name)


@given(
    st.lists(
        st.tuples(st.text(min_size=1, max_size=20), st.text(max_size=20)), min_size=1, max_size=3
    )
)
def test_pointers_read_back(pairs: list[tuple[str, str]]) -> None:
    pointers = tuple(Pointer(_named(a), _named(b) if b else None) for a, b in pairs)
    assert parse_pointers(format_pointers(pointers)) == pointers


def _named(text: str) -> str:
    """A name as files have them: any character, spaces at the ends too, other white space aside."""
    return "".join(c if c == " " or not c.isspace() else "_" for c in text)


@given(st.text(max_size=80))
def test_a_draft_of_any_topic_and_summary_is_one_entry(text: str) -> None:
    document = edit.add_entries(parse("# T\n"), ("By Topic",), [block(draft(text, summary=text))])
    (located,) = document.entries
    assert located.entry.id == "new-thing"
    assert located.entry.level == 3
    assert located.entry.pointers == (Pointer("notes/a.md", "Heading"),)
    assert located.entry.tags == ("one", "two")


def test_a_fence_that_swallows_is_refused_and_says_so() -> None:
    document = parse("## A\n<!-- hx: id=a -->\n")
    with pytest.raises(IndexRefused):
        edit.change_entries(
            document, {"a": lambda entry: entry.with_value("id", "").with_pointers(())}
        )


@given(DOCUMENTS, st.text(max_size=40), st.randoms(use_true_random=False))
def test_a_summary_that_came_and_went_leaves_no_trace(text: str, summary: str, random) -> None:  # type: ignore[no-untyped-def]
    entries = [one.entry for one in parse(text).entries if one.entry.form is Form.HEADING]
    assume(entries and metadata.plain_line(summary))
    entry = random.choice(entries)
    if entry.summary or not entry.closed:
        return
    try:
        given_ = entry.with_summary(summary)
    except IndexRefused:
        return
    if given_.summary == metadata.plain_line(summary):
        assert given_.with_summary("").raw == entry.raw


@given(DOCUMENTS)
def test_without_its_summary_an_entry_keeps_every_other_line(text: str) -> None:
    for located in parse(text).entries:
        entry = located.entry
        if not entry.summary_span:
            assert entry.with_summary("") is entry
            continue
        start, end = entry.summary_span
        try:
            bare = entry.with_summary("")
        except IndexRefused:
            continue
        assert split_lines(bare.raw) == [
            *split_lines(entry.raw[:start]),
            *split_lines(entry.raw[end:])[1:],
        ]


@pytest.mark.parametrize(
    "heading", ["## A", "   ## A", "##\tA", "\ufeff## A", "## ", "###### A ##"]
)
def test_a_moved_entry_keeps_its_topic_and_its_pointers(heading: str) -> None:
    document = parse(f"# T\n\n{heading}\n→ a.md\n<!-- hx: id=a -->\n")
    block = edit.block_of(document.by_key["a"].entry)
    emptied = edit.remove_entries(document, ["a"])
    (moved,) = edit.add_entries(emptied, ("By Topic", "Core"), [block]).entries
    (before,) = document.entries
    assert (moved.entry.topic, moved.entry.pointers) == (before.entry.topic, before.entry.pointers)
    assert moved.entry.level == 4


def test_many_entries_change_at_once_or_not_at_all() -> None:
    document = parse("## A\n<!-- hx: id=a -->\n\n## B\n<!-- hx: id=b\n")
    with pytest.raises(IndexRefused):
        edit.change_entries(
            document, dict.fromkeys("ab", lambda entry: entry.with_value("hits", "1"))
        )
    edited = edit.change_entries(document, {"a": lambda entry: entry.with_topic("C")})
    assert edited.text.startswith("## C\n") and edit.change_entries(document, {}) is document


def test_every_section_has_its_path() -> None:
    document = parse("# T\n\n## A\n\n### B\n\n#### E\n<!-- hx: id=e -->\n\n## C\n\n#### D\n")
    assert list(document.sections.values()) == [("A",), ("A", "B"), ("C",), ("C", "D")]
