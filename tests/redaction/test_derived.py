"""Nothing derived holds a secret; answers, notes and what a person asks to see do."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.errors import UsageError
from hippocampus_cli.maintenance.actions import Kind

NOW = datetime(2026, 5, 20, 9, tzinfo=UTC)
PASSWORD = "Tulip77!x"
KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2  # of the right form, and nobody's
NOTE = f"""# Servers

## Harbor

The registry of the harbor has the password {PASSWORD} since May.

## Deploy with {KEY}

Run make deploy in the meadow, then look at the lights.
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "TOOLS.md").write_text(NOTE)
    return tmp_path


def derived(root: Path) -> dict[str, bytes]:
    own = (path for path in (root / ".hippocampus").rglob("*") if path.is_file())
    return {path.name: path.read_bytes() for path in (*own, root / "HIPPOCAMPUS.md")}


def holders(root: Path, *secrets: str) -> list[str]:
    return [
        name
        for name, data in derived(root).items()
        if any(one.encode() in data or one.lower().encode() in data for one in secrets)
    ]


def sessions_holding(root: Path, secret: str) -> list[str]:
    files = (path for path in (root / ".hippocampus").rglob("*") if path.is_file())
    return [path.name for path in files if secret.encode() in path.read_bytes()]


def opened(root: Path) -> Workspace:
    return Workspace(root, Config())


def test_an_entry_says_where_a_secret_lies_and_an_answer_shows_the_line(root: Path) -> None:
    with opened(root) as ws:
        ws.at(NOW).bootstrap()
        [entry] = ws.at(NOW).entries.list()
        found = ws.at(NOW).query("harbor registry password")
        shown = ws.at(NOW).entries.show(entry.id)
    assert "(see the note)" in entry.summary
    assert entry.pointers == ("TOOLS.md",)
    assert PASSWORD in found.results[0].text
    assert any(PASSWORD in lead.text or KEY in lead.text for lead in shown.leads)
    assert not holders(root, PASSWORD, KEY)


def test_a_heading_with_a_secret_is_still_led_to(root: Path) -> None:
    with opened(root) as ws:
        ws.at(NOW).bootstrap()
        found = ws.at(NOW).query("deploy lights meadow")
        assert found.results[0].start_line == 7
        assert "redacted" in str(found.results[0].section)
        assert ws.check().diagnostics == ()
        done = ws.at(NOW).upkeep.run("daily")
    assert {one.kind for one in done.actions} <= {Kind.LIST}


def test_a_query_that_is_a_secret_is_not_written_down(root: Path) -> None:
    with opened(root) as ws:
        ws.at(NOW).bootstrap()
        ws.at(NOW).query(f"harbor registry password: {PASSWORD}")
        ws.at(NOW).query(f"what is {KEY}")
    assert not holders(root, PASSWORD, KEY)
    journal = root / ".hippocampus/journal/2026-05.jsonl"
    assert [json.loads(line)["query"] for line in journal.read_text().splitlines()] == [
        "harbor registry password: [redacted:password]",
        "what is [redacted:github-token]",
    ]


def test_what_is_remembered_is_in_the_note_and_not_in_the_index(root: Path) -> None:
    with opened(root) as ws:
        ws.at(NOW).bootstrap()
        done = ws.at(NOW).remember(f"The mill: its password is {PASSWORD}x")
    assert PASSWORD in (root / done.path).read_text()
    assert any("secret" in notice for notice in done.notices)
    assert not holders(root, PASSWORD)


def test_what_is_written_by_hand_is_refused_with_a_secret(root: Path) -> None:
    with opened(root) as ws:
        ws.at(NOW).bootstrap()
        known = ws.entries.list()
        for topic, more in (
            *((f"Key {KEY}", {}), ("Mill", {"summary": f"pwd: {PASSWORD}"})),
            *(("Mill", {"id": KEY}), ("Mill", {"section": f"By Topic/{KEY}"})),
        ):
            with pytest.raises(UsageError, match="looks like a secret"):
                ws.at(NOW).entries.add(topic, ["TOOLS.md"], **more)
        with pytest.raises(UsageError):
            ws.entries.tag(known[0].id, add=[KEY])
        assert ws.entries.list() == known
    assert not holders(root, PASSWORD, KEY)


def test_a_bullet_that_is_adopted_has_an_id_without_its_secret(root: Path) -> None:
    (root / "HIPPOCAMPUS.md").write_text(f"# Index\n\n- Key {KEY} → TOOLS.md\n")
    with opened(root) as ws:
        adopted = ws.at(NOW).entries.adopt()
        found = [one.code for one in ws.check().diagnostics]
    assert [one.id for one in adopted] == ["key"]
    assert found == ["secret"]  # what a person wrote is theirs to change


def test_a_session_keeps_no_secret(root: Path) -> None:
    from hippocampus_cli.context.lifecycle.context_session import ContextSessions

    keeper = ContextSessions(root, Config(), NOW)
    session, _ = keeper.begin("one")
    log = f"The mill answers.\npassword: {PASSWORD}\n" + "the mill stands\n" * 400
    keeper.add(session.id, log.encode(), ref="mill")
    session, taken = keeper.add(session.id, NOTE.encode(), source="file", ref="TOOLS.md")
    assert not sessions_holding(root, PASSWORD)
    done = keeper.get(session.id, taken.entry.id)
    assert (done.origin, done.changed) == ("source", False)
    assert done.data.decode() == NOTE  # the file says it itself
    assert not sessions_holding(root, PASSWORD)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_our_folder_and_the_index_are_as_private_as_the_most_private_note(root: Path) -> None:
    (root / "notes.md").write_text("# Notes\n\nAnybody may read this one of all notes.\n")
    (root / "TOOLS.md").chmod(0o600)
    with opened(root) as ws:
        ws.at(NOW).bootstrap()
        ws.at(NOW).query("harbor registry")
        ws.at(NOW).anchors.build()
        ws.at(NOW).upkeep.run("monthly")
    assert modes(root) == {0o600, 0o700}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_they_follow_a_note_that_becomes_private_later_and_are_never_opened_up(root: Path) -> None:
    with opened(root) as ws:
        ws.at(NOW).bootstrap()
        assert 0o644 in modes(root)
        (root / "TOOLS.md").chmod(0o640)
        ws.at(NOW).upkeep.run("daily")
    assert modes(root) <= {0o640, 0o750, 0o600, 0o700}
    (root / "HIPPOCAMPUS.md").chmod(0o600)
    (root / "TOOLS.md").chmod(0o644)
    with opened(root) as ws:
        ws.at(NOW).query("harbor registry")
    assert (root / "HIPPOCAMPUS.md").stat().st_mode & 0o777 == 0o600
    assert modes(root) <= {0o640, 0o750, 0o600, 0o700}


def modes(root: Path) -> set[int]:
    return {(root / name).stat().st_mode & 0o777 for name in (".hippocampus", "HIPPOCAMPUS.md")}
