"""What an agent is told of its memory at the start of a session."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippocampus_cli import open_workspace
from hippocampus_cli.entries.brief import MOST_TOKENS, brief, chosen
from hippocampus_cli.index.document import MASTER
from hippocampus_cli.index.hierarchy import Hierarchy
from hippocampus_cli.index.parse import parse
from hippocampus_cli.workspace.note import Note
from tests.support.workspaces import fixture_of_few

NOW = datetime(2026, 8, 1, 9, tzinfo=UTC)
INDEX = """<!-- hippocampus.md v1.0 | entries: 3 | reindexed: 2026-07-01T09:00:00+00:00 -->
# HIPPOCAMPUS.md

## Old diary
→ memory/2026-05-01.md
<!-- hx: id=diary | hits=0 | str=1.00 | base=1.00 | accessed=2026-07-01 | created=2026-07-01 -->

## Release the site
→ TOOLS.md §Release
<!-- hx: id=release | hits=0 | str=0.60 | base=0.60 | accessed=2026-07-01 | created=2026-05-01 -->

## Label printer
→ office/printer.md
<!-- hx: id=printer | hits=9 | str=0.50 | base=0.50 | accessed=2026-07-01 | created=2026-05-01 -->
"""


def index_of(text: str = INDEX) -> Hierarchy:
    return Hierarchy({MASTER: parse(text)})


def note(path: str, text: str) -> Note:
    return Note(path, text)


def test_owner_rules_credentials_tasks_and_subjects() -> None:
    notes = [
        note("AGENTS.md", "# Rules\n\n- no rm, use the bin\n"),
        note("USER.md", "# User\n\n- **Name:** Ines Moen\n- **Lives in:** Bremen\n"),
        note("HEARTBEAT.md", "- [ ] the disks are well\n"),
        note(
            "TOOLS.md",
            "key [redacted:api-key]\n# Rules\n\n- no rm, use the bin\n\n# Else\n\n"
            "- we never pay twice\n- NEVER pay **thrice**\n"
            "- **Never at four:**\n- ~~never drink it~~\n\n# Vercel\n\ntoken [redacted:api-key]\n",
        ),
        note(
            "memory/2026-07-30.md",
            "# Day\n\n- [x] done\n- [ ] call the printer\n```\n- [ ] code\n```\n",
        ),
    ]
    found = brief(index_of(), notes, 7)
    assert found.owner == ("Name: Ines Moen · Lives in: Bremen (USER.md)",)
    assert found.rules == (
        "NEVER pay thrice (TOOLS.md:9)",
        "no rm, use the bin (TOOLS.md:4)",
        "we never pay twice (TOOLS.md:8)",
    )
    assert found.credentials == ("TOOLS.md (TOOLS.md:1)", "Vercel (TOOLS.md:13)")
    assert found.tasks == ("call the printer (memory/2026-07-30.md:4)",)
    assert found.subjects == (".: TOOLS", "office/: printer", "memory/2026-05-: 01")
    assert "(notes: 7, entries: 3)" in found.text
    assert "hippo query" in found.text


@pytest.mark.parametrize(("long", "told"), [("x", 5), ("as-said-" * 25, 0)])
def test_rules_stay_where_names_take_room_and_all_is_short(long: str, told: int) -> None:
    entries = "".join(
        f"## N{n}\n→ a/long-name-{n}-of-it-{long}.md\n<!-- hx: id=n{n} -->\n" for n in range(80)
    )
    rules = note(
        "MEMORY.md", "# Rules\n\n" + "".join(f"- rule {n} of the kites\n" for n in range(5))
    )
    found = brief(index_of(entries), [rules], 80)
    assert len(found.rules) >= told and found.tokens <= MOST_TOKENS and found.subjects


def test_the_core_files_come_first_and_the_newest_days() -> None:
    days = [f"memory/2026-07-{day:02}.md" for day in range(1, 20)]
    read = chosen([*days, "TOOLS.md", "AGENTS.md", "projects/a.md", "MEMORY.md"])
    assert read[:3] == ["AGENTS.md", "MEMORY.md", "TOOLS.md"]
    assert read[3:] == days[:-6:-1]


@given(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=300), max_size=40
    ),
    st.sampled_from(["- ", "- [ ] ", "1. never "]),
)
def test_it_is_never_longer_than_it_may_be(lines: list[str], lead: str) -> None:
    text = "# Rules\n\n" + "\n".join(lead + one for one in lines)
    found = brief(index_of(), [note("AGENTS.md", text)], 1)
    assert found.tokens <= MOST_TOKENS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = fixture_of_few(tmp_path)
    with open_workspace(root) as workspace:
        workspace.at(NOW).bootstrap()
    return root


def files(root: Path) -> dict[str, bytes]:
    skipped = root / ".hippocampus/cache"
    return {
        str(path): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and skipped not in path.parents
    }


def test_the_same_bytes_until_something_changes_and_nothing_is_written(folder: Path) -> None:
    before = files(folder)
    with open_workspace(folder) as workspace:
        first = workspace.at(NOW).brief()
        assert workspace.at(NOW + timedelta(days=5)).brief() == first
        assert files(folder) == before
        (folder / "TOOLS.md").write_text(
            "# Rules\n\n- NEVER deploy on a Friday!\n", encoding="utf-8"
        )
        assert workspace.at(NOW).brief().rules[0] == "NEVER deploy on a Friday! (TOOLS.md:3)"


def test_a_prompt_brings_what_the_memory_is_sure_of(folder: Path) -> None:
    with open_workspace(folder) as workspace:
        found = workspace.at(NOW).brief("what is the deploy command")
        assert any("kelpctl release" in line for line in found.answer)
        assert found.tokens <= MOST_TOKENS
        assert not workspace.at(NOW).brief("the zzyzx of the quux").answer


def test_the_markers_of_a_merge_come_first(folder: Path) -> None:
    index = folder / "HIPPOCAMPUS.md"
    index.write_text(f"<<<<<<< HEAD\n{index.read_text()}=======\n>>>>>>> other\n")
    with open_workspace(folder) as opened:
        assert "has conflict markers of a merge in lines 1, " in opened.brief().text


def test_late_upkeep_is_told_of(folder: Path) -> None:
    with open_workspace(folder) as workspace:
        assert not workspace.at(NOW).brief().notices  # that it never ran is no news
        workspace.at(NOW).upkeep.run("daily")
        assert not workspace.at(NOW + timedelta(days=2)).brief().notices
        late = workspace.at(NOW + timedelta(days=30)).brief()
        assert late.notices == ("upkeep is late (daily): `hippo maintain --due`",)


def test_a_brief_does_not_wait_until_every_note_can_be_searched(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hippocampus_cli.search.store.PassageStore.refresh", None)
    with open_workspace(folder) as workspace:
        assert workspace.at(NOW).brief().text
