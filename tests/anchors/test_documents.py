from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.anchors import files
from hippocampus_cli.anchors.chunks import Span
from hippocampus_cli.anchors.documents import index_bytes, meta_bytes, parse
from hippocampus_cli.anchors.extract import KINDS, Anchor
from hippocampus_cli.anchors.index import AnchorIndexed, Entry, Facts, FileRecord, in_order
from hippocampus_cli.errors import AnchorsDamaged
from tests.support.anchor_notes import built, files_of, write

FACTS = Facts("2026-08-01T09:00:00+00:00", None, "none", 0.1, 0.0, 9, 0.01, 90.5, 20, 50, 512, 50)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
# invalid UTF-8 in a file's name is read as lone surrogates
PATHS = st.text(
    st.characters(exclude_categories=[], exclude_characters="\0"), min_size=1, max_size=12
)
WEIGHTS = st.dictionaries(TEXTS, st.floats(0, 1), max_size=3)


@st.composite
def indexes(draw: st.DrawFn) -> AnchorIndexed:
    spans = st.tuples(st.integers(1, 9), st.integers(9, 99)).map(lambda pair: Span(*pair))
    records = st.builds(
        FileRecord, TEXTS, st.lists(spans, min_size=1, max_size=3).map(tuple), st.booleans()
    )
    found = draw(st.dictionaries(PATHS, records, min_size=1, max_size=3))
    places = [(path, *span) for path, one in found.items() for span in one.chunks]
    entries = st.builds(
        lambda place, score, source, preview: Entry(*place, score, source, preview),
        *(st.sampled_from(places), st.floats(0, 1), TEXTS, PATHS),
    )
    lists = st.lists(entries, min_size=1, max_size=4).map(lambda some: in_order(some, 9))
    listed = draw(st.dictionaries(TEXTS, lists, max_size=4))
    anchors = {
        text: Anchor(text, draw(st.sampled_from(KINDS)), draw(WEIGHTS), draw(WEIGHTS))
        for text in listed
    }
    return AnchorIndexed(FACTS, found, anchors, listed)


@given(indexes(), st.none() | st.binary(max_size=9))
def test_an_index_survives_its_files(index: AnchorIndexed, embeds: bytes | None) -> None:
    listed = index_bytes(index)
    again = parse(listed, meta_bytes(index, listed, embeds), embeds)
    assert again == index
    assert index_bytes(again) == listed


@given(indexes())
def test_the_index_is_what_the_specification_says(index: AnchorIndexed) -> None:
    rows = json.loads(index_bytes(index))
    assert list(rows) == sorted(index.lists)
    for entries in rows.values():
        assert all(
            list(one) == ["path", "line", "end_line", "score", "source", "preview"]
            for one in entries
        )
    lines = sum(len(entries) + 2 for entries in index.lists.values()) + 2
    assert index_bytes(index).count(b"\n") == lines + (not index.lists)


@given(indexes(), st.data())
def test_damage_is_told_of_and_never_a_bug(index: AnchorIndexed, data: st.DataObject) -> None:
    listed = index_bytes(index)
    pair = [listed, meta_bytes(index, listed, None)]
    which = data.draw(st.integers(0, 1))
    at = data.draw(st.integers(0, len(pair[which]) - 1))
    junk = data.draw(st.binary(max_size=3))
    broken = pair[which][:at] + junk + pair[which][at + 1 :]
    whole = list(pair)
    whole[which] = broken
    try:
        found = parse(whole[0], whole[1], None)
    except AnchorsDamaged as error:
        assert error.path
        return
    assert which == 1 or broken == listed
    assert found.lists == index.lists


def test_a_file_with_a_fault_is_named_with_its_line(tmp_path: Path) -> None:
    stored = files.read(built(write(tmp_path)))
    lines = stored.listed.split(b"\n")
    at = next(n for n, line in enumerate(lines) if b"score" in line)
    lines[at] = lines[at].replace(b'"score":', b'"score";', 1)
    with pytest.raises(AnchorsDamaged, match="cannot be read") as caught:
        parse(b"\n".join(lines), stored.meta, None)
    assert caught.value.where == f".hippocampus/anchors/hippocampus-index.json:{at + 1}"


def test_a_list_that_leads_nowhere_is_named_with_its_line(tmp_path: Path) -> None:
    stored = files.read(built(write(tmp_path)))
    broken = stored.listed.replace(b'"path":"TOOLS.md"', b'"path":"../TOOLS.md"', 1)
    with pytest.raises(AnchorsDamaged, match="is none that hippo wrote") as caught:
        parse(broken, stored.meta, None)
    assert caught.value.line and b"[" in broken.split(b"\n")[caught.value.line - 1]


def test_files_of_two_builds_do_not_go_together(tmp_path: Path) -> None:
    stored = files.read(built(write(tmp_path)))
    with pytest.raises(AnchorsDamaged, match="is not the one that"):
        parse(stored.listed.replace(b'"score":0.', b'"score":0.0', 1), stored.meta, None)
    with pytest.raises(AnchorsDamaged, match="is not the one that"):
        parse(stored.listed, stored.meta, b"vectors of another build")


def test_another_version(tmp_path: Path) -> None:
    stored = files.read(built(write(tmp_path)))
    with pytest.raises(AnchorsDamaged, match="of version 2, and this hippo reads version 1"):
        parse(stored.listed, stored.meta.replace(b'"version":1', b'"version":2'), None)


def test_one_thing_a_line_and_the_counts_of_the_specification(tmp_path: Path) -> None:
    made = files_of(built(write(tmp_path)))
    assert list(made) == ["hippocampus-index.json", "hippocampus-meta.json"]
    meta = json.loads(made["hippocampus-meta.json"])
    assert (meta["n_files"], meta["n_chunks"], meta["embedder"]) == (5, 9, "none")
    assert (
        meta["n_anchors"] == len(json.loads(made["hippocampus-index.json"])) == len(meta["anchors"])
    )
    assert b'\n"TOOLS.md":{' in made["hippocampus-meta.json"]
