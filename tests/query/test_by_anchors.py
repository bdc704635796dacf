"""A query that goes by the anchors, where they were built."""

from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import load
from hippocampus_cli.query.results import QueryResult
from hippocampus_cli.workspace.own_files import ANCHOR_INDEX
from tests.support.anchor_notes import NOW, write

QUESTION = "what made the oxygen probe drift"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path)
    with Workspace(tmp_path, load(None, {})) as workspace:
        workspace.bootstrap(now=NOW)
        workspace.anchors.build(now=NOW)
    return tmp_path


def asked(root: Path, settings: str = "", mode: str = "hybrid") -> QueryResult:
    with Workspace(root, load(settings or None, {})) as workspace:
        return workspace.query(QUESTION, mode=mode, write=False, now=NOW)


def led(answer: QueryResult) -> list[str]:
    return [one.path for one in answer.results if any("anchors lead" in why for why in one.reasons)]


def test_the_result_says_that_anchors_lead_there(root: Path) -> None:
    answer = asked(root)
    assert answer.results[0].path == "projects/kelpie/PROJECT.md"
    assert answer.results[0].path in led(answer)
    assert not answer.notices


def test_they_are_left_out_where_somebody_says_so(root: Path) -> None:
    assert not led(asked(root, "[anchors]\nuse_in_query = false\n"))


@pytest.mark.parametrize("mode", ["search", "index"])
def test_other_modes_do_without(root: Path, mode: str) -> None:
    assert not led(asked(root, mode=mode))


def test_an_answer_is_as_sure_as_without_them(root: Path) -> None:
    assert asked(root).confidence == asked(root, "[anchors]\nuse_in_query = false\n").confidence


def test_a_note_that_has_changed_is_searched_and_not_led_to(root: Path) -> None:
    note = root / "projects/kelpie/PROJECT.md"
    note.write_text(
        "# Kelpie\n\n## Hull\n\nPainted.\n\n## Sensors\n\nThe oxygen probe does not drift.\n"
    )
    answer = asked(root)
    first = next(one for one in answer.results if one.path == "projects/kelpie/PROJECT.md")
    assert "does not drift" in first.text
    assert "projects/kelpie/PROJECT.md" not in led(answer)


def test_damaged_anchors_are_said_and_done_without(root: Path) -> None:
    plain = asked(root, "[anchors]\nuse_in_query = false\n")
    (root / ANCHOR_INDEX).write_text("{")
    answer = asked(root)
    assert [one.path for one in answer.results] == [one.path for one in plain.results]
    assert len(answer.notices) == 1
    assert "without the anchors" in answer.notices[0]
    assert "hippo anchors build" in answer.notices[0]
    assert (root / ANCHOR_INDEX).read_text() == "{"


def test_nothing_is_built_where_there_are_none(tmp_path: Path) -> None:
    write(tmp_path)
    with Workspace(tmp_path, load(None, {})) as workspace:
        workspace.bootstrap(now=NOW)
    assert not led(asked(tmp_path))
    assert not (tmp_path / ANCHOR_INDEX).exists()
    assert not list((tmp_path / ".hippocampus").rglob("anchors*"))
