"""The index that the settings name: brought in step by embedding, asked by questions, and missed by none."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="the extra `semantic` is not installed")

from hippocampus_cli.config import load  # noqa: E402
from hippocampus_cli.config.settings import Embedding  # noqa: E402
from hippocampus_cli.embedding.nearest.index import VectorsOf  # noqa: E402
from hippocampus_cli.embedding.open import open_nearest  # noqa: E402
from hippocampus_cli.errors import ExtraMissing, NearestFailed  # noqa: E402
from hippocampus_cli.search.embed import (  # noqa: E402
    embed_notes,
    keep_vectors,
)
from hippocampus_cli.search.library import Library  # noqa: E402
from hippocampus_cli.search.query_parser import parse  # noqa: E402
from hippocampus_cli.search.semantic import Meaning  # noqa: E402
from tests.embedding.concepts import Concepts  # noqa: E402

NOTES = {
    "MEMORY.md": "# Memory\n\n## Garage\n\n- the surgery is on level two\n\n## Garden\n\n- roses\n",
    "people.md": "# People\n\n- Ines sails\n- Tobi climbs\n- Priya paints\n- Ana swims\n",
}
FOUND = "MEMORY.md § Garage"


class InMemory:
    """An index that can be watched, and told to fail."""

    def __init__(self) -> None:
        self.rows: dict[int, Any] = {}
        self.place = "here"
        self.shared = False
        self.asked = self.saved = self.closed = 0
        self.error: NearestFailed | None = None

    def add(self, ids: Any, vectors: Any) -> None:
        self.rows |= dict(zip(ids.tolist(), vectors, strict=True))

    def remove(self, ids: Any) -> None:
        for one in ids.tolist():
            self.rows.pop(one, None)

    def ids(self) -> Any:
        return np.array(list(self.rows), np.int64)

    def near(self, vector: Any, most: int) -> Any:
        if self.error:
            raise self.error
        self.asked += 1
        return np.array(sorted(self.rows, key=lambda one: -(self.rows[one] @ vector))[:most])

    def __len__(self) -> int:
        return len(self.rows)

    def save(self) -> None:
        self.saved += 1

    def close(self) -> None:
        self.closed += 1
        if self.error:
            raise self.error


class Opener:
    """Opens one index, or what ``open_nearest`` gives for settings, and says for how long each was opened."""

    def __init__(self, index: Any, folder: Path) -> None:
        self.index = index
        self.folder = folder
        self.seconds: list[float] = []
        self.asked_for: list[VectorsOf] = []

    def __call__(self, _: Embedding) -> Concepts:
        return Concepts()

    def nearest(self, settings: Embedding, whose: VectorsOf, seconds: float) -> Any:
        self.seconds.append(seconds)
        self.asked_for.append(whose)
        if isinstance(self.index, Exception):
            raise self.index
        if self.index is not None:
            return self.index
        return open_nearest(settings, whose, seconds, self.folder, {})


class Desk:
    def __init__(
        self, root: Path, index: Any = None, nearest: str = "milvus", write: bool = True
    ) -> None:
        self.root = root
        for path, text in NOTES.items() if write else ():
            (root / path).write_text(text)
        self.opener = Opener(index, root.parent / "cache")
        self.config = load(
            f'[embedding]\nembedder = "use-multilingual"\nnearest = "{nearest}"\n', {}
        )
        self.library = Library(root, self.config, opener=self.opener)
        self.library.refresh()

    def again(self) -> None:
        self.library.close()
        self.library = Library(self.root, self.config, opener=self.opener)
        self.library.refresh()

    @property
    def meaning(self) -> Any:
        return self.library.meaning

    def embed(self) -> Any:
        self.library.refresh()
        return embed_notes(self.library, self.meaning)

    def first(self, question: str = "physician") -> str:
        query = parse(question, date(2026, 5, 13))
        hit = self.library.cache.search(query, 10, meaning=self.meaning).hits[0]
        return f"{hit.path} § {hit.section.title}"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    return tmp_path / "notes"


@pytest.fixture
def desk(root: Path) -> Iterator[Desk]:
    made = Desk(root, InMemory())
    yield made
    made.library.close()


def test_embedding_fills_it_and_a_question_asks_it(desk: Desk) -> None:
    index = desk.opener.index
    done = desk.embed()
    assert (len(index), index.saved, done.indexed) == (done.units, 1, "milvus") == (6, 1, "milvus")
    assert desk.first() == FOUND
    assert (index.asked, desk.meaning.notices) == (1, [])
    # Embedding takes its time; a question is somebody's who waits.
    assert desk.opener.seconds == [30.0, 4.0]


def test_it_follows_the_notes(desk: Desk) -> None:
    index = desk.opener.index
    desk.embed()
    before = set(index.rows)
    (desk.root / "people.md").write_text("# People\n\n- Ines sails\n- Ada sings\n")
    desk.library.refresh()
    assert keep_vectors(desk.library) == ()
    assert len(index) == 4 and len(before & set(index.rows)) == 3
    done = desk.embed()
    assert (done.embedded, done.indexed) == (0, "")
    assert index.saved == 2  # nothing was written where nothing changed
    assert desk.first() == FOUND and index.asked == 1


def test_an_index_that_was_never_filled_is_not_asked(root: Path) -> None:
    Desk(root, nearest="brute").embed()
    desk = Desk(root, InMemory())
    assert desk.first() == FOUND == desk.first()
    (notice,) = desk.meaning.notices
    assert "milvus was not asked" in notice and "hippo embed" in notice
    assert desk.opener.seconds == []  # nor was it opened


def test_one_that_was_lost_is_not_asked_until_it_is_filled_again(desk: Desk) -> None:
    desk.embed()
    desk.opener.index = InMemory()
    desk.opener.index.place = "elsewhere"
    desk.again()
    assert desk.first() == FOUND
    assert len(desk.meaning.notices) == 1
    assert (desk.opener.index.asked, desk.opener.index.closed) == (0, 1)
    desk.embed()
    desk.again()
    assert desk.first() == FOUND
    assert desk.opener.index.asked == 1


def test_one_that_was_left_for_another_is_not_taken_for_it(desk: Desk) -> None:
    """As many vectors, and others: what the other index was left with says nothing of this one."""
    desk.embed()
    first = desk.opener.index
    desk.opener.index = second = InMemory()
    second.place = "there"
    (desk.root / "people.md").write_text(NOTES["people.md"].replace("sails", "sings"))
    assert desk.embed().indexed == "milvus"
    desk.opener.index = first
    assert desk.embed().indexed == "milvus"
    assert first.rows.keys() == second.rows.keys()


def test_a_process_that_stays_sees_that_another_one_stepped_it(root: Path) -> None:
    pytest.importorskip("usearch", reason="the extra `usearch` is not installed")
    desk = Desk(root, nearest="usearch")
    desk.embed()
    assert desk.first() == FOUND
    (root / "people.md").write_text("# People\n\n- Ada sings\n")
    Desk(root, nearest="usearch", write=False).embed()
    desk.library.refresh()
    assert desk.first("Ada") == "people.md § People"
    cache = desk.meaning.open()[1]
    found = desk.meaning.neighbours.near(cache, Concepts().embed(["Ada"])[0], 512)
    assert sorted(found) == sorted(cache.signs.ids)
    assert desk.meaning.notices == []
    assert desk.opener.seconds == [30.0, 4.0, 4.0]  # opened once more
    desk.library.close()


def test_a_folder_by_its_link_has_the_same_index(desk: Desk) -> None:
    desk.embed()
    link = desk.root.parent / "link"
    link.symlink_to(desk.root)
    by_link = Desk(link, desk.opener.index)
    assert by_link.embed().indexed == ""
    assert by_link.opener.asked_for == desk.opener.asked_for[:1]


def test_a_shared_index_of_other_notes_is_left_alone(desk: Desk) -> None:
    index = desk.opener.index
    index.shared = True
    index.add(np.array([1, 2], np.int64), np.zeros((2, 96), np.float32))
    with pytest.raises(NearestFailed, match="other notes"):
        desk.embed()
    assert index.rows.keys() == {1, 2}
    assert desk.first() == FOUND  # by the signs, which were made before


def test_one_that_lost_vectors_gets_them_again(desk: Desk) -> None:
    desk.embed()
    desk.opener.index.rows.popitem()
    desk.embed()
    assert len(desk.opener.index) == 6


@pytest.mark.parametrize("at", ["opening", "asking"])
def test_one_that_does_not_answer_fails_no_question(desk: Desk, at: str) -> None:
    desk.embed()
    desk.again()
    error = NearestFailed(place="there", reason="it is down", advice="start it")
    if at == "opening":
        desk.opener.index = error
    else:
        desk.opener.index.error = error
    assert desk.first() == FOUND == desk.first()
    (notice,) = desk.meaning.notices
    assert "it is down" in notice and "start it" in notice
    desk.opener.index = error
    with pytest.raises(NearestFailed):
        desk.embed()
    desk.again()
    assert "it is down" in keep_vectors(desk.library)[0]


def test_a_minute_later_it_is_asked_again_and_an_outage_is_told_once(desk: Desk) -> None:
    desk.embed()
    now = 0.0
    made = (desk.root, desk.config.embedding, desk.opener, desk.library.note)
    desk.library.meaning = Meaning(*made, lambda: now)
    index, error = desk.opener.index, NearestFailed(place="there", reason="down", advice="wait")
    desk.opener.index = error
    desk.opener.seconds.clear()
    for now, tried in ((0.0, 1), (59.0, 1), (60.0, 2)):  # noqa: B007
        assert desk.first() == FOUND
        assert len(desk.opener.seconds) == tried
    assert len(desk.meaning.notices) == 1
    desk.opener.index, now = index, 120.0
    assert desk.first() == FOUND
    assert index.asked == 1
    index.error = error
    assert desk.first() == FOUND
    assert len(desk.meaning.notices) == 2


def test_without_its_extra_the_signs_answer(root: Path) -> None:
    Desk(root, InMemory()).embed()
    missing = ExtraMissing(feature="the vector index Milvus", extra="milvus")
    desk = Desk(root, missing)
    assert desk.first() == FOUND
    assert "pip install" in desk.meaning.notices[0]


@pytest.mark.parametrize("nearest", ["auto", "brute"])
def test_by_default_there_is_none(root: Path, nearest: str) -> None:
    desk = Desk(root, AssertionError("nobody asked for an index"), nearest)
    desk.embed()
    assert desk.first() == FOUND
    assert desk.meaning.notices == []


@pytest.mark.parametrize(("nearest", "module"), [("usearch", "usearch"), ("milvus", "milvus_lite")])
def test_the_engines_find_what_the_signs_find(root: Path, nearest: str, module: str) -> None:
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"the extra `{nearest}` is not installed")
    desk = Desk(root, nearest=nearest)
    desk.embed()
    desk.again()
    assert desk.first() == FOUND
    assert desk.meaning.notices == []
    assert desk.opener.seconds == [30.0, 4.0]
    desk.library.close()
    again = Desk(root, nearest=nearest)  # nothing of it is open any more
    assert again.embed().indexed == ""
    again.library.close()
    for made in desk.opener.folder.iterdir():
        shutil.rmtree(made) if made.is_dir() else made.unlink()
    again.again()
    assert again.first() == FOUND
    assert "hippo embed" in again.meaning.notices[0]
    assert again.embed().indexed == nearest
    assert not list(desk.root.rglob("*.usearch")) + list(desk.root.rglob("*milvus*"))
