"""A query's way through index and text, on a workspace a person can read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from hippocampus_cli import open_workspace
from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.errors import FileUnreadable, IndexNotFound, UsageError, WorkspaceNotFound
from hippocampus_cli.markdown.tokens import tokens
from hippocampus_cli.query.outdated import Mark, asked_of, digest, written
from hippocampus_cli.query.results import QueryResult
from hippocampus_cli.search.confidence import Confidence
from hippocampus_cli.search.library import Library
from hippocampus_cli.workspace.note import Note
from hippocampus_cli.workspace.own_files import OUTDATED
from tests.support.command_line import Hippo

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
NOTES = {
    "TOOLS.md": "# Tools\n\n## Deploy\n\nRun `kelpctl release prod` from the main branch.\n\n"
    "## Backups\n\nrestic to the NAS at 01:40 every night.\n\n## VPN\n\nwg-quick up office\n",
    "MEMORY.md": "# Memory\n\n## People\n\n- Sigrid Aune is our contact at Nordfjord.\n\n"
    "## Money\n\nThe tooling budget is 12,500 euros.\n",
    "memory/2026-05-11.md": "# 2026-05-11\n\n## Nordfjord call\n\nEirik Moen takes over from Sigrid Aune.\n\n"
    "## Notes\n\nNothing else happened.\n",
    "memory/2026-03-12.md": "# 2026-03-12\n\n## Ghost alarms\n\nBiofouling on the sensors, most likely.\n",
}
INDEX = """\
# HIPPOCAMPUS.md
<!-- hippocampus.md v1.0 | entries: 4 | reindexed: 2026-06-01T02:30:00Z -->

## By Topic

### Push to production
How a release goes out.
→ TOOLS.md §Deploy
<!-- hx: id=push | created=2026-04-01 | accessed=2026-05-30 | hits=3 | str=0.80 | base=0.90
| tags=ship,release,zorbit -->

### Nightly copies
→ TOOLS.md §Backups
<!-- hx: id=copies | created=2025-01-01 | accessed=2026-01-01 | hits=1 | str=0.16 | base=1.00 -->

### Ancient thing
→ MEMORY.md §Money
<!-- hx: id=ancient | created=2020-01-01 | accessed=2020-01-01 | hits=1 | str=0.01 | base=0.50
| pri=low | tags=finances -->

### Gone
→ ../../etc/passwd | nowhere.md §X
<!-- hx: id=gone | created=2026-05-01 | accessed=2026-05-30 | hits=0 | str=0.90 | base=0.90 | tags=passwd -->
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    for path, text in NOTES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / path).write_text(text)
    (tmp_path / "HIPPOCAMPUS.md").write_text(INDEX)
    return open_workspace(tmp_path)


@pytest.fixture
def sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever search finds it is sure of."""
    likely = Confidence(0.95, 0.9)
    monkeypatch.setattr("hippocampus_cli.search.engine.confidence_of", lambda *_: likely)


def ask(workspace: Workspace, text: str, **conditions: object) -> QueryResult:
    return workspace.at(NOW).query(text, **conditions)  # type: ignore[arg-type]


def index_text(workspace: Workspace) -> str:
    return (workspace.root / "HIPPOCAMPUS.md").read_text()


def test_search_answers_with_section_lines_and_text(workspace: Workspace) -> None:
    first = ask(workspace, "budget tooling", write=False).results[0]
    assert (first.path, first.section) == ("MEMORY.md", "Money")
    assert (first.start_line, first.end_line) == (7, 9)
    assert first.text == "## Money\n\nThe tooling budget is 12,500 euros."
    assert not first.cut
    assert first.tokens == tokens(first.text)


def test_the_index_knows_what_the_text_does_not_say(workspace: Workspace) -> None:
    result = ask(workspace, "zorbit")
    first = result.results[0]
    assert (first.path, first.section) == ("TOOLS.md", "Deploy")
    assert (first.source, first.entry) == ("index", "push")
    assert first.band == "moderate"
    assert result.route == "index"
    assert ask(workspace, "zorbit", mode="search", write=False).results == ()


@pytest.mark.usefixtures("sure")
def test_no_day_comes_before_what_a_reader_said_to_answer(workspace: Workspace) -> None:
    question = "port of the relay"
    lines = {
        3: "- The port of the relay is 4100.",
        5: "- The port of the relay is 4200 now, says Ada, and so does Tobi.",
    }
    for month, line in lines.items():
        (workspace.root / f"memory/2026-0{month}-02.md").write_text(f"# Day\n\n{line}\n")
    newest = ask(workspace, question, write=False).results[0]
    assert newest.path == "memory/2026-05-02.md"
    mark = Mark(
        "memory/2026-03-02.md", digest(lines[3]), "user", "2026-06-01", "", asked_of(question)
    )
    (workspace.root / OUTDATED).parent.mkdir(exist_ok=True)
    (workspace.root / OUTDATED).write_bytes(written([mark]))
    assert ask(workspace, question, write=False).results[0].path == "memory/2026-03-02.md"


@pytest.mark.usefixtures("sure")
def test_an_older_place_of_a_series_is_named_by_its_own_line(workspace: Workspace) -> None:
    for day, time in ((2, "03:15"), (3, "01:40")):
        text = f"# Day\n\n## Backup\n\nThe nightly backup of the relay runs at {time}.\n"
        (workspace.root / f"memory/2026-05-0{day}.md").write_text(text)
    first = ask(workspace, "nightly backup of the relay", write=False).results[0]
    assert first.path == "memory/2026-05-03.md"
    assert [(one.place, one.text) for one in first.earlier] == [
        ("memory/2026-05-02.md:3", "The nightly backup of the relay runs at 03:15.")
    ]


def test_what_is_struck_through_comes_last(workspace: Workspace) -> None:
    note = workspace.root / "MEMORY.md"
    note.write_text("# Money\n\n~~The tooling budget is 9.~~\n\n# Fence\n\nA budget for paint.\n")
    rows = ask(workspace, "tooling budget", write=False).results
    assert (rows[0].section, rows[-1].superseded) == ("Fence", "struck through")


@pytest.mark.usefixtures("sure")
def test_a_hit_is_written_back_and_nothing_else(workspace: Workspace) -> None:
    result = ask(workspace, "push to production")
    assert [(one.entry, one.change) for one in result.written] == [("push", "hit")]
    assert index_text(workspace) == INDEX.replace(
        "accessed=2026-05-30 | hits=3 | str=0.80 | base=0.90",
        "accessed=2026-06-01 | hits=4 | str=1.00",
    )


def test_without_write_nothing_changes(workspace: Workspace) -> None:
    assert ask(workspace, "push to production", write=False).written == ()
    assert index_text(workspace) == INDEX
    assert not (workspace.root / ".hippocampus" / "journal").exists()


@pytest.mark.usefixtures("sure")
@pytest.mark.parametrize(
    ("question", "pointer"),
    [
        ("wg-quick office vpn", "TOOLS.md §VPN"),
        ("biofouling on sensors", "memory/2026-03-12.md"),  # short, and of no entry yet
    ],
)
def test_a_confident_miss_becomes_an_entry_and_never_a_second_one(
    workspace: Workspace, question: str, pointer: str
) -> None:
    result = ask(workspace, question)
    assert [one.change for one in result.written] == ["created"]
    created = workspace.index().by_key[result.written[0].entry]
    assert str(created.entry.pointers[0]) == pointer
    assert created.entry.src == "retrieval"
    again = ask(workspace, question)
    assert [one.change for one in again.written] == ["hit"]
    assert len(workspace.index().entries) == 5


@pytest.mark.usefixtures("sure")
def test_an_entry_of_a_long_note_knows_its_section_and_no_secret(workspace: Workspace) -> None:
    key = "sk-proj-Zx81kQ0vTqL2mN4bV6cX8zA1sD3fG5hJ7kL9"
    halls = "".join(f"\n## Hall {n}\n\n{f'- Valve {n} was oiled.' * 40}\n" for n in range(9))
    text = f"---\nowner: me\n---\n\n# Works\n{halls}\n## Zeppelin mast\n\n- The mooring key is {key}.\n"
    (workspace.root / "works.md").write_text(text + halls)
    result = ask(workspace, "zeppelin mast mooring")
    entry = workspace.index().by_key[result.written[0].entry].entry
    assert str(entry.pointers[0]) == "works.md §Zeppelin mast"
    assert entry.topic == "Works: Zeppelin mast" and "mooring key" in entry.summary
    assert key not in (workspace.root / "HIPPOCAMPUS.md").read_text()


@pytest.mark.usefixtures("sure")
def test_a_miss_on_a_section_with_an_entry_teaches_it_the_words(workspace: Workspace) -> None:
    result = ask(workspace, "kelpctl main branch")
    changes = [(one.entry, one.change) for one in result.written]
    assert changes == [("push", "hit"), ("push", "tagged")]
    tags = workspace.index().by_key["push"].entry.tags
    assert " ".join(tags) == "ship release zorbit kelpctl main branch"


def test_of_places_as_good_the_one_whose_note_was_used_is_first(workspace: Workspace) -> None:
    for number, pressure in enumerate((4, 6, 8)):
        note = workspace.root / f"pumps/{number}.md"
        note.parent.mkdir(exist_ok=True)
        note.write_text(f"# Pump\n\nThe pump of hall {number} runs at {pressure} bar.\n")
    question = "at how many bar does the pump run"
    before = ask(workspace, question, write=False)
    last = [result.path for result in before.results if result.path.startswith("pumps")][-1]
    used = f"\n### Pump\n→ {last}\n<!-- hx: id=pump | created=2026-05-01 | hits=9 | tags=pump -->\n"
    (workspace.root / "HIPPOCAMPUS.md").write_text(INDEX + used, encoding="utf-8")
    after = ask(workspace, question, write=False)
    assert after.results[0].path == last != before.results[0].path
    assert ask(workspace, question, mode="search", write=False).results[0] == before.results[0]


def test_an_unsure_answer_changes_nothing(workspace: Workspace) -> None:
    sure = workspace.config.query._replace(min_coverage_to_index=1.0)
    workspace = Workspace(workspace.root, workspace.config.replaced(query=sure))
    result = ask(workspace, "telephone of sigrid aune")
    assert result.results
    assert result.written == ()
    assert index_text(workspace) == INDEX


def test_silent_entries_are_named_and_kept_back(workspace: Workspace) -> None:
    result = ask(workspace, "ancient finances", write=False)
    assert [one.entry for one in result.suppressed] == ["ancient"]
    assert result.suppressed[0].strength < 0.1
    assert all(one.entry != "ancient" or one.source == "search" for one in result.results)


@pytest.mark.usefixtures("sure")
def test_full_search_revives_a_silent_entry(workspace: Workspace) -> None:
    result = ask(workspace, "tooling budget 12,500 euros")
    assert (result.written[0].entry, result.written[0].change) == ("ancient", "hit")
    assert workspace.index().by_key["ancient"].entry.strength == 0.6


def test_a_decaying_entry_still_answers(workspace: Workspace) -> None:
    first = ask(workspace, "nightly copies", write=False).results[0]
    assert (first.section, first.entry, first.band) == ("Backups", "copies", "decaying")


def test_a_copy_is_named_by_the_line_where_it_stands(workspace: Workspace) -> None:
    text = "- The siren sounds at 07:15 in Bern.\n"
    (workspace.root / "memory.backup.20260601").mkdir()
    for folder in ("memory", "memory.backup.20260601"):
        (workspace.root / folder / "2026-05-28.md").write_text(f"# 2026-05-28\n\n{text}")
    first = ask(workspace, "siren sounds", write=False).results[0]
    assert (first.path, first.copies) == (
        "memory/2026-05-28.md",
        ("memory.backup.20260601/2026-05-28.md:1",),
    )


def test_a_wording_without_a_word_is_none(workspace: Workspace) -> None:
    alone = ask(workspace, "nightly copies", write=False)
    said = ask(workspace, "nightly copies", phrasings=["-", " ", "?!"], write=False)
    assert (said.confidence, said.phrasings) == (alone.confidence, ())


def test_pointers_outside_are_not_followed(workspace: Workspace) -> None:
    result = ask(workspace, "passwd gone", write=False)
    assert all(not one.path.startswith("..") for one in result.results)
    assert all(one.entry != "gone" for one in result.results)


@pytest.mark.parametrize(
    ("lead", "is_gone"),
    [("nowhere.md §X", True), ("../../etc/passwd", False), ("nowhere.md | TOOLS.md", False)],
)
def test_an_entry_of_which_nothing_is_left_is_named(
    workspace: Workspace, lead: str, is_gone: bool
) -> None:
    _rewrite(workspace, "→ ../../etc/passwd | nowhere.md §X", f"→ {lead}")
    kept = ask(workspace, "passwd gone", write=False).suppressed
    reasons = [(one.cause, one.reason) for one in kept]
    assert reasons == [("gone", f"points at what is gone: {lead}")] * is_gone
    assert not ask(workspace, "passwd gone", write=False, paths=("TOOLS.md",)).suppressed


def _rewrite(workspace: Workspace, old: str, new: str) -> None:
    text = index_text(workspace)
    assert old in text
    (workspace.root / "HIPPOCAMPUS.md").write_text(text.replace(old, new))


@pytest.mark.parametrize("mode", ["hybrid", "index"])
@pytest.mark.parametrize(
    ("old", "new", "stale"),
    [
        ("§Deploy", "§Deploy", False),
        ("TOOLS.md §Deploy", "TOOLS.md", False),
        ("§Deploy", "§Deplyo", False),  # a heading like it
        ("§Deploy", "§How releases go", False),  # a renamed heading, and what it stands over
        ("id=push", "id=push | stale=2026-05-01", False),  # another pointer of it was gone
    ],
)
def test_what_is_in_the_notes_is_not_stale(
    workspace: Workspace, mode: str, old: str, new: str, stale: bool
) -> None:
    _rewrite(workspace, old, new)
    first = ask(workspace, "push zorbit release", mode=mode, write=False).results[0]
    assert (first.section, first.entry, first.stale) == ("Deploy", "push", stale)


@pytest.mark.parametrize("mode", ["hybrid", "index"])
def test_a_place_shown_for_a_section_that_is_gone_is_stale(workspace: Workspace, mode: str) -> None:
    _rewrite(workspace, "Push to production", "Xylophone tuning")
    _rewrite(workspace, "§Deploy", "§How releases go")
    first = ask(workspace, "xylophone tuning", mode=mode, write=False).results[0]
    assert (first.entry, first.stale) == ("push", True)


def test_a_place_that_search_found_is_not_stale(workspace: Workspace) -> None:
    flagged = "id=copies | stale=2026-05-01"
    for old, new in (("§Backups", "§Bakups"), ("§Bakups", "§Backups"), ("id=copies", flagged)):
        _rewrite(workspace, old, new)
        first = ask(workspace, "restic nas", mode="search", write=False).results[0]
        assert (first.entry, first.stale) == ("copies", False)
    assert ask(workspace, "wg-quick", mode="search", write=False).results[0].stale is False


def test_misspellings_are_read(workspace: Workspace) -> None:
    contact = ask(workspace, "nordfjrod contact", write=False).results[0].path
    assert contact in ("MEMORY.md", "memory/2026-05-11.md")
    assert ask(workspace, "push to productoin", write=False).results[0].section == "Deploy"


def test_modes_and_routes(workspace: Workspace) -> None:
    assert ask(workspace, "release", mode="index", write=False).route == "index"
    assert ask(workspace, "release", write=False).route == "both"
    assert ask(workspace, "wg-quick", write=False).route == "search"
    nothing = ask(workspace, "xylophone", write=False)
    assert (nothing.route, nothing.results) == ("none", ())
    some = "push zorbit ship release to production and the restic nas at 01:40 nightly"
    shown = ask(workspace, some, mode="index", write=False).results
    assert {one.section for one in shown} == {"Deploy", "Backups"}  # each has a word at least


def test_filters(workspace: Workspace) -> None:
    def paths(**conditions: object) -> set[str]:
        return {
            one.path
            for one in ask(workspace, "sigrid aune nordfjord", write=False, **conditions).results
        }

    assert paths() == {"MEMORY.md", "memory/2026-05-11.md"}
    assert paths(kinds=["daily"]) == {"memory/2026-05-11.md"}
    assert paths(paths=["MEMORY.md"]) == {"MEMORY.md"}
    assert paths(since=date(2026, 5, 1)) == {"memory/2026-05-11.md"}
    assert paths(until=date(2026, 4, 1)) == set()
    assert paths(tags=["ship"]) == set()
    assert ask(workspace, "release", tags=["Ship"], write=False).results[0].entry == "push"
    assert ask(workspace, "release", kinds=["daily"], write=False).results == ()


def test_limit_and_token_budget(workspace: Workspace) -> None:
    long = "## Log\n\n" + "".join(f"- line {n} of the restic journal\n" for n in range(400))
    (workspace.root / "memory/2026-05-20.md").write_text(long + "- the needle is restic here\n")
    result = ask(workspace, "needle restic", write=False, tokens=60)
    assert result.tokens <= 60
    assert "the needle is restic here" in result.results[0].text
    assert len(ask(workspace, "restic", write=False, limit=1).results) == 1
    first = result.results[0]
    lines = (workspace.root / first.path).read_text().splitlines()
    assert first.text.splitlines() == lines[first.start_line - 1 : first.end_line]


def test_what_changed_on_disk_is_seen_at_once(workspace: Workspace) -> None:
    ask(workspace, "restic", write=False)
    (workspace.root / "TOOLS.md").write_text("# Tools\n\n## Copies\n\nborg now.\n")
    assert ask(workspace, "borg", write=False).results[0].section == "Copies"
    assert all("restic" not in one.text for one in ask(workspace, "restic", write=False).results)


def test_dates_are_understood(workspace: Workspace) -> None:
    result = ask(workspace, "what happened on 12 March", write=False)
    assert result.results[0].path == "memory/2026-03-12.md"


@pytest.mark.usefixtures("sure")
def test_a_read_only_workspace_is_served_with_a_notice(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("hippocampus_cli.workspace.atomic._write_synced", refuse)
    result = ask(workspace, "push to production")
    assert result.results[0].section == "Deploy" and result.written == ()
    (notice,) = result.notices
    assert notice.startswith("not written back: HIPPOCAMPUS.md: cannot write: Permission denied;")
    assert index_text(workspace) == INDEX


def test_a_note_that_cannot_be_read_is_named_by_check_and_status(workspace: Workspace) -> None:
    (workspace.root / "TOOLS.md").write_bytes(b"de\0ploy")
    (workspace.root / "big.md").write_bytes(b"deploy " * 300_000)
    assert not ask(workspace, "deploy kelpctl").notices
    found = [each.path for each in workspace.at(NOW).check().diagnostics if each.code == "unread"]
    assert (
        found == ["TOOLS.md", "big.md"] == [path for path, _ in workspace.at(NOW).status().unread]
    )


@pytest.mark.usefixtures("permissions_bind")
@pytest.mark.usefixtures("sure")
def test_a_forbidden_note_leaves_nothing_sure(workspace: Workspace) -> None:
    assert ask(workspace, "kelpctl release prod", write=False).sure == "sure"
    for path in ("TOOLS.md", "MEMORY.md"):  # what was read before, and what was not
        (workspace.root / path).chmod(0)
    os.utime(workspace.root / "MEMORY.md", (0, 0))
    result = ask(workspace, "kelpctl release prod", write=False)
    unread = [path for path, _ in workspace.at(NOW).status().unread]
    assert (result.notices, unread) == ((), ["MEMORY.md", "TOOLS.md"])
    assert result.sure != "sure"


@pytest.mark.usefixtures("sure")
def test_the_best_place_that_cannot_be_read_leaves_nothing_sure(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workspace.root / "other.md").write_text("# Other\n\nA release, once.\n")
    assert ask(workspace, "kelpctl release prod", write=False).sure == "sure"
    note = Library.note

    def forbidden(self: Library, path: str) -> Note:
        if path == "TOOLS.md":
            raise FileUnreadable(path=path, reason="Permission denied")
        return note(self, path)

    monkeypatch.setattr(Library, "refresh", lambda self: None)  # it is still there when searched
    monkeypatch.setattr(Library, "note", forbidden)
    result = ask(workspace, "kelpctl release prod")
    assert (result.results[0].path, result.sure) == ("other.md", "unsure")
    assert result.notices == ("could not be read: TOOLS.md (hippo check says why)",)


@pytest.mark.parametrize(
    "text",
    [
        *('"', "AND OR NOT", "* ^ : -", "(((", "the", "→ §", "\udcff", "\x1b[31m", "日本語"),
        *("a" * 100_000, "deploy " * 20_000),
    ],
)
def test_hostile_queries_are_harmless(workspace: Workspace, text: str) -> None:
    result = ask(workspace, text, write=False)
    assert result.route in ("none", "search", "index", "both")


@pytest.mark.parametrize("text", ["\ud800 deploy", "\udcff deploy", "deploy \udfff\ud800"])
def test_what_is_no_character_is_passed_over(workspace: Workspace, text: str) -> None:
    result = ask(workspace, text, write=False)
    assert result.results[0].section == "Deploy"
    assert result.query.encode()


@pytest.mark.parametrize(
    "values", [{"text": "\n\t "}, {"tokens": 1.5}, {"limit": "5"}, {"tokens": 0}]
)
def test_no_words_and_limits_that_are_no_whole_numbers_are_usage_errors(
    workspace: Workspace, values: dict[str, object]
) -> None:
    with pytest.raises(UsageError):
        workspace.query(**{"text": "deploy", **values})  # type: ignore[arg-type]


def test_no_index_and_no_workspace(tmp_path: Path, workspace: Workspace) -> None:
    (workspace.root / "HIPPOCAMPUS.md").unlink()
    with pytest.raises(IndexNotFound):
        ask(workspace, "deploy", mode="index")
    found = ask(workspace, "kelpctl")  # the text is searched, and that is said
    assert found.results[0].section == "Deploy"
    assert "only the text was searched" in found.notices[0]
    assert not (workspace.root / "HIPPOCAMPUS.md").exists()
    assert ask(workspace, "kelpctl", mode="search").results[0].section == "Deploy"
    with pytest.raises(WorkspaceNotFound):
        open_workspace(tmp_path / "nowhere")


def test_an_entry_that_never_closes_answers_but_is_not_touched(workspace: Workspace) -> None:
    text = INDEX + "\n### Broken one\n→ TOOLS.md §VPN\n<!-- hx: id=broken | hits=2 | tags=tunnel\n"
    (workspace.root / "HIPPOCAMPUS.md").write_text(text)
    result = ask(workspace, "broken tunnel")
    assert result.results[0].section == "VPN"
    assert index_text(workspace) == text


@pytest.mark.usefixtures("sure")
def test_the_journal_records_queries(workspace: Workspace) -> None:
    ask(workspace, "push to production")
    (line,) = (workspace.root / ".hippocampus/journal/2026-06.jsonl").read_text().splitlines()
    assert '"query":"push to production"' in line
    assert '"used":["push"]' in line


def test_a_weak_entry_is_believed_less_where_search_does_not_confirm_it(
    workspace: Workspace,
) -> None:
    weak = INDEX.replace(
        "accessed=2026-05-30 | hits=3 | str=0.80 | base=0.90", "accessed=2026-05-01 | base=0.90"
    )
    (workspace.root / "HIPPOCAMPUS.md").write_text(weak)
    doubted = ask(workspace, "zorbit", write=False, mode="index").results[0]
    (workspace.root / "HIPPOCAMPUS.md").write_text(INDEX)
    trusted = ask(workspace, "zorbit", write=False, mode="index").results[0]
    assert doubted.entry == trusted.entry == "push"
    assert doubted.score < trusted.score / 1.5
    assert "not confirmed by search" in doubted.reasons[0]


@pytest.mark.parametrize("text", ["what is it", "how do I", "the of and"])
def test_words_that_say_nothing_change_nothing(workspace: Workspace, text: str) -> None:
    (workspace.root / "memory/2026-05-21.md").write_text(
        "## What is it and how do I\n\nThe of and what it is.\n"
    )
    result = ask(workspace, text)
    assert result.results and result.sure == "unsure"
    assert result.written == ()
    assert index_text(workspace) == INDEX


def test_what_is_not_sure_strengthens_nothing(workspace: Workspace) -> None:
    bold = workspace.config.query._replace(min_coverage_to_index=0.1)
    workspace = Workspace(workspace.root, workspace.config.replaced(query=bold))
    result = ask(workspace, "restic NAS quixotic zeppelin jamboree")
    assert (result.sure, result.results[0].section) == ("unsure", "Backups")
    assert result.written == ()
    result = ask(workspace, "zorbit quixotic")
    assert (result.sure, result.written) == ("unsure", ())


def test_conditions_hold_for_beliefs_too(workspace: Workspace, hippo: Hippo) -> None:
    at = ("-w", str(workspace.root))
    hippo("remember", *at, "--believe", "The relay listens on 7071")
    today = datetime.now(UTC).date().isoformat()
    for option, count in (
        (("--since", today), 1),
        (("--since", "2100-01-01"), 0),
        (("--type", "daily"), 0),
    ):
        ran = hippo("query", *at, "--no-write", "--json", "relay", *option, code=None)
        assert len(json.loads(ran.out).get("beliefs", ())) == count


def test_what_was_taken_back_is_neither_a_copy_nor_an_earlier_place(workspace: Workspace) -> None:
    for day, told in (("01", "~~{}1.~~"), ("02", "~~{}0.~~"), ("03", "{}1.")):
        text = told.format("The quillon relay listens on 707")
        (workspace.root / f"memory/2026-04-{day}.md").write_text(f"# Relay\n\n{text}\n")
    first, *others = ask(workspace, "quillon relay", write=False).results
    assert (first.path, first.copies, first.earlier) == ("memory/2026-04-03.md", (), ())
    assert {place.superseded for place in others} == {"struck through"}


def test_a_word_read_as_another_teaches_nothing(workspace: Workspace) -> None:
    result = ask(workspace, "resstic nightt")
    assert result.results[0].section == "Backups"
    assert result.written == ()
    again = ask(workspace, "restic nightt NAS")
    assert {one.change for one in again.written} <= {"hit"}


def test_a_long_line_is_cut_around_the_match(workspace: Workspace) -> None:
    line = "alpha beta gamma " * 40_000 + "the walrus sleeps " + "delta " * 40_000
    (workspace.root / "memory/2026-05-22.md").write_text(f"## Zoo\n\n{line}\n")
    result = ask(workspace, "walrus", tokens=100)
    first = result.results[0]
    assert "walrus" in first.text
    assert first.text.startswith("…")
    assert first.text.endswith("…")
    assert first.tokens <= 100
    assert (first.start_line, first.end_line) == (3, 3)
    assert result.written == ()  # one endless line has nearly any words


def test_places_without_room_for_their_text_are_left_out(workspace: Workspace) -> None:
    result = ask(workspace, "sigrid aune", write=False, tokens=5)
    assert [bool(one.text) for one in result.results] == [True]
    assert result.tokens <= 5


@pytest.mark.usefixtures("sure")
def test_a_file_name_with_spaces_at_its_ends_gets_one_entry(workspace: Workspace) -> None:
    (workspace.root / " lead.md").write_text("## Zebra and lions\n\nZebra lions savanna.\n")
    assert [one.change for one in ask(workspace, "zebra lions savanna").written] == ["created"]
    assert [one.change for one in ask(workspace, "zebra lions savanna").written] == ["hit"]


@pytest.mark.parametrize("text", ["help", "happened", "contact"])
def test_a_single_word_found_by_search_alone_strengthens_nothing(
    workspace: Workspace, text: str
) -> None:
    (workspace.root / "memory/2026-05-23.md").write_text(
        "## Chat\n\nHelp was asked for and it happened.\n"
    )
    assert ask(workspace, text).written == ()
    assert index_text(workspace) == INDEX


@pytest.mark.usefixtures("sure")
def test_a_single_word_that_the_index_has_is_a_hit(workspace: Workspace) -> None:
    assert [(one.entry, one.change) for one in ask(workspace, "zorbit").written] == [
        ("push", "hit")
    ]


@pytest.mark.usefixtures("sure")
def test_a_new_entry_bears_the_day_of_its_note_and_was_made_today(workspace: Workspace) -> None:
    (workspace.root / "memory/2026-02-02.md").write_text(
        "# 2026-02-02\n\n## Notes\n\nThe kiln needs argon bottles.\n"
    )
    (written,) = ask(workspace, "kiln argon bottles").written
    entry = workspace.index().by_key[written.entry].entry
    assert "2026-02-02" in entry.topic
    assert "2026-06-01" not in entry.topic
    assert (entry.created, entry.accessed) == (date(2026, 6, 1), None)  # nobody asked for it
    assert entry.strength is entry.base is None  # the whole of it


SIREN = "# HIPPOCAMPUS.md\n\n## Siren\n→ notes.md §Siren\n<!-- hx: id=siren | hits=0 | str=0.50 | base=0.50 -->\n"


def test_eight_queries_at_once_lose_no_hit(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n\n## Siren\n\nThe siren sounds at noon.\n")
    (tmp_path / "HIPPOCAMPUS.md").write_text(SIREN)
    given = {**os.environ, "HIPPO_NOW": "2026-06-01T12:00:00+00:00"}
    command = [sys.executable, "-m", "hippocampus_cli", "query", "siren", "-w", str(tmp_path)]
    asking = [
        subprocess.Popen(command, env=given, stdout=subprocess.DEVNULL, cwd=tmp_path)
        for _ in range(8)
    ]
    assert [one.wait(timeout=60) for one in asking] == [0] * 8
    text = (tmp_path / "HIPPOCAMPUS.md").read_text()
    # 0.1 for the day's first, 0.02 for each of seven more
    assert "hits=8 | str=0.74 | base=0.74" in text
    journal = (tmp_path / ".hippocampus/journal/2026-06.jsonl").read_text().splitlines()
    assert len(journal) == 8


def test_a_few_words_are_looked_for_in_the_language_of_the_notes(tmp_path: Path) -> None:
    said = "El nuevo dominio es growthsuite.mx y lo compramos en la tienda de Porkbun."
    (tmp_path / "a.md").write_text(f"# Dominios\n\n{said}\n")
    (tmp_path / "b.md").write_text(
        "# Things\n\nThe nuevo is what they call it in the dominio of the kitchen.\n"
    )
    with open_workspace(tmp_path) as opened:
        assert "growthsuite" in opened.at(NOW).query("nuevo dominio").results[0].text
