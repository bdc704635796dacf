from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.entries import passages, telling
from tests.support.passages import one

NOTE = "# Kites\n\nOK\n\n- Status: done\n\nThe kites moved to Emden because the lease in Bremen ended.\n"


def test_a_fact_is_told_before_a_label() -> None:
    first = passages.told(one("notes/kites.md", NOTE))[0][2]
    assert first.text.startswith("The kites moved to Emden")


@pytest.mark.parametrize(
    ("module", "file", "reader"),
    [(telling, "FILE", telling.trees), (passages, "SHARED", passages._shared)],
)
def test_data_that_cannot_be_read_is_said_and_done_without(
    module: Any, file: str, reader: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kites.md").write_text(NOTE)
    with Workspace(tmp_path, Config()) as workspace:
        workspace.bootstrap()
        assert workspace.upkeep.run("daily").notices == ()
        monkeypatch.setattr(module, file, tmp_path / "gone.txt")
        reader.cache_clear()
        assert workspace.upkeep.run("daily").notices == (passages.NOTICE,)
    assert len(passages.told(one("notes/kites.md", NOTE))) == 3
    reader.cache_clear()
