"""The questions about the fixture: real lines, and each of the kind that it says it is."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bench.corf.dataset import check_gold, read_dataset
from hippocampus_cli.anchors.lookup import AnchorMatcher, refers
from hippocampus_cli.anchors.lookup_database import OpenDatabase
from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import load

FIXTURES = Path(__file__).parents[3] / "fixtures"
FOUND = read_dataset(FIXTURES / "corf.json")


@pytest.fixture(scope="module")
def meeting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AnchorMatcher]:
    root = tmp_path_factory.mktemp("corf") / "workspace"
    shutil.copytree(FIXTURES / "workspace", root)
    with Workspace(root, load(None, {})) as workspace:
        workspace.anchors.build(now=datetime(2026, 8, 1, 9, tzinfo=UTC))
        database = OpenDatabase(root)
        deny = workspace.config.anchors.deny
        yield database.healed(lambda twin: AnchorMatcher(twin, deny, None))
        database.close()


def test_every_gold_place_is_a_line_with_text() -> None:
    check_gold(FOUND, FIXTURES / "workspace")
    for query in FOUND.queries:
        for gold in query.gold:
            text = (FIXTURES / "workspace" / gold.path).read_bytes().decode("utf-8", "replace")
            lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            assert any(lines[at - 1].strip() for at in range(gold.start, gold.end + 1)), query.id


def test_no_anchor_stands_in_a_silent_question(meeting: AnchorMatcher) -> None:
    kinds = set()
    for query in FOUND.queries:
        met = {one.text for one in meeting.met(query.text, "", {}) if one.why == "words"}
        assert not (query.kind == "silent" and met), (query.id, met)
        kinds |= {query.kind} if met else set()
    assert {"associative", "source"} <= kinds


def test_a_pronoun_question_refers_to_its_project_and_does_not_name_it() -> None:
    for query in FOUND.queries:
        if query.kind == "pronoun":
            assert query.project and refers(query.text), query.id
            assert query.project not in query.text, query.id
