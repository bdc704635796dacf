from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bench.errors import DatasetInvalid
from bench.questions import load_questions
from bench.workspace import Plan, Report, copy_workspace, findings, run
from hippocampus_cli.config import Config
from hippocampus_cli.workspace.note import Note

ACME = Path(__file__).parents[1] / "workspaces/acme"
NOW = datetime(2026, 2, 1, 9, tzinfo=UTC)
QUESTIONS = """
[[query]]
text = "how do we deploy"
kind = "exact"
gold = [{ path = "TOOLS.md" }]

[[query]]
text = "favourite zebra of the admiral"
kind = "absent"
gold = []
"""


def state(root: Path) -> dict[str, tuple[bytes, int]]:
    files = (path for path in root.rglob("*") if path.is_file())
    return {str(p): (p.read_bytes(), p.stat().st_mtime_ns) for p in files}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    root = tmp_path_factory.mktemp("acme") / "acme"
    shutil.copytree(ACME, root)
    before = state(root)
    found = run(root, Config(), None, NOW, Plan(price=2.0, questions_a_month=1_000, rounds=1))
    assert state(root) == before  # nothing of the user's is touched
    return found


def test_every_way_is_measured(report: Report) -> None:
    assert report.derived and report.questions == sum(
        kind.questions for kind in report.rows[0].by_kind.values()
    )
    rows = {row.method: row for row in report.rows}
    assert list(rows) == ["full-scan", "grep", "bm25-sections", "index", "search", "hybrid"]
    assert rows["full-scan"].tokens == report.note_tokens
    assert rows["full-scan"].hit5 == 1
    assert rows["hybrid"].hit5 >= 0.9
    for row in report.rows:
        assert row.cost == pytest.approx(row.tokens * 1_000 * 2 / 1_000_000)
        assert (row.cold_ms is None) == (row.method not in ("index", "search", "hybrid"))
        assert row.refused is None


def test_questions_of_one_s_own(tmp_path: Path) -> None:
    file = tmp_path / "questions.toml"
    file.write_text(QUESTIONS)
    report = run(ACME, Config(), file, NOW, Plan(rounds=1))
    assert (report.questions, report.derived, report.warning) == (2, False, "")
    assert report.rows[0].refused == 0
    assert findings(report).notes[-1].startswith("tokens:")
    assert not (ACME / ".hippocampus/cache").exists()


def test_only_what_is_asked_is_copied(tmp_path: Path) -> None:
    root, to = tmp_path / "root", tmp_path / "to"
    shutil.copytree(ACME, root)
    shared = root / ".hippocampus"
    for name in ("cache/text.sqlite", "topics/home.md", "config.toml", "sessions/one.json"):
        (shared / name).parent.mkdir(parents=True, exist_ok=True)
        (shared / name).write_text("")
    (root / "film.mp4").write_bytes(b"\0" * 99)
    copy_workspace(root, Config(), to)
    copied = {path.relative_to(to).as_posix() for path in to.rglob("*") if path.is_file()}
    assert {"HIPPOCAMPUS.md", "TOOLS.md", ".hippocampus/topics/home.md"} <= copied
    assert ".hippocampus/config.toml" in copied
    assert not copied & {
        "film.mp4",
        ".hippocampus/cache/text.sqlite",
        ".hippocampus/sessions/one.json",
    }
    assert (to / "TOOLS.md").stat().st_mtime_ns == (root / "TOOLS.md").stat().st_mtime_ns


BAD = {
    "[[query]]\ntext = \n": "line 2",
    "": "no [[query]]",
    'query = "x"': "no [[query]]",
    "query = [1]": "query 1 has no text",
    '[[query]]\ntext = " "\nkind = "exact"\ngold = [{path="a.md"}]': "query 1 has no text",
    '[[query]]\ntext = "x"\nkind = "exact"\ngold = []': "kind 'exact' with 0 gold",
    '[[query]]\ntext = "x"\nkind = "absent"\ngold = [{path="a.md"}]': "kind 'absent' with 1 gold",
    '[[query]]\ntext = "x"\nkind = "exact"\ngold = ["a.md"]': "a gold place without a path",
    "\xff": "not UTF-8",
}


@pytest.mark.parametrize("text", BAD, ids=list(BAD.values()))
def test_a_mistake_in_the_questions_is_named(text: str, tmp_path: Path) -> None:
    file = tmp_path / "questions.toml"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(DatasetInvalid) as refused:
        load_questions(file, lambda path: Note(path, "# A\n"))
    assert BAD[text] in refused.value.message
    assert refused.value.where == (f"{file}:2" if "line 2" in BAD[text] else str(file))
