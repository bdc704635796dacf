from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from hippocampus_cli.cli.options import present
from hippocampus_cli.errors import ConfigInvalid, FileUnreadable
from hippocampus_cli.workspace.config_file import read_config


def test_the_present_can_be_set() -> None:
    assert present({"HIPPO_NOW": "2026-02-01T09:00:00Z"}) == datetime(2026, 2, 1, 9, tzinfo=UTC)
    assert present({"HIPPO_NOW": "2026-02-01"}).tzinfo is not None
    assert present({}).tzinfo is not None


@pytest.mark.parametrize("given", ["soon", "2026-13-01", "\ud800", "9" * 100])
def test_a_present_that_is_no_date_is_named(given: str) -> None:
    with pytest.raises(ConfigInvalid, match="HIPPO_NOW"):
        present({"HIPPO_NOW": given})


def test_settings_are_read_where_they_are(tmp_path: Path) -> None:
    assert read_config(tmp_path, {}) == read_config(None, {})
    (tmp_path / ".hippocampus").mkdir()
    (tmp_path / ".hippocampus/config.toml").write_bytes(b"# \xff\r\n[query]\r\nlimit = 7\r\n")
    assert read_config(tmp_path, {}).query.limit == 7


def test_a_folder_in_their_place_is_an_error(tmp_path: Path) -> None:
    (tmp_path / ".hippocampus/config.toml").mkdir(parents=True)
    with pytest.raises(FileUnreadable, match="not a regular file"):
        read_config(tmp_path, {})
