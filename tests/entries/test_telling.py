from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.entries import telling
from hippocampus_cli.entries.passages import told
from hippocampus_cli.search.ranker import read_trees
from tests.support.passages import one

NOTE = "# Kites\n\nOK\n\n- Status: done\n\nThe kites moved to Emden because the lease in Bremen ended.\n"


def test_a_fact_is_told_before_a_label() -> None:
    assert told(one("notes/kites.md", NOTE))[0][2].text.startswith("The kites moved to Emden")


def test_without_trees_sentences_stay_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_trees(telling.FILE, 1, len(telling.FEATURES))
    monkeypatch.setattr(telling, "FILE", Path("gone.txt"))
    telling.trees.cache_clear()
    assert told(one("notes/kites.md", NOTE))[0][2].text == "OK"
    telling.trees.cache_clear()
