"""Search by meaning: what it finds that words do not, what keeps it cheap, and that it never fails a question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="the extra `semantic` is not installed")

from hippocampus_cli.config import Config, load  # noqa: E402
from hippocampus_cli.errors import EmbeddingFailed, HippoError, ModelMissing  # noqa: E402
from hippocampus_cli.search import ranking_weights  # noqa: E402
from hippocampus_cli.search import semantic as module  # noqa: E402
from hippocampus_cli.search.embed import (  # noqa: E402
    Embedded,
    embed_notes,
    has_vectors,
    keep_vectors,
)
from hippocampus_cli.search.filters import Filter  # noqa: E402
from hippocampus_cli.search.hits import SearchHits  # noqa: E402
from hippocampus_cli.search.library import Library  # noqa: E402
from hippocampus_cli.search.query_parser import parse  # noqa: E402
from hippocampus_cli.search.semantic import Meaning  # noqa: E402
from tests.support.concepts import Concepts  # noqa: E402

QUESTION = "physician"
NOTES = {
    "MEMORY.md": "# Memory\n\n## Garage\n\n- the surgery is on level two\n\n## Garden\n\n- roses and thyme\n",
    "memory/2026-03-12.md": "# Log\n\n- the kitten slept\n- bread was baked\n- rain all day long\n",
    "memory/2026-03-13.md": "# Log\n\n- the pump was repaired\n- a letter came from Oslo\n",
    "people.md": "# People\n\n- Ines sails\n- Tobi climbs\n- Priya paints\n- Ana swims\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in NOTES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def settings(embedder: str = "use-multilingual") -> Config:
    return load(f'[embedding]\nembedder = "{embedder}"\n', {})


class Desk:
    """A workspace with an embedder that is none of those that can be configured."""

    def __init__(self, root: Path, embedder: Concepts | HippoError, config: Config) -> None:
        self.embedder = embedder
        self.library = Library(root, config, opener=self._open)
        self.library.refresh()
        assert self.library.meaning is not None
        self.meaning = self.library.meaning

    def _open(self, _: object) -> Concepts:
        if isinstance(self.embedder, HippoError):
            raise self.embedder
        return self.embedder

    def embed(self) -> Embedded:
        self.library.refresh()
        return embed_notes(self.library, self.meaning)

    def ask(self, text: str = QUESTION, where: Filter | None = None) -> SearchHits:
        self.library.refresh()
        query = parse(text, date(2026, 5, 13))
        return self.library.cache.search(query, 10, where, meaning=self.meaning)


@pytest.fixture
def desk(root: Path) -> Iterator[Desk]:
    made = Desk(root, Concepts(), settings())
    yield made
    made.library.close()


def places(found: SearchHits) -> list[str]:
    return [f"{hit.path} § {hit.section.title}" for hit in found.hits]


def test_what_means_the_same_is_found_without_a_word_of_it(desk: Desk) -> None:
    desk.embed()
    assert places(desk.ask())[0] == "MEMORY.md § Garage"
    assert desk.meaning.notices == []
    without = desk.library.cache.search(parse(QUESTION, date(2026, 5, 13)), 10, related=0)
    assert places(without) == []


def test_its_unit_is_the_best_and_it_counts_as_covered(desk: Desk) -> None:
    desk.embed()
    hit = desk.ask().hits[0]
    assert (hit.units[0].start, hit.matched) == (5, frozenset())
    assert 0 < hit.coverage <= ranking_weights.ALIKE_MOST
    assert len(hit.best) == len(ranking_weights.SEMANTIC)


def test_the_filters_hold(desk: Desk) -> None:
    desk.embed()
    found = desk.ask(where=Filter(paths=("people.md",)))
    assert {hit.path for hit in found.hits} <= {"people.md"}
    desk.library.cache.close()


def test_a_quoted_phrase_is_still_asked_for_word_by_word(desk: Desk) -> None:
    desk.embed()
    assert places(desk.ask('"pump was repaired"')) == ["memory/2026-03-13.md § Log"]


def test_without_vectors_words_answer_and_a_notice_says_so_once(desk: Desk) -> None:
    assert places(desk.ask("surgery")) == ["MEMORY.md § Garage"]
    desk.ask("surgery")
    (notice,) = desk.meaning.notices
    assert "hippo embed" in notice
    assert isinstance(desk.embedder, Concepts) and desk.embedder.asked == []


def test_the_vectors_of_another_model_are_not_compared(root: Path, desk: Desk) -> None:
    desk.embed()
    desk.library.close()
    other = Desk(root, Concepts("concepts-2"), settings())
    assert places(other.ask("surgery")) == ["MEMORY.md § Garage"]
    assert "concepts-1" in other.meaning.notices[0]
    done = other.embed()
    assert (done.former, done.model) == ("concepts-1", "concepts-2")
    assert done.embedded == done.units == done.forgotten


@pytest.mark.parametrize(
    "error",
    [
        ModelMissing(path="x", model="use-multilingual", reason="it is not installed"),
        EmbeddingFailed(model="m", reason="it is busy", advice="try again"),
    ],
)
def test_no_embedder_fails_no_question(root: Path, error: HippoError) -> None:
    desk = Desk(root, error, settings())
    assert places(desk.ask("surgery")) == ["MEMORY.md § Garage"]
    assert error.message in desk.meaning.notices[0] and error.advice in desk.meaning.notices[0]
    assert error.message in keep_vectors(desk.library)[0]
    with pytest.raises(type(error)):
        desk.embed()


def test_a_question_does_not_wait_long_for_a_server(root: Path) -> None:
    """The seconds are those of the settings, for all that a question asks; embedding the notes has more."""
    told: list[float] = []

    class Slow(Concepts):
        hurry = False

        @contextmanager
        def hurried(self, seconds: float) -> Iterator[None]:
            told.append(seconds)
            self.hurry = True
            yield
            self.hurry = False

        @property
        def dimensions(self) -> int:
            if self.hurry:
                raise EmbeddingFailed(model="m", reason="no answer within 1.5 s", advice="wait")
            return 96

        @dimensions.setter
        def dimensions(self, _: int) -> None: ...

    line = '[embedding]\nembedder = "use-multilingual"\nquestion_seconds = 1.5\n'
    desk = Desk(root, Slow(), load(line, {}))
    assert desk.embed().embedded
    other = Desk(root, Slow(), load(line, {}))
    assert places(other.ask("surgery")) == ["MEMORY.md § Garage"]
    assert told == [1.5] and "no answer within 1.5 s" in other.meaning.notices[0]


def test_a_server_that_fails_is_not_asked_for_every_question(root: Path) -> None:
    class Broken(Concepts):
        def embed(self, texts: object) -> object:
            self.asked.append("")
            raise EmbeddingFailed(model="m", reason="it is down", advice="try again")

    Desk(root, Concepts(), settings()).embed()
    desk = Desk(root, Broken(), settings("ollama"))
    assert places(desk.ask("surgery")) == ["MEMORY.md § Garage"]
    desk.ask("kitten")
    assert isinstance(desk.embedder, Broken) and len(desk.embedder.asked) == 1


def test_a_minute_later_it_is_asked_again_and_an_outage_is_told_once(root: Path) -> None:
    class Restarted(Concepts):
        down = True

        def embed(self, texts: Sequence[str]) -> Any:
            if self.down:
                self.asked.append("")
                raise EmbeddingFailed(model="m", reason="it is down", advice="try again")
            return super().embed(texts)

    Desk(root, Concepts(), settings()).embed()
    server, now = Restarted(), 0.0
    desk = Desk(root, server, settings("ollama"))
    made = (root, settings("ollama").embedding, desk._open, desk.library.note)
    desk.meaning = Meaning(*made, lambda: now)  # type: ignore[arg-type]
    for now, tried in ((0.0, 1), (59.0, 1), (60.0, 2)):  # noqa: B007
        desk.ask()
        assert len(server.asked) == tried
    assert len(desk.meaning.notices) == 1
    server.down, now = False, 120.0
    assert desk.ask().ranking == ranking_weights.SEMANTIC_VERSION
    server.down = True
    desk.ask("another question")
    assert len(desk.meaning.notices) == 2


def test_only_what_is_new_is_embedded_and_what_is_gone_is_forgotten(root: Path, desk: Desk) -> None:
    first = desk.embed()
    assert (first.embedded, first.units, first.forgotten) == (11, 11, 0)
    assert desk.embed()._replace(embedded=0) == first._replace(embedded=0)
    assert desk.embed().embedded == 0
    (root / "people.md").write_text("# People\n\n- Ines sails\n- Tobi walks\n")
    again = desk.embed()
    assert (again.embedded, again.units, again.forgotten) == (1, 9, 3)


def test_a_query_embeds_a_few_new_units_and_no_more(
    root: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranking_weights, "MOST_EMBEDDED", 2)
    desk.embed()
    assert isinstance(desk.embedder, Concepts)
    (root / "new.md").write_text("# New\n\n- pump one\n- pump two\n- pump three\n- pump four\n")
    desk.embedder.asked.clear()
    assert "new.md § New" in places(desk.ask("pump"))
    assert len(desk.embedder.asked) == 1 + 2
    desk.ask("pump")
    units = [text for text in desk.embedder.asked if text != "pump"]
    assert len(set(units)) == len(units) == 4


def test_a_query_sends_no_units_to_a_server(root: Path) -> None:
    desk = Desk(root, Concepts(), settings("openai"))
    desk.embed()
    assert isinstance(desk.embedder, Concepts)
    (root / "new.md").write_text("# New\n\n- the pump hums\n")
    desk.embedder.asked.clear()
    assert "new.md § New" in places(desk.ask("pump"))
    assert desk.embedder.asked == ["pump"]


def test_vectors_follow_the_notes_only_where_there_are_any(root: Path, desk: Desk) -> None:
    assert keep_vectors(desk.library) == () and not has_vectors(desk.meaning)
    desk.embed()
    (root / "new.md").write_text("# New\n\n- a physician passed\n")
    desk.library.refresh()
    assert keep_vectors(desk.library) == () and has_vectors(desk.meaning)
    assert desk.embed().embedded == 0


def test_a_note_that_changes_underneath_is_not_embedded_as_what_it_was(
    root: Path, desk: Desk
) -> None:
    (root / "people.md").write_text("# People\n\n- somebody else entirely\n")
    assert isinstance(desk.embedder, Concepts)
    embed_notes(desk.library, desk.meaning)  # as of the refresh before
    assert not any("Ines" in text or "somebody" in text for text in desk.embedder.asked)


def test_an_interrupted_run_goes_on(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    from hippocampus_cli.embedding import vectors

    monkeypatch.setattr(vectors, "_BATCH", 4)

    def stop(done: int, total: int) -> None:
        assert total == 11
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        embed_notes(desk.library, desk.meaning, stop)
    assert desk.embed().embedded == 7


def test_likeness_is_counted_in_spreads_and_the_unknown_is_average(desk: Desk) -> None:
    desk.embed()
    asked = desk.meaning.asked(QUESTION)
    assert asked is not None
    rows = desk.library.cache.healing(
        lambda db: db.execute("SELECT id, title, units, digests FROM sections").fetchall()
    )
    pieces = [module.Piece(key, "MEMORY.md", *rest) for key, *rest in rows]
    pieces.append(module.Piece(-1, "gone.md", "", b"", b""))
    found = asked.likeness(pieces)
    everything = [one for key, each in found.items() if key != -1 for one in each]
    assert max(everything) > 2 and found[-1] == [pytest.approx(np.mean(everything), abs=0.5)]


def test_core_files_are_embedded_first_each_unit_below_its_heading(desk: Desk) -> None:
    desk.embed()
    assert isinstance(desk.embedder, Concepts)
    assert desk.embedder.asked[0].startswith("Garage: ")
