"""One contract for every vector index that is installed."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hippocampus_cli.errors import ExtraMissing, NearestFailed

np = pytest.importorskip("numpy", reason="the extra `semantic` is not installed")

from hippocampus_cli.embedding.nearest import brute  # noqa: E402
from hippocampus_cli.embedding.nearest.brute import BruteForce  # noqa: E402
from hippocampus_cli.embedding.nearest.milvus import Milvus  # noqa: E402
from hippocampus_cli.embedding.nearest.usearch import Usearch  # noqa: E402

DIMENSIONS = 16
Make = Callable[[], Any]


def unit(count: int, seed: int = 0) -> Any:
    rows = np.random.default_rng(seed).standard_normal((count, DIMENSIONS)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _needs(module: str, extra: str) -> None:
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"the extra `{extra}` is not installed")


@pytest.fixture(params=["brute", "usearch", "milvus"])
def index(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    if request.param == "brute":
        return BruteForce(DIMENSIONS)
    if request.param == "usearch":
        _needs("usearch", "usearch")
        return Usearch(DIMENSIONS)
    return request.getfixturevalue("milvus")


@pytest.fixture
def milvus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    _needs("milvus_lite", "milvus")
    # milvus-lite is a server of its own, asked over a local socket: grpc's, not Python's
    made = Milvus(str(tmp_path / "m" / "v.db"), DIMENSIONS)
    yield made
    made.close()


def test_an_empty_index_finds_nothing(index: Any) -> None:
    assert len(index) == 0
    assert [found.ids.tolist() for found in index.search(unit(2), 3)] == [[], []]
    assert index.search(unit(0), 3) == []
    index.remove([1, 2])
    index.add([], unit(0))
    assert len(index) == 0


def test_the_nearest_first_with_their_cosines(index: Any) -> None:
    rows, questions = unit(50), unit(3, seed=1)
    index.add(range(100, 150), rows)
    assert len(index) == 50
    cosines = questions @ rows.T
    for found, truth in zip(index.search(questions, 5), cosines, strict=True):
        order = np.argsort(-truth)[:5]
        assert found.ids.tolist() == (order + 100).tolist()
        assert np.abs(found.cosines - truth[order]).max() < 1e-5
    assert index.search(questions, 0)[0].ids.tolist() == []


def test_fewer_than_asked_for_are_all_there_are(index: Any) -> None:
    index.add([3, 1], unit(2))
    assert sorted(index.search(unit(1, seed=2), 10)[0].ids.tolist()) == [1, 3]


def test_what_is_added_again_is_replaced_and_what_is_removed_is_gone(index: Any) -> None:
    first, second = unit(6), unit(6, seed=3)
    index.add(range(6), first)
    index.add([2, 5], second[[2, 5]])
    assert len(index) == 6
    (found,) = index.search(second[2:3], 1)
    assert found.ids.tolist() == [2] and found.cosines[0] == pytest.approx(1, abs=1e-5)
    index.remove([2, 99])
    assert len(index) == 5
    assert 2 not in index.search(second[2:3], 6)[0].ids.tolist()
    index.add([2], first[2:3])
    assert index.search(first[2:3], 1)[0].ids.tolist() == [2]


def test_equals_come_by_id_and_the_last_of_two_counts(index: Any) -> None:
    row = unit(1)
    index.add([9, 4, 7], np.repeat(row, 3, axis=0))
    assert index.search(row, 3)[0].ids.tolist() == [4, 7, 9]
    index.add([1, 1], unit(2, seed=4))
    assert len(index) == 4
    assert index.search(unit(2, seed=4)[1:], 1)[0].ids.tolist() == [1]


def test_a_scan_in_blocks_is_one_scan(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, questions = unit(97), unit(4, seed=5)
    whole = BruteForce(DIMENSIONS)
    whole.add(range(97), rows)
    expected = whole.search(questions, 7)
    monkeypatch.setattr(brute, "_ROWS", 10)
    for a, b in zip(whole.search(questions, 7), expected, strict=True):
        assert a.ids.tolist() == b.ids.tolist()


def test_milvus_keeps_what_it_was_given(tmp_path: Path) -> None:
    _needs("milvus_lite", "milvus")
    place = str(tmp_path / "v.db")
    first = Milvus(place, DIMENSIONS)
    first.add([1, 2], unit(2))
    first.close()
    again = Milvus(place, DIMENSIONS)
    assert len(again) == 2
    assert again.search(unit(2)[1:], 1)[0].ids.tolist() == [2]
    again.close()
    other = Milvus(place, DIMENSIONS + 1)  # another model: its vectors begin anew
    assert len(other) == 0
    other.close()


def test_milvus_that_does_not_answer(tmp_path: Path) -> None:
    _needs("pymilvus", "milvus")
    (tmp_path / "file").write_text("")
    with pytest.raises(NearestFailed) as raised:
        Milvus(str(tmp_path / "file" / "v.db"), DIMENSIONS)
    assert raised.value.exit_code == 20


@pytest.mark.parametrize(
    ("module", "make", "extra"),
    [
        ("usearch.index", lambda: Usearch(3), "usearch"),
        ("pymilvus", lambda: Milvus("x.db", 3), "milvus"),
    ],
)
def test_without_the_extra_it_says_what_to_install(
    module: str, make: Make, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ExtraMissing) as raised:
        make()
    assert f"pip install '.[{extra}]' in a clone" in raised.value.advice
