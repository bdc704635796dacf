from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli.errors import InstallRefused
from hippocampus_cli.integrations.openclaw import ENTRY, KEYS, state_folder
from hippocampus_cli.integrations.settings_entry import edit_entry


def put(text: str) -> str:
    return edit_entry("x", KEYS, ENTRY, lambda one: one == ENTRY, text, True)


def taken(text: str) -> str:
    return edit_entry("x", KEYS, ENTRY, lambda one: one == ENTRY, text, False)


def test_its_folder_is_found_by_its_names(tmp_path: Path) -> None:
    with pytest.raises(InstallRefused, match=r"OpenClaw was not found .*\.openclaw, .*\.clawdbot"):
        state_folder(tmp_path, {})
    (tmp_path / ".clawdbot").mkdir()
    assert state_folder(tmp_path, {}) == tmp_path / ".clawdbot"
    (tmp_path / ".openclaw").mkdir()
    assert state_folder(tmp_path, {}) == tmp_path / ".openclaw"
    assert state_folder(tmp_path, {"OPENCLAW_STATE_DIR": str(tmp_path)}) == tmp_path


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
    put_in = put(text)
    entry = json.loads(put_in)["plugins"]["entries"]["hippo"]
    assert entry == {"enabled": True, "hooks": {"allowConversationAccess": True}}
    assert put(put_in) == put_in
    assert taken(put_in) == text
