"""What holds whatever happens to the notes."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hippocampus_cli.anchors import files
from hippocampus_cli.anchors.chunks import Span, chunk_at
from hippocampus_cli.anchors.index import AnchorIndexed, hash_of
from hippocampus_cli.workspace.own_files import ANCHOR_INDEX
from hippocampus_cli.workspace.read import read_note
from tests.support.anchor_notes import LATER, NOW, keeper

SETTINGS = "min_tokens = 5\nk = 3\nk_max = 4"
PATHS = st.sampled_from(
    ["a.md", "b.md", "projects/kelpie/P.md", "memory/2026-07-01.md", "c\udcff.md"]
)
WORDS = st.sampled_from(
    [
        "walrus",
        "**canary cage**",
        "Torunn Hagen",
        "ledger",
        "## Label printer\n",
        "# 部署流程\n",
        "probe",
        "```\ncode\n```\n",
        "\n",
        "the",
        "ESP32",
        "- item\n",
        "\x1b[31m",
        "a\ud800b",
    ]
)
TEXTS = st.lists(WORDS, max_size=25).map(" ".join)
MESSAGES = st.lists(
    st.sampled_from(
        ["walruses", "canary cage", "it", "kelpie", "部署流程", "label printers", "ledger"]
    ),
    min_size=1,
    max_size=4,
).map(" ".join)
STEPS = st.lists(st.tuples(PATHS, st.none() | TEXTS, st.booleans()), max_size=6)
quickly = settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def put(root: Path, path: str, text: str | None) -> None:
    if text is None:
        (root / path).unlink(missing_ok=True)
    else:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode("utf-8", "surrogatepass"))


def live(root: Path, steps: Sequence[tuple[str, str | None, bool]]) -> None:
    """Build, then change notes one at a time, some with an update of that note and some without."""
    with keeper(root, SETTINGS) as made:
        made.build(NOW)
        for path, text, updated in steps:
            put(root, path, text)
            if updated:
                made.update([path], LATER)


def index_of(root: Path) -> AnchorIndexed:
    return files.parsed(files.read(root))


def timeless(index: AnchorIndexed) -> tuple[object, ...]:
    facts = index.facts._replace(built_at="", updated_at=None)
    return facts, dict(index.files), dict(index.anchors), dict(index.lists)


@quickly
@given(st.dictionaries(PATHS, TEXTS, max_size=4), STEPS)
def test_a_build_after_updates_is_a_fresh_build(
    notes: dict[str, str], steps: list[tuple[str, str | None, bool]]
) -> None:
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        lived, fresh = Path(one), Path(other)
        for path, text in notes.items():
            put(lived, path, text)
        live(lived, steps)
        for path, text in {**notes, **{path: text for path, text, _ in steps}}.items():
            put(fresh, path, text)
        for root in (lived, fresh):
            with keeper(root, SETTINGS) as made:
                made.build(NOW)
        assert timeless(index_of(lived)) == timeless(index_of(fresh))


@quickly
@given(st.dictionaries(PATHS, TEXTS, max_size=4), STEPS)
def test_an_index_that_follows_is_in_step_and_following_again_does_nothing(
    notes: dict[str, str], steps: list[tuple[str, str | None, bool]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for path, text in notes.items():
            put(root, path, text)
        live(root, steps)
        with keeper(root, SETTINGS) as made:
            found = made.book.scan().files
            made.follow(found, LATER)
            index, stamp = index_of(root), files.stamp(root)
            again = made.follow(found, LATER)
            standing = made.status()
        assert (again.changed, again.removed, files.stamp(root)) == ((), (), stamp)
        assert (standing.changed, standing.new, standing.gone) == ((), (), ())
        assert set(index.files) == {one.path for one in found}
        for path, record in index.files.items():
            note = read_note(root, path, 10**6)
            assert record.hash == hash_of(note.text)
        for text, entries in index.lists.items():
            assert 0 < len(entries) <= 4
            assert list(entries) == sorted(entries, key=lambda one: (-one.score, one.place))
            assert len({one.place for one in entries}) == len(entries)
            assert all(one.score >= index.facts.theta for one in entries)
            assert text in index.anchors
            for one in entries:
                note = read_note(root, one.path, 10**6)
                assert one.preview == chunk_at(note, Span(one.line, one.end_line)).preview


@quickly
@given(st.dictionaries(PATHS, TEXTS, max_size=4), STEPS, MESSAGES)
def test_a_lookup_shows_what_stands_in_the_notes_now_with_or_without_the_twin(
    notes: dict[str, str], steps: list[tuple[str, str | None, bool]], message: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for path, text in notes.items():
            put(root, path, text)
        live(root, steps)
        with keeper(root, SETTINGS) as made:
            made.follow(made.book.scan().files, LATER)
            hits = made.lookup(message, LATER, project="kelpie").hits
        for hit in hits:
            note = read_note(root, hit.path, 10**6)
            assert hit.preview == chunk_at(note, Span(hit.start_line, hit.end_line)).preview
            assert not hit.stale and 0 < hit.score <= 1 and hit.anchors
        for one in (root / ".hippocampus/cache").glob("anchors.sqlite*"):
            one.unlink()
        with keeper(root, SETTINGS) as made:
            assert made.lookup(message, LATER, project="kelpie").hits == hits


@quickly
@given(st.dictionaries(PATHS, TEXTS, max_size=4), STEPS, MESSAGES)
def test_a_lookup_catches_up_with_what_it_shows(
    notes: dict[str, str], steps: list[tuple[str, str | None, bool]], message: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for path, text in notes.items():
            put(root, path, text)
        live(root, steps)
        with keeper(root, SETTINGS) as made:
            for hit in made.lookup(message, LATER).hits:
                note = read_note(root, hit.path, 10**6)
                assert hit.preview == chunk_at(note, Span(hit.start_line, hit.end_line)).preview


@quickly
@given(st.dictionaries(PATHS, TEXTS, min_size=1, max_size=4))
def test_the_index_is_read_by_any_reader_of_json(notes: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for path, text in notes.items():
            put(root, path, text)
        live(root, [])
        rows = json.loads((root / ANCHOR_INDEX).read_bytes())
        assert rows.keys() == index_of(root).lists.keys()
