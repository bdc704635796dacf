"""What only some pages of the documentation show: tables that are the program's own, a drawing, examples.

Commands, links and outputs: tests/docs.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hippocampus_cli.cli.command_table import REMOVED
from hippocampus_cli.cli.output import plain
from hippocampus_cli.context.lifecycle.policies import read_policies
from tests.support.pages import DOCS, README, ROOT, prose, read, section, shell, stated
from tests.support.reports import lively


@pytest.mark.parametrize(
    ("page", "lines"),
    [(README, 160), (ROOT / "CHANGELOG.md", 200), (DOCS / "measurements.md", 250)],
)
def test_what_people_read_first_is_short(page: Path, lines: int) -> None:
    assert len(read(page).splitlines()) <= lines


def test_every_command_that_was_removed_is_in_the_changelog() -> None:
    table = section(read(ROOT / "CHANGELOG.md"), "Removed")
    missing = [name for name in REMOVED if not re.search(rf"`hippo {name}[ `]", table)]
    assert not missing


def test_every_figure_of_the_readme_is_in_the_tables_that_it_points_at() -> None:
    """Figures are written out in one place, and repeated in the README."""
    rows = re.findall(r"^\|[^|]+\|([^|]+)\|[^|]*`[^|]*\|$", section(read(README), "Figures"), re.M)
    assert len(rows) == 11
    tables = read("measurements") + read("compaction")
    known = set(re.findall(r"\d[\d.,]*", tables))
    known |= {figure.removeprefix("0").rstrip("0") for figure in known}
    figures = [one.rstrip(".,") for row in rows for one in re.findall(r"[\d.][\d.,]*", row)]
    assert not [one for one in figures if one not in known and one.rstrip("0") not in known]


def test_every_key_of_the_report_is_in_its_table() -> None:
    known = stated("report")
    assert _keys(plain(lively())) <= known


def _keys(value: object) -> set[str]:
    """Every key of a JSON document."""
    if isinstance(value, dict):
        return {str(key) for key in value}.union(*map(_keys, value.values()))
    return set().union(*map(_keys, value)) if isinstance(value, (list, tuple)) else set()


def test_the_example_of_policies_is_read() -> None:
    (text,) = re.findall(r"```yaml\n(.*?)```", read("context"), re.DOTALL)
    (policy,) = read_policies(text)
    for part in (policy.match, policy.action):
        assert all(value not in (None, ()) for value in part)


@pytest.mark.parametrize("page", [README, ROOT / "CONTRIBUTING.md", DOCS / "measurements.md"])
def test_the_make_targets_exist(page: Path) -> None:
    text = f"{prose(read(page))}\n{shell(read(page))}"
    targets = set(re.findall(r"(?:^|`)make ([a-z-]+)", text, re.M))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert targets and all(re.search(rf"^{target}:", makefile, re.M) for target in targets)
