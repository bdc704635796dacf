"""What is forgotten goes out of everything that is hippo's own, and stays out; ``tests/attacks`` has more."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import time
import zipfile
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hippocampus_cli.api.workspace import Workspace
from hippocampus_cli.config import Config
from hippocampus_cli.context.lifecycle.context_session import ContextSessions
from hippocampus_cli.context.originals import keep_messages
from hippocampus_cli.context.transcripts import Message
from hippocampus_cli.errors import (
    IndexShrunk,
    NothingToForget,
    NothingToUndo,
    OutsideWorkspace,
    SessionNotFound,
)
from hippocampus_cli.maintenance import scrub, upkeep
from hippocampus_cli.maintenance.branches import without_forgotten
from hippocampus_cli.maintenance.forgotten_state import is_finished
from hippocampus_cli.maintenance.holders import lines_without
from hippocampus_cli.maintenance.upkeep import Upkeep
from hippocampus_cli.redaction.phrases import ForgottenText
from hippocampus_cli.redaction.redactor import Redactor
from hippocampus_cli.workspace import tombstones
from hippocampus_cli.workspace.own_files import FORGOTTEN, ORIGINALS
from hippocampus_cli.workspace.store import IndexStore
from hippocampus_cli.workspace.tombstones import Forgotten, Tombstone

NOW = datetime(2026, 8, 1, 9, tzinfo=UTC)
KEY = "sk-live-51HxQp0a9Zr"
NOTES = {
    "TOOLS.md": f"# Tools\n\n## Vault\n\nThe vault takes {KEY} since May.\n\n## Lamp\n\nThe lamp is green.\n",
    "memory/2026-07-30.md": "# 2026-07-30\n\n## Pier\n\nAnna told me on the pier that she leaves Robert.\n",
    "memory/2026-07-31.md": "# 2026-07-31\n\n## Garden\n\nWe planted a lemon tree behind the house.\n",
}


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("used")
    for name, text in NOTES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with Workspace(root, Config()) as opened:
        opened.at(NOW).bootstrap()
        for question in ("vault", "Anna on the pier", "lemon tree"):
            opened.at(NOW).query(question)
        opened.at(NOW).upkeep.run("weekly")
    return root


@pytest.fixture
def workspace(used: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return Workspace(shutil.copytree(used, tmp_path, dirs_exist_ok=True), Config())


def held(root: Path, *texts: str) -> list[str]:
    """The files of hippo's own that hold one of these, archives unpacked."""
    found = []
    for path in (root / "HIPPOCAMPUS.md", *(root / ".hippocampus").rglob("*")):
        if not path.is_file():
            continue
        datas: Iterable[bytes] = [path.read_bytes()]
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                datas = [archive.read(name) for name in archive.namelist()]
        low = b"\0".join(datas).lower()
        if any(text.lower().encode() in low for text in texts):
            found.append(path.relative_to(root).as_posix())
    return found


def test_a_text_goes_and_so_do_the_archives_that_held_it(workspace: Workspace) -> None:
    assert len(held(workspace.root, KEY)) >= 2
    done = workspace.at(NOW).upkeep.forget(KEY)
    assert done.number == 1
    assert done.found.places >= 3
    assert held(workspace.root, KEY) == []
    assert KEY in (workspace.root / "TOOLS.md").read_text()
    with pytest.raises(NothingToUndo, match="what was forgotten since cannot come back"):
        workspace.at(NOW).upkeep.undo(1)
    (workspace.root / "HIPPOCAMPUS.md").unlink()
    restored = workspace.at(NOW).upkeep.restore_index()  # a snapshot was made anew
    assert restored.exact and restored.entries == 3


@pytest.mark.parametrize("notes", [True, False])
def test_an_entry_of_hippos_own_is_written_anew_and_keeps_what_a_person_gave_it(
    workspace: Workspace, notes: bool
) -> None:
    workspace.at(NOW).entries.tag("tools", add=["money", "qx77zz123"], priority="amygdala")
    path = workspace.root / "TOOLS.md"
    path.write_text(path.read_text().replace("since May", "since May, or Qx77zz123,"))
    before = workspace.store.read().by_key["tools"].entry
    for text in (KEY, "Qx77zz123", "2026-07-31"):  # the last is a note's name
        workspace.at(NOW).upkeep.forget(text, notes=notes)
    assert [*workspace.store.read().pointers] == ["TOOLS.md", "memory/2026-07-30.md"]
    after = workspace.store.read().by_key["tools"].entry
    assert (after.hits, after.pri, after.src) == (
        before.hits,
        before.pri,
        before.src,
    ) and after.hits
    assert "money" in after.tags and "qx77zz123" not in after.tags
    assert after.summary.startswith("The vault takes") and "[redacted" not in after.raw
    path.write_text(path.read_text().replace("The vault takes", "The safe takes"))
    workspace.at(NOW + timedelta(days=1)).upkeep.run("daily")
    assert workspace.store.read().by_key["tools"].entry.summary.startswith("The safe takes")


def test_a_dry_run_changes_nothing(workspace: Workspace) -> None:
    before = {path: path.read_bytes() for path in workspace.root.rglob("*") if path.is_file()}
    done = workspace.at(NOW).upkeep.forget(KEY, dry_run=True)
    assert done.number is None
    assert {one.name for one in done.found.holders} >= {"HIPPOCAMPUS.md", "history"}
    after = {path: path.read_bytes() for path in workspace.root.rglob("*") if path.is_file()}
    assert after == before


def test_the_pointer_of_a_redacted_heading_still_leads_there(workspace: Workspace) -> None:
    path = workspace.root / "TOOLS.md"
    path.write_text(path.read_text().replace("## Lamp", "## Lamp Qx77zz123 upstairs"))
    workspace.at(NOW).upkeep.run("daily")
    workspace.at(NOW).upkeep.forget("Qx77zz123")
    outcome = workspace.at(NOW + timedelta(days=1)).upkeep.run("daily")
    assert [one for one in outcome.actions if one.kind.value in ("add", "flag")] == []


def test_notes_lose_the_text_and_nothing_else(workspace: Workspace) -> None:
    (workspace.root / "HIPPOCAMPUS.md").chmod(0o640)
    workspace.at(NOW).upkeep.forget(KEY, notes=True)
    assert os.name != "posix" or (workspace.root / "HIPPOCAMPUS.md").stat().st_mode & 0o777 == 0o640
    assert (workspace.root / "TOOLS.md").read_text() == NOTES["TOOLS.md"].replace(KEY, "")


def test_a_memory_goes_with_its_heading_and_its_entry(workspace: Workspace) -> None:
    text = "The spare key of Kessler lies under the blue stone"
    for words in (text, "The gate is green"):
        log = workspace.root / workspace.at(NOW).remember(words).path
    workspace.at(NOW).upkeep.forget(text, notes=True)
    heads = [line for line in log.read_text().splitlines() if line.startswith("## ")]
    assert [head.split(maxsplit=2)[2:] for head in heads] == [["The gate is green"]]
    assert not any("redacted" in one.entry.topic for one in workspace.index().entries)
    assert not workspace.check().diagnostics


def test_pointers_lead_to_what_is_left_of_a_section(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text(
        "# Memory\n\n## Plan of the quartz lantern\n\nIt opens the gate at nine.\n\n"
        "## Quartz lantern\n\nIt hangs in the cabin by the door.\n\n"
        "## Cellar\n\nquartz lantern\n\n## Ships\n\nThe falcon sails on Tuesdays.\n",
        encoding="utf-8",
    )
    opened = Workspace(tmp_path, Config())
    opened.at(NOW).bootstrap()
    opened.at(NOW).upkeep.forget("quartz lantern", notes=True)
    index = (tmp_path / "HIPPOCAMPUS.md").read_text(encoding="utf-8")
    assert not opened.check().diagnostics
    assert "quartz lantern" not in index.lower() and "Ships" in index


def test_an_entry_by_hand_keeps_its_other_words(workspace: Workspace) -> None:
    index = workspace.root / "HIPPOCAMPUS.md"
    by_hand = f"#### Vault, by Ines\nAsk Ines, not {KEY}.\n→ TOOLS.md §Vault\n<!-- hx: id=by-hand | rel=pier -->\n"
    index.write_text(index.read_text().replace("## Decay Queue", by_hand + "\n## Decay Queue"))
    workspace.at(NOW).upkeep.forget(KEY)
    entry = workspace.store.read().by_key["by-hand"].entry
    assert (entry.topic, entry.rel) == ("Vault, by Ines", ("pier",))
    assert entry.summary.startswith("Ask Ines, not [redacted")


def test_a_note_goes_with_its_entries_and_its_lines_elsewhere(workspace: Workspace) -> None:
    (workspace.root / ".gitignore").write_text("*.log\n")  # verdicts of it are kept by path
    keeper = ContextSessions(workspace.root, Config(), NOW)
    keeper.begin("one")
    line = "Anna told me on the pier that she leaves Robert."
    keeper.add("one", f"cat\n{line}\n".encode())
    workspace.at(NOW).upkeep.forget(path="memory/2026-07-30.md")
    assert held(workspace.root, "2026-07-30.md", "leaves Robert", "2026-07-30-pier") == []
    assert len(workspace.at(NOW).entries.list()) == 2
    for cycle in ("daily", "weekly"):
        workspace.at(NOW + timedelta(days=1)).upkeep.run(cycle)
    workspace.at(NOW + timedelta(days=1)).bootstrap()
    assert workspace.at(NOW).query("Anna pier").results == ()
    assert held(workspace.root, "2026-07-30.md", "leaves Robert") == []
    assert (workspace.root / "memory/2026-07-30.md").exists()


def test_what_a_kept_note_says_too_is_not_forgotten_by_a_path(workspace: Workspace) -> None:
    said = "## Scoutly, the startup from Bergen\n\nThey sell maps of harbours to small boats."
    for name, more in (("a", "Robert met them."), ("b", " They like tea.")):
        (workspace.root / f"memory/{name}.md").write_text(f"# {name}\n\n{said}{more}\n")
    workspace.at(NOW).bootstrap()
    workspace.at(NOW).upkeep.forget(path="memory/a.md")
    index = workspace.store.read(archive=True)
    assert index.header and index.header.entries == len(index.entries)
    assert workspace.store.loss(index) is None
    [[entry, _]] = index.pointers["memory/b.md"]
    assert "memory/a.md" not in index.pointers and "[redacted" not in entry.entry.raw
    assert "sell maps of harbours to small boats" in entry.entry.summary
    assert workspace.at(NOW + timedelta(days=1)).upkeep.run("daily").actions == ()
    assert held(workspace.root, "memory/a.md") == []


def test_an_entry_by_hand_whose_id_names_it_gets_another_and_relations_follow(
    workspace: Workspace,
) -> None:
    entries = workspace.at(NOW).entries
    entries.add("A lamp", ["TOOLS.md §Lamp"], id="lamp-of-ompaloompia")
    entries.add("Another lamp", ["TOOLS.md §Lamp"], id="ompaloompia-lamp-of")
    entries.add("Light", ["TOOLS.md"], rel=["lamp-of-ompaloompia"])
    assert workspace.at(NOW).upkeep.forget("Ompaloompia").number == 1
    index = workspace.store.read(archive=True)
    [renamed] = [key for key in index.by_key if index.by_key[key].entry.topic == "A lamp"]
    assert index.by_key["light"].entry.rel == (renamed,)
    assert held(workspace.root, "ompaloompia") == []
    assert workspace.store.loss(index) is None and workspace.check().errors == 0


def test_a_whole_folder_and_its_files(workspace: Workspace) -> None:
    workspace.at(NOW).upkeep.forget(path="memory", notes=True)
    assert not list((workspace.root / "memory").iterdir())
    assert held(workspace.root, "lemon", "robert") == []


def test_a_session_goes(workspace: Workspace) -> None:
    keeper = ContextSessions(workspace.root, Config(), NOW)
    keeper.begin("one")
    keeper.add("one", b"a result")
    with pytest.raises(SessionNotFound):
        workspace.at(NOW).upkeep.forget(session="two")
    workspace.at(NOW).upkeep.forget(session="one")
    assert not list((workspace.root / ".hippocampus/sessions").iterdir())


def test_the_originals_of_a_session_go_with_it_wherever_they_are(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("sys.platform", "linux")
    user = tmp_path / "data/hippo"
    for root in (workspace.root, user):
        for session in ("s-one", "s-two"):
            raw = {"role": "user", "content": f"Robert has the lamp of {session}."}
            message = Message("m1", "user", (), raw)
            keep_messages(root, session, [message])
    found = workspace.at(NOW).upkeep.forget(session="s-one")
    assert {one.name for one in found.found.holders} >= {"copies outside of workspaces"}
    for root in (workspace.root, user):
        kept = [path.read_text() for path in (root / ORIGINALS).glob("*")]
        assert len(kept) == 1 and "s-two" in kept[0] and "s-one" not in kept[0]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "gzip", "json"])
def test_other_encodings_in_a_session(workspace: Workspace, encoding: str) -> None:
    keeper = ContextSessions(workspace.root, Config(), NOW)
    keeper.begin("one")
    text = f"the vault takes {KEY} now"
    if encoding == "gzip":
        data = gzip.compress(text.encode())
    elif encoding == "json":
        data = json.dumps({"inner": json.dumps({"text": f"a\n{KEY}\n"})}).encode()
    else:
        data = text.encode(encoding)
    folder = workspace.root / ".hippocampus/sessions/one/content"
    folder.mkdir(parents=True)
    (folder / ("0" * 64)).write_bytes(data)
    (folder / ("1" * 64)).write_text("the lamp is green")
    database = workspace.root / ".hippocampus/cache/old.sqlite"
    database.write_bytes(b"\0\1" + "Crème  BRÛLÉE".encode() + b"\0")
    assert workspace.at(NOW).upkeep.forget("creme brulee").found.places == 1
    assert not database.exists()  # what a database alone holds goes too
    workspace.at(NOW).upkeep.forget(KEY)
    assert [path.name for path in folder.iterdir()] == ["1" * 64]


def test_what_a_sync_brings_back_goes_at_the_next_cycle(workspace: Workspace) -> None:
    old = (workspace.root / "HIPPOCAMPUS.md").read_bytes()
    archives = sorted((workspace.root / ".hippocampus/history").glob("*.zip"))
    kept = archives[0].read_bytes()
    workspace.at(NOW).upkeep.forget(KEY, notes=True)
    (workspace.root / "HIPPOCAMPUS.md").write_bytes(old)
    archives[0].write_bytes(kept)
    workspace.at(NOW).upkeep.run("daily")
    assert held(workspace.root, KEY) == []


@pytest.mark.parametrize("again", ["daily", "forget"])
@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (upkeep, "scrub"),
        (scrub, "_remove_leftovers"),
        (Upkeep, "_carry_out"),
        (IndexStore, "_copy"),
    ],
)
def test_what_a_killed_run_left_is_done_by_the_next_and_nothing_counts_as_lost(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, owner: object, name: str, again: str
) -> None:
    own = workspace.root / ".hippocampus/journal/.2026-08.jsonl.77.hippo-tmp"
    beside = workspace.root / "memory/.2026-07-30.md.77-0.hippo-tmp"  # what a note was before
    for leftover in (own, beside):
        leftover.write_text(KEY)
    with monkeypatch.context() as patched:
        patched.setattr(owner, name, _killed)
        with pytest.raises(KeyboardInterrupt):
            workspace.at(NOW).upkeep.forget(KEY)
    if again == "daily":
        assert not is_finished(workspace.root)
        assert (
            workspace.at(NOW).upkeep.run("daily").actions == ()
        )  # no part of what undo takes back
    else:
        workspace.at(NOW).upkeep.forget("lemon tree")
    index = workspace.store.read(archive=True)
    assert is_finished(workspace.root) and held(workspace.root, KEY) == []
    assert not beside.exists()
    assert workspace.store.loss(index) is None and "TOOLS.md" in index.pointers


def _killed(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_who_has_the_workspace_open_asks_on(workspace: Workspace) -> None:
    (workspace.root / ".hippoignore").write_text("drafts/\n", encoding="utf-8")
    assert workspace.at(NOW).query("lemon tree", write=False).results
    with Workspace(workspace.root, Config()) as other:
        other.at(NOW).upkeep.forget("pier")
    assert workspace.at(NOW).query("lemon tree", write=False).results


def test_a_damaged_archive_is_named(workspace: Workspace) -> None:
    path = workspace.root / ".hippocampus/history/0000-old.zip"
    path.write_bytes(b"PK\x03\x04 is no archive")
    assert workspace.at(NOW).upkeep.forget(KEY).damaged == (".hippocampus/history/0000-old.zip",)


def test_a_tombstone_can_be_taken_away(workspace: Workspace) -> None:
    workspace.at(NOW).upkeep.forget(path="memory/2026-07-31.md")
    assert workspace.at(NOW).query("lemon tree", mode="search").results == ()
    workspace.upkeep.unforget(1)
    assert workspace.upkeep.forgotten() == []
    assert workspace.at(NOW).query("lemon tree", mode="search").results
    with pytest.raises(NothingToForget):
        workspace.upkeep.unforget(1)


def test_what_is_out_of_reach_is_named(workspace: Workspace) -> None:
    home, root = workspace.root / "home", workspace.root
    (root / ".git").mkdir()
    (home / ".claude").mkdir(parents=True)
    with workspace.at(NOW).private() as private:
        private.remember(f"The key of the boat is {KEY}.")
    done = workspace.at(NOW).upkeep.forget(KEY)
    beyond = {one.what: one for one in done.found.beyond}
    assert beyond["the private tier"].commands == (
        f"hippo forget {KEY} --workspace {private.root}",
    )
    assert private.at(NOW).upkeep.forget(KEY, notes=True).found.notes
    assert held(private.root, KEY) == []
    assert beyond["the notes themselves"].files == ("TOOLS.md",)
    assert beyond["the notes themselves"].commands == (f"hippo forget {KEY} --notes",)
    look = f"grep -rliF -- {KEY} {home / '.claude'}"
    assert beyond["transcripts of Claude Code"].commands == (look,)
    assert beyond["files that are not notes"].commands == (f"grep -rliF -- {KEY} {root}",)
    assert any("filter-repo" in one for one in beyond["the history of git"].commands)
    assert "transcripts of Pi" not in beyond


def test_a_session_in_tombstones_from_elsewhere_leads_nowhere_else(workspace: Workspace) -> None:
    stones = [Tombstone(1, NOW, "session", session="../../memory")]
    tombstones.change(workspace.root, 5, lambda there: stones)
    workspace.at(NOW).upkeep.run("daily")
    assert len(list((workspace.root / "memory").iterdir())) == 2


def test_what_is_remembered_in_a_forgotten_log_is_written_and_said_to_be_lost(
    workspace: Workspace,
) -> None:
    workspace.at(NOW).remember("the lamp is blue")
    workspace.at(NOW).upkeep.forget(path="memory/2026-08-01.md")
    done = workspace.at(NOW).remember("the lamp is red")
    assert done.entry is None
    assert "was forgotten" in done.notices[0]
    assert "the lamp is red" in (workspace.root / "memory/2026-08-01.md").read_text()
    assert held(workspace.root, "lamp is red") == []


def test_an_index_that_shrank_comes_first(tmp_path: Path) -> None:
    with _small(tmp_path) as ws:
        (tmp_path / "HIPPOCAMPUS.md").write_text("")
        with pytest.raises(IndexShrunk):
            ws.at(NOW).upkeep.forget("bluebell lane")
        assert ws.upkeep.forgotten() == []


def test_a_branch_from_before_brings_nothing_back(tmp_path: Path) -> None:
    with _small(tmp_path) as ws:
        theirs = (tmp_path / "HIPPOCAMPUS.md").read_text()
        assert "bluebell" in theirs.casefold()
        ws.at(NOW).upkeep.forget("bluebell lane")
    after = without_forgotten(tmp_path, "HIPPOCAMPUS.md", [theirs])
    assert "bluebell lane" not in after[0].casefold()


def test_tombstones_that_lead_out_are_not_read(tmp_path: Path) -> None:
    outside = tmp_path / "outside.jsonl"
    outside.write_text("")
    root = tmp_path / "ws"
    root.mkdir()
    with _small(root) as ws:
        (root / ".hippocampus/forgotten.jsonl").symlink_to(outside)
        with pytest.raises(OutsideWorkspace):
            ws.upkeep.forgotten()


def _small(root: Path) -> Workspace:
    (root / "MEMORY.md").write_text("# M\n\n## Bluebell lane\n\nThe gate code of bluebell lane.\n")
    workspace = Workspace(root, Config())
    workspace.at(NOW).bootstrap()
    return workspace


def test_nothing_is_forgotten_by_itself(workspace: Workspace) -> None:
    path = workspace.root / "TOOLS.md"
    note = path.read_text()
    path.write_text(f"{note}\n## Mail\n\npassword: Tulip77!x\n\nThe ferry leaves at nine.\n")
    workspace.at(NOW + timedelta(days=1)).upkeep.run("daily")
    path.write_text(note)
    outcome = workspace.at(NOW + timedelta(days=2)).upkeep.run("daily")
    assert (workspace.upkeep.forgotten(), outcome.notices) == ([], ())
    assert held(workspace.root, "Tulip77!x") == []  # it never was in a file of hippo's own
    (workspace.root / "memory/2026-07-30.md").unlink()
    workspace.at(NOW + timedelta(days=3)).upkeep.run("daily")
    assert workspace.upkeep.forgotten() == []


def test_what_older_versions_forgot_by_themselves_comes_back(workspace: Workspace) -> None:
    def as_older_versions_did(there: Forgotten) -> list[Tombstone]:
        phrases = [
            tuple(there.hashes.phrase((word,)) for word in words)
            for words in (("lemon", "garden"), ("vault",))
        ]
        return [
            Tombstone(1, NOW, "removed", 4, phrases[0]),
            Tombstone(2, NOW, "text", 1, phrases[1]),
        ]

    tombstones.change(workspace.root, 5, as_older_versions_did)
    assert b"removed" in (workspace.root / FORGOTTEN).read_bytes()
    workspace.at(NOW + timedelta(days=1)).upkeep.run("daily")
    assert [(one.number, one.sort) for one in workspace.upkeep.forgotten()] == [(2, "text")]
    assert workspace.at(NOW).query("lemon tree", write=False).results
    assert "HIPPOCAMPUS.md" in held(workspace.root, "lemon tree behind the house")
    assert "HIPPOCAMPUS.md" not in held(workspace.root, "vault")
    workspace.upkeep.unforget(2)
    assert b"removed" not in (workspace.root / FORGOTTEN).read_bytes()


def test_many_matches_in_one_long_text_take_time_in_proportion() -> None:
    needle = ForgottenText("siren")
    text = "the siren howls\n" * 20_000
    started = time.process_time()
    assert len(Redactor([needle]).spans(text)) == 20_000
    assert {left for _, left in lines_without(needle, text)} == {"the  howls\n"}
    assert time.process_time() - started < 20  # minutes, if each match looks at every word or line
