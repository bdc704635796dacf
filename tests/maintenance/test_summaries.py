"""What hippo wrote of a section follows it; what a person wrote is left, and told of (decision D23)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config.settings import Config
from hippocampus_cli.maintenance.actions import Kind
from tests.support.upkept import NOW, write

OLD = "# Roof\n\nThe repair of the roof costs 15,200 euros.\n"
LEASE = "# Lease\n\nThe lease of the office ends in June 2027.\n"
NOTES = {"docs/house/office.md": OLD, "docs/house/lease.md": LEASE}
NEW = OLD.replace("15,200", "19,900")
DAY = timedelta(days=1)


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    write(tmp_path, NOTES)
    with Workspace(tmp_path, Config()) as opened:
        opened.at(NOW).bootstrap()
        opened.at(NOW + DAY).upkeep.run("daily")
        yield opened


def roof(ws: Workspace) -> str:
    return next(one.entry.summary for one in ws.index().entries if "Roof" in one.entry.topic)


def test_an_entry_of_hippo_follows_its_section(ws: Workspace) -> None:
    assert "15,200" in roof(ws)
    write(ws.root, {"docs/house/office.md": NEW}, NOW + DAY)
    before = ws.index()
    outcome = ws.at(NOW + 2 * DAY).upkeep.run("daily")
    assert [one.kind for one in outcome.actions if one.kind is Kind.REDRAW] == [Kind.REDRAW]
    assert "19,900" in roof(ws) and "15,200" not in ws.index().master.text
    unchanged = [one.entry for one in before.entries if "Roof" not in one.entry.topic]
    assert [one.entry for one in ws.index().entries if "Roof" not in one.entry.topic] == unchanged
    assert not ws.at(NOW + 2 * DAY).upkeep.run("daily").plan.changes
    ws.at(NOW + 2 * DAY).upkeep.undo()
    assert "15,200" in roof(ws)


def test_a_tag_that_a_person_gave_outlives_a_change_of_the_section(ws: Workspace) -> None:
    entry = next(one.entry for one in ws.index().entries if "Roof" in one.entry.topic)
    file = ws.root / "HIPPOCAMPUS.md"
    text = file.read_text(encoding="utf-8")
    tagged = entry.comment.replace(" -->", " | tags=kamps -->")
    file.write_text(text.replace(entry.comment, tagged), encoding="utf-8")
    for day, value in enumerate(("19,900 euros, says the roofer", "less now"), start=2):
        write(
            ws.root, {"docs/house/office.md": OLD.replace("15,200 euros", value)}, NOW + day * DAY
        )
        ws.at(NOW + day * DAY).upkeep.run("daily")
        assert "kamps" in ws.entries.show(entry.id).entry.tags


def test_it_does_so_from_the_first_day_on(tmp_path: Path) -> None:
    write(tmp_path, NOTES)
    with Workspace(tmp_path, Config()) as opened:
        opened.at(NOW).bootstrap()
        write(tmp_path, {"docs/house/office.md": NEW}, NOW)
        opened.at(NOW + DAY).upkeep.run("daily")
        assert "19,900" in roof(opened)


def test_what_a_person_edited_stays_and_check_says_that_the_note_has_moved_on(
    ws: Workspace,
) -> None:
    file = ws.root / "HIPPOCAMPUS.md"
    text = file.read_text(encoding="utf-8")
    file.write_text(
        text.replace(roof(ws), "Repair for 15,200, agreed with Kamps"), encoding="utf-8"
    )
    ws.at(NOW + 2 * DAY).upkeep.run("daily")
    assert not codes(ws)
    write(ws.root, {"docs/house/office.md": NEW}, NOW + 2 * DAY)
    ws.at(NOW + 3 * DAY).upkeep.run("daily")
    assert roof(ws) == "Repair for 15,200, agreed with Kamps"
    assert codes(ws) == {"note-changed"}
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("Repair for 15,200", "Repair for 19,900"), encoding="utf-8")
    ws.at(NOW + 4 * DAY).upkeep.run("daily")
    assert not codes(ws)


def test_without_the_cache_only_what_hippo_would_write_now_is_its_own(ws: Workspace) -> None:
    (ws.root / ".hippocampus/cache/descriptions.json").unlink()
    write(ws.root, {"docs/house/office.md": NEW}, NOW + DAY)
    ws.at(NOW + 2 * DAY).upkeep.run("daily")
    assert "15,200" in roof(ws), "it could be a person's"
    write(ws.root, {"docs/house/lease.md": LEASE.replace("June 2027", "March 2028")}, NOW + 2 * DAY)
    ws.at(NOW + 3 * DAY).upkeep.run("daily")
    assert "March 2028" in ws.index().master.text + "".join(
        document.text for document in ws.index().topics.values()
    )


@pytest.mark.parametrize("damage", ["", "[]", '{"version": 1, "entries": {"a": [1]}}', "\0"])
def test_a_damaged_cache_is_none(ws: Workspace, damage: str) -> None:
    (ws.root / ".hippocampus/cache/descriptions.json").write_text(damage, encoding="utf-8")
    assert ws.at(NOW + 2 * DAY).upkeep.run("daily").actions is not None
    assert not codes(ws)


def codes(ws: Workspace) -> set[str]:
    return {one.code for one in ws.at(NOW).check().diagnostics if one.severity != "info"}
