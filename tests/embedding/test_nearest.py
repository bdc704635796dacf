"""One contract for every vector index that is installed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hippocampus_cli.errors import ExtraMissing, NearestFailed

np = pytest.importorskip("numpy", reason="the extra `semantic` is not installed")

from hippocampus_cli.embedding.nearest.index import (  # noqa: E402
    VectorsOf,
    bring_in_step,
)
from hippocampus_cli.embedding.nearest.milvus import Milvus  # noqa: E402
from hippocampus_cli.embedding.nearest.usearch import Usearch  # noqa: E402

DIMENSIONS = 16
Make = Callable[[], Any]


def unit(count: int, seed: int = 0) -> Any:
    rows = np.random.default_rng(seed).standard_normal((count, DIMENSIONS)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def ids(*given: int) -> Any:
    return np.array(given, np.int64)


def _needs(module: str, extra: str) -> None:
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"the extra `{extra}` is not installed")


@pytest.fixture(params=["usearch", "milvus"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Make]:
    """Opens the same index again and again, as one process after the other does."""
    made: list[Any] = []

    def again() -> Any:
        for one in made:
            one.close()
        where = tmp_path / "made" / request.param
        if request.param == "usearch":
            made[:] = [Usearch(where, DIMENSIONS)]
        else:
            made[:] = [Milvus(f"{where}.db", "notes", DIMENSIONS)]
        return made[0]

    _needs(*{"usearch": ("usearch", "usearch"), "milvus": ("milvus_lite", "milvus")}[request.param])
    yield again
    for one in made:
        one.close()


def test_an_empty_index_finds_nothing(make: Make) -> None:
    index = make()
    assert len(index) == 0 and index.ids().tolist() == []
    assert index.near(unit(1)[0], 3).tolist() == []
    index.remove(ids(1, 2))
    index.add(ids(), unit(0))
    assert len(index) == 0


def test_the_nearest_are_found_by_ids_of_either_sign(make: Make) -> None:
    index, rows, questions = make(), unit(50), unit(3, seed=1)
    numbers = np.arange(50) * 3_000_000_000_000_000_00 - 2**62
    index.add(numbers, rows)
    assert len(index) == 50 and sorted(index.ids()) == sorted(numbers)
    for question in questions:
        nearest = numbers[np.argsort(-(rows @ question))]
        assert len(set(index.near(question, 8).tolist()) & set(nearest[:8].tolist())) >= 7
        assert index.near(question, 1)[0] in nearest[:2]
    assert index.near(questions[0], 0).tolist() == []
    assert len(index.near(questions[0], 80)) == 50


def test_what_is_added_again_is_replaced_and_what_is_removed_is_gone(make: Make) -> None:
    index, first, second = make(), unit(6), unit(6, seed=3)
    index.add(np.arange(6), first)
    index.add(ids(2, 5), second[[2, 5]])
    assert len(index) == 6
    assert index.near(second[2], 1).tolist() == [2]
    index.remove(ids(2, 99))
    assert len(index) == 5
    assert 2 not in index.near(second[2], 6) and 2 not in index.ids()
    index.add(ids(2), first[2:3])
    assert index.near(first[2], 1).tolist() == [2]


def test_what_was_saved_is_there_again(make: Make) -> None:
    index = make()
    assert index.place == ""
    index.add(ids(1, -2), unit(2))
    index.save()
    place = index.place
    again = make()
    assert (len(again), again.place) == (2, place)
    assert again.near(unit(2)[1], 1).tolist() == [-2]
    assert place
    again.remove(ids(1))
    again.save()
    after = make()
    assert after.ids().tolist() == [-2]
    if isinstance(after, Usearch):
        assert after.place == again.place != place  # in another state, and of the same name


def test_an_index_is_brought_in_step_with_as_little_as_it_takes(make: Make) -> None:
    rows = dict(enumerate(unit(9)))
    asked: list[list[int]] = []

    def vectors_of(wanted: Any) -> Any:
        asked.append(list(wanted))
        return {one: rows[one] for one in wanted if one in rows}

    told: list[tuple[int, int]] = []
    index = make()
    assert bring_in_step(index, ids(0, 1, 2, 3), None, vectors_of, lambda *at: told.append(at))
    assert asked == [[0, 1, 2, 3]] and told == [(4, 4)]
    index = make()
    assert not bring_in_step(index, ids(0, 1, 2, 3), ids(0, 1, 2, 3), vectors_of)
    assert bring_in_step(index, ids(2, 3, 7, 8, 77), ids(0, 1, 2, 3), vectors_of)
    assert asked[1:] == [[7, 8, 77]]  # 77 has no vector, which is no harm
    assert sorted(make().ids()) == [2, 3, 7, 8]
    # What it was left with is not what it holds: then it is asked itself.
    assert bring_in_step(make(), ids(1), ids(1), vectors_of)
    assert make().ids().tolist() == [1]


def test_a_file_of_something_else_is_begun_anew(tmp_path: Path) -> None:
    _needs("usearch", "usearch")
    path = tmp_path / "x.usearch"
    whole = Usearch(path, DIMENSIONS)
    whole.add(ids(*range(30)), unit(30))
    whole.save()
    half = path.read_bytes()[:-400]
    for data in (b"", b"not an index" * 99, half):
        path.write_bytes(data)
        again = Usearch(path, DIMENSIONS)
        assert len(again) == 0
        again.add(ids(4), unit(1))
        assert again.near(unit(1)[0], 1).tolist() == [4]
    assert len(Usearch(path, DIMENSIONS + 1)) == 0


def test_an_index_that_cannot_be_written_says_where(tmp_path: Path) -> None:
    _needs("usearch", "usearch")
    (tmp_path / "file").write_text("")
    index = Usearch(tmp_path / "file" / "x.usearch", DIMENSIONS)
    index.add(ids(1), unit(1))
    with pytest.raises(NearestFailed, match="file"):
        index.save()


def test_a_process_keeps_what_it_has_read_while_another_one_writes(tmp_path: Path) -> None:
    _needs("usearch", "usearch")
    path = tmp_path / "x.usearch"
    first = Usearch(path, DIMENSIONS)
    first.add(ids(1), unit(1))
    first.save()
    reader = Usearch(path, DIMENSIONS)
    place = reader.place
    first.add(ids(2), unit(1))
    first.save()
    assert (reader.place, len(reader)) == (place, 1)
    assert first.place != place


def test_a_file_of_milvus_is_one_process_at_a_time_s(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    _needs("milvus_lite", "milvus")
    place = str(tmp_path / "v.db")
    ask = f"""
import sys
from hippocampus_cli.embedding.nearest.milvus import Milvus
from hippocampus_cli.errors import NearestFailed
try:
    print(len(Milvus(sys.argv[1], "notes", {DIMENSIONS})))
except NearestFailed as error:
    print(error.advice)
"""
    index = Milvus(place, "notes", DIMENSIONS)
    index.add(ids(1), unit(1))
    index.save()
    asking = [sys.executable, "-c", ask, place]
    refused = subprocess.run(asking, capture_output=True, text=True)
    assert "another process may have it open" in refused.stdout
    assert refused.stderr == ""  # milvus-lite writes a traceback there
    index.close()
    assert subprocess.run(asking, capture_output=True, text=True).stdout == "1\n"
    assert capfd.readouterr() == ("", "")


def test_milvus_that_does_not_answer(tmp_path: Path) -> None:
    _needs("milvus_lite", "milvus")
    (tmp_path / "file").write_text("")
    with pytest.raises(NearestFailed) as raised:
        Milvus(str(tmp_path / "file" / "v.db"), "notes", DIMENSIONS)
    assert raised.value.exit_code == 20


def test_a_collection_of_other_vectors_is_left_as_it_is(tmp_path: Path) -> None:
    _needs("milvus_lite", "milvus")
    first = Milvus(str(tmp_path / "v.db"), "notes", DIMENSIONS)
    first.add(ids(1), unit(1))
    first.close()
    with pytest.raises(NearestFailed, match="other vectors"):
        Milvus(str(tmp_path / "v.db"), "notes", DIMENSIONS + 1)
    again = Milvus(str(tmp_path / "v.db"), "notes", DIMENSIONS)
    assert len(again) == 1
    again.close()


def test_the_key_tells_workspaces_and_models_apart(tmp_path: Path) -> None:
    one = VectorsOf(tmp_path, "m", 3)
    others = (VectorsOf(tmp_path / "x", "m", 3), VectorsOf(tmp_path, "n", 3))
    keys = {one.key, *(other.key for other in others), VectorsOf(tmp_path, "m", 4).key}
    assert len(keys) == 4 and all(key.isalnum() for key in keys)
    assert VectorsOf(Path("/a\udcff"), "m", 3).key


@pytest.mark.parametrize(
    ("module", "make", "extra"),
    [
        ("usearch.index", lambda: Usearch(Path("x"), 3), "usearch"),
        ("pymilvus", lambda: Milvus("x.db", "notes", 3), "milvus"),
    ],
)
def test_without_the_extra_it_says_what_to_install(
    module: str, make: Make, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ExtraMissing) as raised:
        make()
    assert f"pip install '.[{extra}]' in a clone" in raised.value.advice
