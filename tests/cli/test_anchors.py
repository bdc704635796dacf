"""``hippo anchors`` from the outside: what the documentation says of its JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.anchor_notes import write
from tests.support.pages import stated
from tests.support.replay import replay


def keys(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from keys(one)
    elif isinstance(value, list):
        for one in value:
            yield from keys(one)


@pytest.mark.parametrize("line", ["build", "build --check", "lookup 'label printer'"])
def test_every_key_of_the_json_is_in_its_table(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HIPPO_WORKSPACE", str(write(tmp_path)))
    monkeypatch.chdir(tmp_path)
    list(replay("$ hippo anchors build\n", monkeypatch))
    (tmp_path / "new.md").write_text("# New\n\nText.\n")
    printed = "".join(
        replay(f"$ hippo anchors {line} --json\n", monkeypatch, mask="0")
    ).splitlines()[1]
    found = set(keys(json.loads(printed)))
    assert found and found <= stated("anchors")
