"""The pictures of docs/architecture.md are walked: their modules run, within each other, in that order."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.support.calls import Calls, calls_of
from tests.support.pages import read
from tests.support.processes import hippo
from tests.support.workspaces import fixture_of_few

PICTURE = re.compile(r"^<!-- way: (.+?) -->\n```text\n(.*?)^```$", re.M | re.S)
PICTURES = dict(PICTURE.findall(read("architecture")))


def edges(picture: str) -> list[tuple[str, str]]:
    """Each module of a picture below the one that it stands under, from top to bottom."""
    above: list[tuple[int, str]] = []
    pairs = []
    for line in picture.splitlines():
        indent = len(line) - len(line.lstrip())
        path = line.split()[0]
        above = [(depth, name) for depth, name in above if depth < indent]
        if above:
            pairs.append((above[-1][1], path))
        above.append((indent, path))
    return pairs


def module(path: str) -> str:
    return "hippocampus_cli." + path.removesuffix(".py").replace("/", ".")


def differences(picture: str, calls: Calls) -> list[str]:
    """What the picture says and the run does not, in words that tell what to change in the picture."""
    wrong = []
    place = {pair: number for number, pair in enumerate(calls.under)}
    latest: dict[str, tuple[int, str]] = {}
    for parent, child in edges(picture):
        number = place.get((module(parent), module(child)))
        if number is None:
            ran = module(child) in calls.run
            callers = [above for above, called in calls.calls if called == module(child)]
            where = (
                f"is called by {', '.join(sorted({*callers}))}"
                if ran
                else "does not run: take it out"
            )
            wrong.append(f"{child} stands under {parent}, but {where}")
            continue
        before, name = latest.get(parent, (-1, ""))
        if number < before:
            wrong.append(f"under {parent}, {child} runs before {name}: move it up")
        latest[parent] = max((number, child), (before, name))
    return wrong


def test_a_picture_is_what_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = fixture_of_few(tmp_path)
    hippo(root, "bootstrap", HIPPO_NOW="2026-08-01T09:00:00+00:00")
    hippo(root, "query", "deploy command", HIPPO_NOW="2026-08-01T09:00:00+00:00")
    monkeypatch.setenv("HIPPO_NOW", "2026-08-08T09:00:00+00:00")
    (root / "memory/2026-08-02.md").write_text(
        "# 2026-08-02\n\n## Buoy seven\n\nThe watchdog resets it.\n"
    )
    for way, picture in PICTURES.items():
        wrong = differences(picture, calls_of(root, *shlex.split(way)))
        assert not wrong, f"docs/architecture.md, {way}:\n" + "\n".join(wrong)


def test_one_query_and_one_weekly_have_a_picture() -> None:
    assert [way.split()[0] for way in PICTURES] == ["query", "maintain"]


def test_a_picture_that_is_not_true_says_what_to_change() -> None:
    names = [module(path) for path in ("a.py", "b.py", "c.py")]
    pairs = [(names[0], names[1]), (names[0], names[2])]
    calls = Calls(names, names, pairs, pairs)
    assert differences("a.py\n  b.py\n  c.py\n", calls) == []
    assert differences("a.py\n  c.py\n  b.py\n", calls) == [
        "under a.py, b.py runs before c.py: move it up"
    ]
    assert differences("a.py\n  b.py\n    c.py\n  d.py\n", calls) == [
        "c.py stands under b.py, but is called by hippocampus_cli.a",
        "d.py stands under a.py, but does not run: take it out",
    ]
