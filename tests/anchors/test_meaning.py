"""The whole way with an embedder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import pytest

np = pytest.importorskip("numpy", reason="numpy is not installed")

from hippocampus_cli.anchors.dense import Vectoriser  # noqa: E402
from hippocampus_cli.embedding.embedder import CircuitBreaker  # noqa: E402
from hippocampus_cli.errors import AnchorsDamaged, AnchorsForeign, EmbeddingFailed  # noqa: E402
from hippocampus_cli.workspace.own_files import ANCHOR_EMBEDS  # noqa: E402
from tests.support.anchor_notes import LATER, NOW, files_of, keeper, vectoriser, write  # noqa: E402


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path)
    with keeper(tmp_path, vectoriser=vectoriser()) as made:
        made.build(NOW)
    return tmp_path


def paths(root: Path, text: str) -> list[str]:
    with keeper(root, vectoriser=vectoriser()) as made:
        return [one.path for one in made.lookup(text, NOW).hits]


def test_it_says_what_it_was_built_with(root: Path) -> None:
    made = files_of(root)
    assert "hippocampus-embeds.npz" in made
    meta = json.loads(made["hippocampus-meta.json"])
    assert meta["embedder"] == "fake-1"
    assert 0 < meta["theta"] < 1 and 0 < meta["sem_theta"] < 1 and meta["pairs"] > 0


def test_a_message_meets_anchors_that_mean_the_same(root: Path) -> None:
    assert paths(root, "mollusc")[0] == "memory/2026-07-30.md"
    with keeper(root) as made:
        looked = made.lookup("mollusc", NOW)
    assert looked.hits == ()
    assert "built with fake-1" in looked.notices[0]


def test_words_still_lead_somewhere_without_the_embedder(root: Path) -> None:
    with keeper(root) as made:
        assert made.lookup("label printer", NOW).hits[0].path == "TOOLS.md"


def test_an_embedder_that_failed_is_asked_again_a_minute_later(root: Path) -> None:
    down, now, tried = True, 0.0, 0
    answering = vectoriser()

    def embed(texts: Sequence[str]) -> Any:
        nonlocal tried
        tried += 1
        if down:
            raise EmbeddingFailed(model="m", reason="it is down", advice="try again")
        return answering.vectors(texts)

    with keeper(root, vectoriser=answering._replace(vectors=embed)) as made:
        made.index()._meaning._pause = CircuitBreaker(lambda: now)  # type: ignore[union-attr]
        for now, times in ((0.0, 1), (59.0, 1), (60.0, 2)):  # noqa: B007
            assert "it is down" in made.lookup("mollusc", NOW).notices[0]
            assert tried == times
        down, now = False, 120.0
        looked = made.lookup("mollusc", NOW)
    assert looked.notices == () and looked.hits[0].path == "memory/2026-07-30.md"


def test_a_build_without_the_embedder_does_away_with_the_vectors(root: Path) -> None:
    with keeper(root) as made:
        made.build(NOW)
        assert not made.lookup("label printer", NOW).notices
    assert sorted(files_of(root)) == ["hippocampus-index.json", "hippocampus-meta.json"]


def test_an_update_compares_by_vectors_and_leaves_new_anchors_to_the_next_build(root: Path) -> None:
    (root / "new.md").write_text("# Zeppelin\n\nMollusc, mollusc, mollusc.\n")
    with keeper(root, vectoriser=vectoriser()) as made:
        done = made.update(["new.md"], LATER)
    assert (done.changed, done.new_anchors) == (("new.md",), ())
    rows = json.loads(files_of(root)["hippocampus-index.json"])
    assert "new.md" in {one["path"] for one in rows["barnacles"]}
    assert "zeppelin" not in rows
    with keeper(root, vectoriser=vectoriser()) as made:
        made.build(LATER)
    assert "zeppelin" in json.loads(files_of(root)["hippocampus-index.json"])


@pytest.mark.parametrize("other", [None, vectoriser("fake-2")])
def test_new_text_cannot_be_compared_without_that_embedder(root: Path, other: object) -> None:
    (root / "TOOLS.md").write_text("# Tools\n\nOther.\n")
    before = files_of(root)
    with keeper(root, vectoriser=other) as made:  # type: ignore[arg-type]
        with pytest.raises(AnchorsForeign, match="fake-1, which is not available"):
            made.update(["TOOLS.md"], LATER)
        looked = made.lookup("label printer", LATER)
        assert all(one.stale for one in looked.hits if one.path == "TOOLS.md")
    assert files_of(root) == before


def test_a_note_that_is_gone_leaves_without_the_embedder(root: Path) -> None:
    (root / "TOOLS.md").unlink()
    with keeper(root) as made:
        assert made.update(["TOOLS.md"], LATER).removed == ("TOOLS.md",)
    assert "TOOLS.md" not in paths(root, "label printer")


def test_a_twin_made_without_the_embedder_learns_the_vectors_later(root: Path) -> None:
    once = paths(root, "rollout of the ledger")
    for one in (root / ".hippocampus/cache").glob("anchors.sqlite*"):
        one.unlink()
    with keeper(root) as made:
        made.lookup("ledger", NOW)
    assert paths(root, "rollout of the ledger") == once
    with keeper(root, vectoriser=vectoriser()) as made:
        made.lookup("ledger", NOW)
        row = made.index()._twin.connection.execute(
            "SELECT count(*) FROM chunks WHERE vector IS NULL"
        )
        assert row.fetchone() == (0,)


@pytest.mark.parametrize("damage", [b"", b"no vectors"])
def test_damaged_vectors(root: Path, damage: bytes) -> None:
    (root / ANCHOR_EMBEDS).write_bytes(damage)
    for one in (root / ".hippocampus/cache").glob("anchors.sqlite*"):
        one.unlink()
    with keeper(root, vectoriser=vectoriser()) as made, pytest.raises(AnchorsDamaged) as caught:
        made.lookup("label printer", NOW)
    assert caught.value.path == ANCHOR_EMBEDS


def _rewritten(root: Path, vectors: Callable[[Any], Any]) -> None:
    with np.load(root / ANCHOR_EMBEDS) as arrays:
        texts, embeds = arrays["anchor_texts"], arrays["anchor_embeds"]
    np.savez(root / ANCHOR_EMBEDS, anchor_texts=texts, anchor_embeds=vectors(embeds))


def _no_archive(root: Path) -> None:
    with (root / ANCHOR_EMBEDS).open("wb") as file:
        np.save(file, np.zeros(3))


def _of_another_method(root: Path) -> None:
    data = (root / ANCHOR_EMBEDS).read_bytes()
    at = data.rindex(b"PK\1\2")
    (root / ANCHOR_EMBEDS).write_bytes(data[: at + 10] + b"\x63" + data[at + 11 :])


HARMS = {
    "ten columns": lambda root: _rewritten(root, lambda old: old[:, :10]),
    "not a number": lambda root: _rewritten(root, lambda old: old * np.nan),
    "one infinite": lambda root: _rewritten(root, lambda old: old + np.eye(*old.shape) / 0),
    "words": lambda root: _rewritten(root, lambda old: old.astype(str)),
    "complex": lambda root: _rewritten(root, lambda old: old * 1j),
    "too few": lambda root: _rewritten(root, lambda old: old[1:]),
    "no archive": _no_archive,
    "another method": _of_another_method,
}


@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
@pytest.mark.parametrize("harm", HARMS)
def test_vectors_that_cannot_be_right_are_refused(root: Path, harm: str) -> None:
    """The twin is in step with the JSON files and would not tell."""
    assert paths(root, "mollusc")
    HARMS[harm](root)
    (root / "new.md").write_text("# Zeppelin\n\nMollusc, mollusc, mollusc.\n")
    for call, *arguments in (("lookup", "mollusc", NOW), ("update", ["new.md"], LATER)):
        with keeper(root, vectoriser=vectoriser()) as made, pytest.raises(AnchorsDamaged) as caught:
            getattr(made, str(call))(*arguments)
        assert caught.value.path == ANCHOR_EMBEDS
        assert "hippo anchors build" in caught.value.advice and caught.value.exit_code == 6
    with keeper(root, vectoriser=vectoriser()) as made:
        made.build(LATER)
    assert paths(root, "mollusc")


def test_an_embedder_of_that_name_whose_vectors_are_longer_now(root: Path) -> None:
    longer = Vectoriser("fake-1", lambda texts: np.ones((len(texts), 65), np.float32) / 65**0.5)
    (root / "new.md").write_text("# Zeppelin\n\nMollusc, mollusc, mollusc.\n")
    for call, *arguments in (("lookup", "mollusc", NOW), ("update", ["new.md"], LATER)):
        with keeper(root, vectoriser=longer) as made, pytest.raises(AnchorsDamaged, match="65"):
            getattr(made, str(call))(*arguments)


def test_two_builds_are_one(root: Path) -> None:
    once = files_of(root)["hippocampus-index.json"]
    with keeper(root, vectoriser=vectoriser()) as made:
        assert not made.build(LATER).changed
    assert files_of(root)["hippocampus-index.json"] == once


def test_an_embedder_that_does_not_answer_leaves_a_lookup_to_the_words(root: Path) -> None:
    asked: list[str] = []

    @contextmanager
    def hurry() -> Iterator[None]:
        asked.append("in a hurry")
        yield

    def fail(texts: Sequence[str]) -> NoReturn:
        asked.extend(texts)
        raise EmbeddingFailed(model="fake-1", reason="no answer within 4 s", advice="wait")

    down = Vectoriser("fake-1", fail, hurry)
    (root / "TOOLS.md").write_text((root / "TOOLS.md").read_text() + "\nMore.\n")
    with keeper(root, vectoriser=down) as made:
        looked = made.lookup("label printer", LATER)
        assert looked.hits[0].path == "TOOLS.md" and looked.hits[0].stale
        assert "no answer within 4 s" in "".join(looked.notices) and looked.updated == ()
        assert made.lookup("barnacles", LATER).notices
    assert asked == ["in a hurry", "label printer"]
