"""What is derived from the notes follows them whoever notices a change, and can be made again from them alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the extra `semantic` is not installed")

from hippocampus_cli.cli.main import main  # noqa: E402
from hippocampus_cli.config import load  # noqa: E402
from hippocampus_cli.embedding import open  # noqa: E402
from hippocampus_cli.embedding.open import SettingsOpener  # noqa: E402
from hippocampus_cli.watch.upkeep import IndexUpkeep  # noqa: E402
from tests.support.concepts import Concepts  # noqa: E402

NOTE = "# Memory\n\n## Practice\n\n- surgery upstairs\n\n## Garden\n\n- roses and thyme\n"
LATER = "\n## Heron Gateway\n\n- the heron gateway is the server in the cellar\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with text and vectors of its notes."""
    monkeypatch.setattr(open, "open_embedder", lambda *_, **__: Concepts())
    monkeypatch.setenv("HIPPO_EMBEDDING_EMBEDDER", "use-multilingual")
    (tmp_path / "MEMORY.md").write_text(NOTE)
    birds = "".join(f"- bittern {number} is another\n" for number in range(60))
    printer = "## Label Printer\n\n- the Label Printer hums\n"
    (tmp_path / "TOOLS.md").write_text(f"# Tools\n\n- heron is a server\n{birds}\n{printer}")
    monkeypatch.chdir(tmp_path)
    for command in (["bootstrap"], ["embed"]):
        assert main(command) == 0
    return tmp_path


def _edit(root: Path) -> None:
    with (root / "MEMORY.md").open("a") as note:
        note.write(LATER)


def _by_a_memory(root: Path) -> None:
    _edit(root)
    assert main(["remember", "The bittern lives in the reeds."]) == 0


def _by_a_cycle(root: Path) -> None:
    _edit(root)
    assert main(["maintain"]) == 0


def _by_a_sessions_end(root: Path) -> None:
    memory = ["--type", "message", "--persist", "--text", "The bittern lives in the reeds."]
    assert main(["context", "add", *memory]) == 0
    _edit(root)
    assert main(["context", "end"]) == 0


def _by_the_watch(root: Path) -> None:
    import os

    config = load(None, os.environ)
    with closing(IndexUpkeep(root, config, SettingsOpener(os.environ, root, config))) as upkeep:
        upkeep.sync(datetime.now().astimezone())
        _edit(root)
        upkeep.sync(datetime.now().astimezone())


@pytest.mark.parametrize("change", [_by_a_memory, _by_a_cycle, _by_a_sessions_end, _by_the_watch])
def test_whoever_notices_a_change_brings_all_in_step(
    root: Path, change: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    change(root)
    assert "behind" not in capsys.readouterr().err
    assert main(["embed"]) == 0
    assert "embedded: 0\nforgotten: 0\n" in capsys.readouterr().out


def _answers(capsys: pytest.CaptureFixture[str]) -> list[object]:
    capsys.readouterr()
    answers: list[object] = []
    for question in ("physician", "label printer", "roses"):
        for command in (
            ["query", "--mode", "search", "--no-write", "--json"],
            ["anchors", "lookup", "--json"],
        ):
            assert main([*command, question]) == 0
            said = json.loads(capsys.readouterr().out)
            rows = said.get("results", said.get("hits"))
            answers.append([(row["path"], row.get("section"), row["score"]) for row in rows])
    return answers


CACHES = ("text.sqlite", "vectors.db", "descriptions.json", "fingerprints.jsonl")


@pytest.mark.parametrize("name", CACHES)
def test_deleting_a_cache_costs_time_only(
    root: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["maintain"]) == 0
    before = _answers(capsys)
    assert all(before)
    files = sorted((root / ".hippocampus/cache").glob(f"{name}*"))
    assert files
    for file in files:
        file.unlink()
    if name == "vectors.db":
        assert main(["embed"]) == 0
    assert _answers(capsys) == before
    assert main(["weekly"]) == 0
    assert (root / ".hippocampus/cache" / name).exists()


def test_all_caches_are_known(root: Path) -> None:
    assert main(["maintain"]) == 0
    found = {one.name for one in (root / ".hippocampus/cache").iterdir() if one.is_file()}
    seals = {one for one in found if one.endswith("-seal")}
    assert found - seals - {"committed"} == set(CACHES)
