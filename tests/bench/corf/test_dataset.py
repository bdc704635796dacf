"""A data set is read strictly, and each refusal says where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.corf.dataset import Dataset, Query, check_gold, read_dataset
from bench.errors import DatasetInvalid
from bench.questions import Place

ROW: dict[str, Any] = {
    "id": "one",
    "text": "what did we decide about it?",
    "kind": "pronoun",
    "project": "kelpie",
    "gold": [{"path": "a.md", "start": 2, "end": 3}],
}
QUERY = Query("one", ROW["text"], "pronoun", "kelpie", (Place("a.md", 2, 3),))


def file_of(folder: Path, *rows: object) -> Path:
    path = folder / "corf.json"
    lines = ",\n".join(json.dumps(row) for row in rows)
    path.write_text(f'{{"version": 1, "workspace": "ws", "queries": [\n{lines}\n]}}')
    return path


def test_a_data_set_is_read(tmp_path: Path) -> None:
    file = file_of(tmp_path, ROW)
    assert read_dataset(file) == Dataset(file, "ws", (QUERY,))
    assert read_dataset(file).root == tmp_path / "ws"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"kind": "hard"}, "kind 'hard' is none of"),
        ({"kind": "absent"}, "kind absent with 1 gold places"),
        ({"gold": []}, "kind pronoun with 0 gold places"),
        ({"project": None}, "kind pronoun without a project"),
        ({"project": 7}, "project is a name or null"),
        ({"why": "?"}, "there is no key 'why'"),
        ({"gold": [{"path": "a.md", "start": 3, "end": 2}]}, "a gold place is a path"),
        ({"gold": [{"path": "a.md", "start": 0, "end": 2}]}, "a gold place is a path"),
        ({"id": "zero"}, "zero: the id was given before"),
        ({"text": "FIRST", "project": None, "kind": "source"}, "zero asks the same"),
    ],
)
def test_a_query_that_is_wrong_is_named_with_its_line(
    tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    first = {**ROW, "id": "zero", "text": "first", "kind": "source", "project": None}
    with pytest.raises(DatasetInvalid) as caught:
        read_dataset(file_of(tmp_path, first, {**ROW, **change}))
    assert reason in caught.value.message
    assert caught.value.line == 3


@pytest.mark.parametrize(
    ("gold", "reason"),
    [
        ({"path": "../secret.md", "start": 1, "end": 1}, "is outside the workspace"),
        ({"path": "/etc/passwd", "start": 1, "end": 1}, "is outside the workspace"),
        ({"path": "link.md", "start": 1, "end": 1}, "is outside the workspace"),
        ({"path": "b.md", "start": 1, "end": 1}, "b.md: "),
        ({"path": "a.md", "start": 2, "end": 4}, "a.md has 3 lines, not 4"),
    ],
)
def test_gold_has_to_be_lines_of_the_workspace(
    tmp_path: Path, gold: dict[str, Any], reason: str
) -> None:
    (tmp_path / "secret.md").write_text("mine\n")
    root = tmp_path / "ws"
    root.mkdir()
    (root / "a.md").write_bytes(b"one\r\ntwo\rthree")
    (root / "link.md").symlink_to(tmp_path / "secret.md")
    check_gold(read_dataset(file_of(tmp_path, ROW)), root)
    with pytest.raises(DatasetInvalid) as caught:
        check_gold(read_dataset(file_of(tmp_path, {**ROW, "gold": [gold]})), root)
    assert reason in caught.value.message
    assert caught.value.line == 2
