"""``hippo merge`` as git calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hippocampus_cli.cli.main import main
from hippocampus_cli.index.parse import parse
from tests.support.branches import BASE, hit


def merge(
    folder: Path, base: str, ours: str, theirs: str, path: str, *options: str
) -> tuple[int, str]:
    names = [folder / name for name in ("base", "ours", "theirs")]
    for name, text in zip(names, (base, ours, theirs), strict=True):
        name.write_bytes(text.encode())
    code = main(["merge", "--marker-size", "9", *options, "--", *map(str, names), path])
    return code, names[1].read_bytes().decode()


def test_clean_is_0_and_ours_holds_the_outcome(tmp_path: Path) -> None:
    ours, theirs = hit(parse(BASE), "a", 1).text, hit(parse(BASE), "a", 2).text
    code, text = merge(tmp_path, BASE, ours, theirs, "HIPPOCAMPUS.md")
    assert (code, parse(text).by_key["a"].entry.hits) == (0, 4)


def test_a_conflict_is_1_with_marks_of_the_size_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, theirs = BASE.replace("About alpha.", "One."), BASE.replace("About alpha.", "Two.")
    code, text = merge(tmp_path, BASE, ours, theirs, "notes/HIPPOCAMPUS.md")
    assert code == 1 and f"{'<' * 9} ours\nOne.\n{'=' * 9}\nTwo.\n{'>' * 9} theirs\n" in text
    assert "1 conflict" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        (("HEAD", "1a2b3c4 (more of it)"), ("HEAD", "1a2b3c4 (more of it)")),
        (("%X", "%Y"), ("ours", "theirs")),  # git before 2.44
        (("", " a\nb "), ("ours", "a b")),
    ],
)
def test_the_marks_name_the_sides_as_git_does(
    tmp_path: Path, names: tuple[str, str], labels: tuple[str, str]
) -> None:
    ours, theirs = BASE.replace("About alpha.", "One."), BASE.replace("About alpha.", "Two.")
    options = (f"--ours={names[0]}", f"--theirs={names[1]}")
    code, text = merge(tmp_path, BASE, ours, theirs, "HIPPOCAMPUS.md", *options)
    assert code == 1 and f"<<<<<<<<< {labels[0]}\nOne.\n" in text
    assert f"Two.\n>>>>>>>>> {labels[1]}\n" in text
    code, text = merge(tmp_path, "a\n", "b\n", "c\n", "memory/2026-06-01.md", *options)
    assert (code, text.count(labels[0]), text.count(labels[1])) == (1, 1, 1)


def test_any_other_file_is_a_log(tmp_path: Path) -> None:
    base = "# 2026-06-01\n\n## 09:00 A\n\nx\n"
    one, two = base + "\n## 10:00 B\n\ny\n", base + "\n## 11:00 C\n\nz\n"
    code, text = merge(tmp_path, base, one, two, "memory/2026-06-01.md")
    assert (code, text) == (0, one + "\n## 11:00 C\n\nz\n")


@pytest.mark.parametrize(
    "hostile", ["\x00\xff" * 9, "<!-- hx: id=a", "```\n## A\n<!-- hx: id=a -->\n", "<<<<<<< x\n"]
)
def test_whatever_the_texts_hold_both_are_in_the_outcome(tmp_path: Path, hostile: str) -> None:
    code, text = merge(tmp_path, BASE, hostile + BASE, BASE + hostile, "HIPPOCAMPUS.md")
    assert code in (0, 1) and hostile.strip() in text and "My own words." in text


def test_a_file_that_is_gone_is_an_error_that_git_takes_for_none_of_both(tmp_path: Path) -> None:
    assert main(["merge", "--", *(str(tmp_path / name) for name in "abc"), "HIPPOCAMPUS.md"]) == 6
