"""The store of passages: in step with the disk, and never the reason that a search fails."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hippocampus_cli.config import Config
from hippocampus_cli.errors import FileUnreadable
from hippocampus_cli.search.candidates import Place, add_places
from hippocampus_cli.search.library import Library
from hippocampus_cli.search.postings import read_postings
from hippocampus_cli.search.sqlite_tables import SqliteEngine, Tables
from hippocampus_cli.search.store import PassageStore
from tests.support.passage_store import ask, paths_of, refresh, store_of
from tests.support.postgres import server, shared_store

TEXTS = st.dictionaries(
    st.sampled_from(["a.md", "b.md", "c/2026-01-02.md", "é\udcff.md"]),
    st.sampled_from(["", "# A\nx y\n", "# A\ny\n", "# A\nx\n## B\n- z\x00\n", "caf\udce9 x", None]),
)


def contents(db: Tables) -> list[object]:
    """Everything that a search can see, without ids."""
    places: dict[int, Place] = {}
    for *_, first, count in db.files():
        add_places(db, places, range(first, first + count))
    rows = {key: (place.path, *place[7:]) for key, place in places.items()}
    standing = []
    for term in sorted(db.frequencies()):
        pairs = list(read_postings(db, [[term]])[0].items())
        assert all(each for _, each in pairs)  # none says that a passage is removed
        standing.append((term, sorted((repr(rows[key]), each) for key, each in pairs)))
    return [sorted(map(repr, rows.values())), standing, tuple(db.totals())]


@pytest.fixture(params=["sqlite", "postgres"])
def new(request: pytest.FixtureRequest) -> Callable[[], PassageStore]:
    """What makes an empty store: each test that takes it holds for all kinds of them."""
    if request.param == "postgres":
        server()
        return shared_store
    return lambda: PassageStore(SqliteEngine(None))


@settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_updates_in_any_order_are_a_fresh_build(
    new: Callable[[], PassageStore], steps: list[dict[str, str | None]]
) -> None:
    store, fresh = new(), PassageStore(SqliteEngine(None))
    for notes in steps:
        refresh(store, notes)
    refresh(fresh, steps[-1])
    assert store.healing(contents) == fresh.healing(contents)
    store.close()


def test_a_refresh_reads_what_changed(new: Callable[[], PassageStore]) -> None:
    store = new()
    assert refresh(store, {"a.md": "x", "b.md": "y"}) == ["a.md", "b.md"]
    assert refresh(store, {"a.md": "x", "b.md": "z"}) == ["b.md"]
    assert refresh(store, {"a.md": "x"}) == [] and paths_of(store) == ["a.md"]
    assert store.settled is False or refresh(store, {"a.md": "x"}) == []


def test_a_store_tells_of_its_files(new: Callable[[], PassageStore]) -> None:
    store = store_of({"2026-01-02.md": "# A\nx\n## B\ny\n", "b.md": None, "\udcff.md": "z"}, new())
    assert paths_of(store) == ["2026-01-02.md", "b.md", "\udcff.md"]
    assert [section.title for section in store.sections_of("2026-01-02.md") or ()] == ["A", "B"]
    assert store.sections_of("b.md") == [] and store.sections_of("c.md") is None
    assert store.newest_day(date.max) == date(2026, 1, 2)
    assert store.newest_day(date(2025, 1, 1)) is None
    store.healing(lambda db: db.set_meta("key", "a\x00\udc80"))
    store.healing(lambda db: db.set_meta("key", "b\x00\udc80"))
    kept = store.healing(lambda db: (db.get_meta("key"), db.get_meta("other")))
    assert kept == ("b\x00\udc80", None)


def test_a_character_is_looked_up_in_hundreds_of_terms(new: Callable[[], PassageStore]) -> None:
    pairs = " ".join(f"年{chr(number)}" for number in range(0x5000, 0x5300))
    store = store_of({"a.md": pairs, "b.md": "heron\n"}, new())
    assert [hit.place.path for hit in ask(store, "heron 年").hits[:2]] == ["b.md", "a.md"]


@pytest.mark.parametrize("damage", ["UPDATE postings SET data = x'00'", "DELETE FROM postings"])
def test_a_store_that_is_not_as_it_was_left_is_built_anew(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "passages.sqlite"
    store = PassageStore(SqliteEngine(path))
    refresh(store, {"a.md": "deploy it"})
    store.healing(lambda db: db.db.execute(damage))  # type: ignore[union-attr]
    store.close()
    path.with_name(path.name + "-seal").unlink()
    again = PassageStore(SqliteEngine(path))
    assert refresh(again, {"a.md": "deploy it"}) == ["a.md"]
    again.close()


def test_a_look_that_fails_is_repeated(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("deploy it")
    library = Library(tmp_path, Config())
    library.refresh()
    library.root = tmp_path / "gone"
    with pytest.raises(FileUnreadable):
        library.look()
    library.root = tmp_path
    library.store.healing(lambda db: db.db.execute("DROP TABLE passages"))  # type: ignore[union-attr]
    assert ask(library.store, "deploy").hits
    library.close()


def test_the_sections_of_a_note_are_of_one_moment() -> None:
    """Between two statements another process may have written the note anew, under another id."""
    store = store_of({"a.md": "# A\nx\n## B\ny\n"})
    asked: list[str] = []
    store.healing(lambda db: db.db.set_trace_callback(asked.append))  # type: ignore[union-attr]
    assert [section.title for section in store.sections_of("a.md") or ()] == ["A", "B"]
    assert sum(statement.startswith("SELECT") for statement in asked) == 1
