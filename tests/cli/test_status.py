from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from hippocampus_cli.cli.commands.status import print_status
from hippocampus_cli.cli.output import Styled, dim
from hippocampus_cli.entries.status import Status
from hippocampus_cli.workspace.own_files import FOLDERS
from hippocampus_cli.workspace.scan import Reason
from tests.support.command_line import Hippo, screen

MARKERS = "<<<<<<< ours\n=======\n>>>>>>> theirs\n"
NOW = datetime(2026, 2, 1, tzinfo=UTC)


def test_the_status_says_what_is_due() -> None:
    bands = {"strong": 400, "moderate": 1, "weak": 0, "decaying": 33, "silent": 2}
    skipped = {str(reason): 1_000 for reason in Reason}
    counts = {"entries": 436, "pinned": 1, "queued": 0, "tokens": 16_000, "max_tokens": 15_000}
    paths = tuple(f"memory/2026-01-{day:02}.md" for day in range(1, 20))
    stock = Status(
        version="1.0",
        reindexed="2026-01-30",
        bands=bands,
        skipped=skipped,  # type: ignore[arg-type]
        **counts,
        notes=1,
        note_tokens=5,
        bare=2,
        unindexed=paths,
        in_topics=3,
        cycles={"daily": NOW, "weekly": None, "monthly": None},
        overdue=("weekly", "monthly"),
        high=4,
        fades_on=date(2029, 1, 15),
        fades_first=12,
    )
    output, out = screen(200)
    print_status(output, stock, NOW)
    for command in ("hippo maintain --weekly", "hippo maintain --due", "hippo check --fix"):
        assert f"({command})" in out.getvalue()
    assert "16,000 of 15,000 (107%)" in out.getvalue()
    assert "falls silent: none before 2029-01-15; then 12 entries if unused" in out.getvalue()
    assert "if unused, 4 of high priority later, 1 pinned never" in out.getvalue()
    assert "reindexed    2026-01-30" in out.getvalue()
    assert "400 strong, 1 moderate, 0 weak, 33 decaying, 2 silent" in out.getvalue()


def test_a_note_that_cannot_be_read_is_told_by_status_and_check(acme: Path, hippo: Hippo) -> None:
    (acme / "bad.md").write_bytes(b"x\0y")
    (acme / "big.md").write_bytes(b"deploy " * 300_000)
    surely, doubtful = (
        hippo("query", words, "--no-write", code=None)
        for words in ("deploy acme vercel", "the moon over Lisbon")
    )
    assert not surely.err + doubtful.err and "not sure" not in surely.out
    for path in ("bad.md", "big.md"):
        assert f"{path}: " in hippo("status").out
        assert f"{path}:1: unread" in hippo("check", code=None).out


@pytest.mark.parametrize(
    ("damage", "code", "said", "line"),
    [
        (lambda text: text + MARKERS, 5, "conflict markers of a merge in lines", "a merge at HIPP"),
        (lambda text: "", 21, "5 of 5 entries are gone", "lost         5 of 5 entries"),
    ],
)
def test_upkeep_of_a_damaged_index_says_so_also_where_nothing_is_due(
    acme: Path, hippo: Hippo, damage: Callable[[str], str], code: int, said: str, line: str
) -> None:
    hippo("monthly")
    assert hippo("maintain").out == "nothing is due\n"
    index = acme / "HIPPOCAMPUS.md"
    index.write_text(damage(index.read_text(encoding="utf-8")), encoding="utf-8")
    for words in ("maintain", "maintain --dry-run", "daily"):
        assert said in hippo(words, code=code).err
    assert line in hippo("status").out


def test_a_note_that_bootstrap_leaves_out_on_purpose_is_not_due(acme: Path, hippo: Hippo) -> None:
    hippo("bootstrap")
    (acme / "bad.md").write_bytes(b"x\0y")
    (acme / "big.md").write_bytes(b"deploy " * 300_000)
    for name, text in {
        "empty": "",
        "short": "# Hm\n",
        "new": f"# New\n\n{'Anders. ' * 9}\n",
    }.items():
        (acme / f"{name}.md").write_text(text, encoding="utf-8")
    shutil.copy(acme / "TOOLS.md", acme / "copy.md")
    assert "2 notes that no entry points at: copy.md, new.md\n" in hippo("status").out
    hippo("bootstrap")
    assert not hippo("status --json").json["unindexed"]


def test_on_a_terminal_long_lines_go_on_below_their_values() -> None:
    output, out = screen(40)
    named = [Styled("HIPPOCAMPUS.md", "bold"), f", {'a word ' * 8}"]
    output.facts([("index", *named), ("due", "one"), ("due", "two " * 9)], 13)
    output.wrapped(dim("of many words · " * 4))
    lines = out.getvalue().splitlines()
    assert lines[:2] == [
        "index        HIPPOCAMPUS.md, a word a",
        f"{'':13}word a word a word a word a",
    ]
    assert lines[3:5] == ["due          one", f"{'':13}two two two two two two two"]
    assert [*map(str.rstrip, lines[5:])] == [
        "             two two",
        "of many words · of many words · of many",
        "words · of many words ·",
    ]


def test_check_names_what_stands_in_the_place_of_a_folder(acme: Path, hippo: Hippo) -> None:
    for folder in reversed(FOLDERS):
        shutil.rmtree(acme / folder, ignore_errors=True)
        (acme / folder).parent.mkdir(exist_ok=True)
        (acme / folder).write_text("x")
        out = hippo("check", code=1).out
        assert f"{folder}:1: folder-blocked a file stands where hippo needs a folder" in out
