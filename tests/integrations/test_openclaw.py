from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.integrations.openclaw import (
    keeps_sqlite,
    state_folder,
    with_entry,
    without_entry,
    workspace_in,
)


def test_its_folder_is_found_by_its_names(tmp_path: Path) -> None:
    with pytest.raises(InstallRefused, match=r"OpenClaw was not found .*\.openclaw, .*\.clawdbot"):
        state_folder(tmp_path, None)
    (tmp_path / ".clawdbot").mkdir()
    assert state_folder(tmp_path, None) == tmp_path / ".clawdbot"
    (tmp_path / ".openclaw").mkdir()
    assert state_folder(tmp_path, None) == tmp_path / ".openclaw"
    assert state_folder(tmp_path, str(tmp_path)) == tmp_path


def test_a_newer_one_is_told_by_its_database(tmp_path: Path) -> None:
    database = tmp_path / ".openclaw/agents/main/agent/openclaw-agent.sqlite"
    database.parent.mkdir(parents=True)
    database.touch()
    assert keeps_sqlite(state_folder(tmp_path, None))
    assert not keeps_sqlite(tmp_path)


def test_its_workspace(tmp_path: Path) -> None:
    state = tmp_path / ".openclaw"
    state.mkdir()
    assert workspace_in(state) is None
    (tmp_path / "clawd").mkdir()
    assert workspace_in(state) == (tmp_path / "clawd").resolve()
    (state / "workspace").mkdir()
    assert workspace_in(state) == (state / "workspace").resolve()


@given(
    settings=st.dictionaries(
        st.sampled_from(["agents", "plugins", "gateway"]), st.just({"mode": "x"})
    ),
    entries=st.none()
    | st.dictionaries(st.sampled_from(["other", "more"]), st.just({"enabled": False})),
    indent=st.sampled_from([None, 2, 4]),
)
def test_its_settings_come_back_byte_for_byte(
    settings: dict[str, Any], entries: dict[str, Any] | None, indent: int | None
) -> None:
    if entries:
        settings = {**settings, "plugins": {"entries": entries, "allow": ["other"]}}
    text = json.dumps(settings, indent=indent) if settings else ""
    put_in = with_entry(text, "x")
    entry = json.loads(put_in)["plugins"]["entries"]["hippo"]
    assert entry == {"enabled": True, "hooks": {"allowConversationAccess": True}}
    assert with_entry(put_in, "x") == put_in
    assert without_entry(put_in, "x") == text


def test_an_entry_of_ones_own_stays_and_what_is_no_json_is_refused() -> None:
    own = '{"plugins": {"entries": {"hippo": {"enabled": false}}}}'
    assert with_entry(own, "x") == without_entry(own, "x") == own
    for text in ("{} // mine", '{"plugins": {"entries": []}}', "[]"):
        with pytest.raises(InstallRefused):
            with_entry(text, "x")
