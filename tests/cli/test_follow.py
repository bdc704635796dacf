"""What is derived from the notes follows them whoever notices a change, and can be made again from them alone."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the extra `semantic` is not installed")

from hippocampus_cli.config import load  # noqa: E402
from hippocampus_cli.embedding import open  # noqa: E402
from hippocampus_cli.embedding.open import settings_opener  # noqa: E402
from hippocampus_cli.watch.upkeep import IndexUpkeep  # noqa: E402
from tests.support.command_line import Hippo  # noqa: E402
from tests.support.concepts import Concepts  # noqa: E402

NOTE = "# Memory\n\n## Practice\n\n- surgery upstairs\n\n## Garden\n\n- roses and thyme\n"
LATER = "\n## Heron Gateway\n\n- the heron gateway is the server in the cellar\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hippo: Hippo) -> Path:
    """A workspace with text and vectors of its notes."""
    monkeypatch.setattr(open, "open_embedder", lambda *_, **__: Concepts())
    monkeypatch.setenv("HIPPO_EMBEDDING_EMBEDDER", "use-multilingual")
    (tmp_path / "MEMORY.md").write_text(NOTE)
    birds = "".join(f"- bittern {number} is another\n" for number in range(60))
    printer = "## Label Printer\n\n- the Label Printer hums\n"
    (tmp_path / "TOOLS.md").write_text(f"# Tools\n\n- heron is a server\n{birds}\n{printer}")
    monkeypatch.chdir(tmp_path)
    hippo("bootstrap")
    hippo("embed")
    return tmp_path


def _edit(root: Path) -> None:
    with (root / "MEMORY.md").open("a") as note:
        note.write(LATER)


def _by_a_memory(root: Path, hippo: Hippo) -> str:
    _edit(root)
    return hippo("remember", "The bittern lives in the reeds.").err


def _by_a_cycle(root: Path, hippo: Hippo) -> str:
    _edit(root)
    return hippo("maintain").err


def _by_a_sessions_end(root: Path, hippo: Hippo) -> str:
    memory = ["--type", "message", "--persist", "--text", "The bittern lives in the reeds."]
    before = hippo("context", "add", *memory).err
    _edit(root)
    return before + hippo("context end").err


def _by_the_watch(root: Path, hippo: Hippo) -> str:
    config = load(None, os.environ)
    with closing(IndexUpkeep(root, config, settings_opener(os.environ, root, config))) as upkeep:
        upkeep.sync(datetime.now().astimezone())
        _edit(root)
        upkeep.sync(datetime.now().astimezone())
    return ""


@pytest.mark.parametrize("change", [_by_a_memory, _by_a_cycle, _by_a_sessions_end, _by_the_watch])
def test_whoever_notices_a_change_brings_all_in_step(
    root: Path, change: Callable[[Path, Hippo], str], hippo: Hippo
) -> None:
    assert "behind" not in change(root, hippo)
    assert "embedded: 0\nforgotten: 0\n" in hippo("embed").out


def _answers(hippo: Hippo) -> list[object]:
    answers: list[object] = []
    for question in ("physician", "label printer", "roses"):
        for command in ("query --mode search --no-write --json", "anchors lookup --json"):
            said = hippo(*command.split(), question).json
            rows = said.get("results", said.get("hits"))
            answers.append([(row["path"], row.get("section"), row["score"]) for row in rows])
    return answers


CACHES = ("text.sqlite", "vectors.db", "descriptions.json", "fingerprints.sqlite")


@pytest.mark.parametrize("name", CACHES)
def test_deleting_a_cache_costs_time_only(root: Path, name: str, hippo: Hippo) -> None:
    hippo("maintain")
    before = _answers(hippo)
    assert all(before)
    files = sorted((root / ".hippocampus/cache").glob(f"{name}*"))
    assert files
    for file in files:
        file.unlink()
    if name == "vectors.db":
        hippo("embed")
    assert _answers(hippo) == before
    hippo("weekly")
    assert (root / ".hippocampus/cache" / name).exists()


def test_all_caches_are_known(root: Path, hippo: Hippo) -> None:
    hippo("maintain")
    found = {one.name for one in (root / ".hippocampus/cache").iterdir() if one.is_file()}
    seals = {one for one in found if one.endswith("-seal")}
    assert found - seals - {"committed"} == set(CACHES)
